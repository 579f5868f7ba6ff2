import type { AttendanceObservation } from "../../domain/attendance.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { AttendanceStore } from "../../storage/attendance-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import { gradeMember, type GradeMemberDeps } from "../grading/grade-member.ts";
import { findEvent, type FindEventDeps } from "./find-event.ts";

export type RecordAttendanceDeps = FindEventDeps &
  GradeMemberDeps & { people: PersonStore; attendance: AttendanceStore; ids: Ids };

/** One observation as the classroom names it; from a webhook or from a poll. */
export type SeenAttendance = {
  environment: EnvironmentName;
  eventId: string;
  userId: string;
  observation: AttendanceObservation;
};

export type RecordedAttendance = { kind: "recorded" } | { kind: "unmatched"; reason: string };

/**
 * Takes an observation into the course's attendance and sets the grade that follows from it. The observation is
 * stored before the grade is computed, and repeating both changes nothing, so a crash in between is mended by
 * processing the receipt again.
 */
export async function recordAttendance(
  deps: RecordAttendanceDeps,
  seen: SeenAttendance,
): Promise<RecordedAttendance> {
  const { environment, eventId, userId } = seen;
  const event = await findEvent(deps, environment, eventId);
  if (event === null) return unmatched(`The classroom does not know event ${eventId}.`);
  if (event.spaceId === null) return unmatched(`Event ${eventId} is not linked to a Space.`);
  if (event.courseId === null)
    return unmatched(`Space ${event.spaceId} of event ${eventId} belongs to no course here.`);
  const course = await deps.courses.find(event.courseId);
  const person = await deps.people.findByApiUser(environment, userId);
  if (course === null) return unmatched(`The course of event ${eventId} is not known any more.`);
  if (person === null) return unmatched(`Classroom user ${userId} is nobody who came through this tool.`);
  if (person.registrationId !== course.registrationId || person.deploymentId !== course.deploymentId) {
    return unmatched(`Classroom user ${userId} belongs to another LMS than the course of event ${eventId}.`);
  }
  const key = { registrationId: course.registrationId, courseId: course.id, personId: person.id };
  const member = await deps.members.find(key.registrationId, key.courseId, key.personId);
  const first = { id: deps.ids.id("att"), sectionIds: member?.sectionIds ?? [] };
  await deps.attendance.record({ ...key, eventId }, seen.observation, first);
  await gradeMember(deps, course, person);
  return { kind: "recorded" };
}

function unmatched(reason: string): RecordedAttendance {
  return { kind: "unmatched", reason };
}
