import type { App } from "../../app.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { fullName } from "../../domain/person-name.ts";
import { placeInCourse } from "../../domain/person-place.ts";
import { refusal } from "../../kernel/refusal.ts";
import { attendanceColumn } from "../grading/rules/column.ts";
import { listSessions, type SessionsApp } from "../scheduling/list-sessions.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import { registerRow, type RegisterRow } from "./rules/register.ts";
import { showAttendance, type ShowAttendanceDeps, type ShownAttendance } from "./show-attendance.ts";

export type ShowLearnerDeps = ShowAttendanceDeps & SessionsApp & Pick<App, "members" | "people" | "clock">;

export type LearnerSession = { session: CourseSession; row: RegisterRow };

export type LearnerDetail = {
  person: Person;
  member: Member | null;
  attendance: ShownAttendance;
  /** With facts, or begun and for them; latest first. */
  sessions: LearnerSession[];
  names: ReadonlyMap<string, string>;
};

/** One learner for instructors: every session with its history, and the grade. @throws NamedError "learner-unknown" */
export async function showLearner(
  deps: ShowLearnerDeps,
  course: Course,
  personId: string,
): Promise<LearnerDetail> {
  const { registrationId, id: courseId } = course;
  const [person, member, records] = await Promise.all([
    deps.people.find(personId),
    deps.members.find(registrationId, courseId, personId),
    deps.attendance.listOfPerson(registrationId, courseId, personId),
  ]);
  if (person === null || (member === null && records.length === 0)) {
    throw refusal("learner-unknown", { status: 404 });
  }
  const byEvent = new Map(records.map((record) => [record.eventId, record]));
  const now = deps.clock.now();
  const known = await listSessions(deps, course);
  const sessions = known.flatMap((session) => {
    const record = byEvent.get(session.eventId) ?? null;
    const begun = session.startsAt !== null && session.startsAt <= now && !session.cancelled;
    if (record === null && !begun) return [];
    byEvent.delete(session.eventId);
    const row = registerRow(session, member, record);
    return row === null ? [] : [{ session, row }];
  });
  for (const record of byEvent.values()) {
    const session = unknownSession(record.eventId);
    const row = registerRow(session, member, record);
    if (row !== null) sessions.push({ session, row });
  }
  const said = records.flatMap(({ corrections }) => corrections.map(({ by }) => by));
  const names = (await deps.people.findMany([...new Set(said)])).flatMap((one) => {
    const name = fullName(one);
    return name === null ? [] : [[one.id, name] as const];
  });
  return {
    person,
    member,
    attendance: await showAttendance(
      deps,
      course,
      { personId, sectionIds: member?.sectionIds ?? [] },
      attendanceColumn,
    ),
    sessions,
    names: new Map(names),
  };
}

export type ReviewLearnerDeps = ShowAttendanceDeps &
  Pick<App, "people" | "members" | "columns" | "registrations">;

/** What a viewer may see; `learner` is null when that person has not been in the course. */
export type LearnerReview = {
  learner: { person: Person; member: Member; attendance: ShownAttendance } | null;
};

/**
 * Of a submission review. Instructors see everyone in their course, mentors the learners that the LMS names, learners
 * themselves.
 * @param asked The LMS's id of the learner, and the column; null when unknown.
 * @throws NamedError "review-of-somebody-else"
 */
export async function reviewLearner(
  deps: ReviewLearnerDeps,
  course: Course,
  viewer: { sub: string; role: Member["role"]; mentorOf: readonly string[] },
  asked: { sub: string; lineItemUrl: string | null },
): Promise<LearnerReview> {
  if (viewer.role !== "instructor" && ![viewer.sub, ...viewer.mentorOf].includes(asked.sub)) {
    throw refusal("review-of-somebody-else", { status: 403 });
  }
  const { registrationId } = course;
  const place = placeInCourse(await deps.registrations.find(registrationId), course);
  const person = await deps.people.findBySub({ ...place, sub: asked.sub });
  const member = person && (await deps.members.find(registrationId, course.id, person.id));
  if (person === null || member === null) return { learner: null };
  const columns = await deps.columns.listOfCourse(registrationId, course.id);
  const column = columns.find(({ lineItemUrl }) => lineItemUrl !== null && lineItemUrl === asked.lineItemUrl);
  const attendance = await showAttendance(deps, course, member, column?.key ?? attendanceColumn);
  return { learner: { person, member, attendance } };
}
