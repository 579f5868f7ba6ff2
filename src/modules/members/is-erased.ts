import type { App } from "../../app.ts";
import type { AttendanceHistory, AttendanceObservation } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { isOfTheErased, redactedBody } from "../privacy/rules/erasure.ts";
import { erasedId } from "../../domain/personal-data.ts";

type ReportedAttendance = {
  course: Pick<Course, "registrationId">;
  event: ClassroomEvent;
  userId: string;
  known: boolean;
  observation: AttendanceObservation | ((known: AttendanceHistory) => AttendanceObservation | null);
};

export async function isErased(
  { tombstones, clock }: Pick<App, "clock" | "tombstones">,
  { course, event, userId, known, observation }: ReportedAttendance,
): Promise<boolean> {
  const { environment } = event;
  const mark = await tombstones.find(
    course.registrationId,
    { kind: "user", environment, userId },
    clock.now(),
  );
  if (mark === null) return false;
  const at = (typeof observation === "function" ? observation([]) : observation)?.at ?? null;
  return isOfTheErased(mark, { known, heldUntil: event.endsAt ?? event.startsAt, at });
}

/** An observation without its author's id, when that is an erased person. */
export async function stripErasedAuthor(
  { tombstones, clock }: Pick<App, "clock" | "tombstones">,
  { registrationId, environment }: Pick<Course, "registrationId" | "environment">,
  observation: AttendanceObservation,
): Promise<AttendanceObservation> {
  const { updatedBy: userId, at } = observation;
  if (userId === null) return observation;
  const mark = await tombstones.find(registrationId, { kind: "user", environment, userId }, clock.now());
  const erased = mark !== null && (mark.risenAt === null || at <= mark.erasedAt);
  return erased ? { ...observation, updatedBy: erasedId } : observation;
}

export function erasedOutcome(now: number) {
  return {
    state: "done",
    reason: "It is about somebody who was erased: nothing of it was kept.",
    nextTryAt: now,
    body: redactedBody,
  } as const;
}
