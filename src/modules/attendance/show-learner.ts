import type { App } from "../../app.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { authorsIn } from "../../domain/attendance.ts";
import { namesOf } from "../../domain/person.ts";
import { scopeInCourse } from "../../domain/person-scope.ts";
import { byKey } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { attendanceColumn } from "../grading/rules/column.ts";
import { factsOfPeople } from "../grading/counting-facts.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import { allDays } from "../scheduling/rules/time-zone.ts";
import { attendanceDays } from "./rules/attendance-days.ts";
import { isGridColumn } from "./rules/attendance-summary.ts";
import { limitLabelsOf } from "./limits.ts";
import { registerRow, type RegisterRow } from "./rules/register.ts";
import { type ShowAttendanceApp, type LearnerAttendance, showAttendance } from "./show-attendance.ts";

export type LearnerSession = { session: CourseSession; row: RegisterRow };

export type LearnerDetail = Awaited<ReturnType<typeof showLearner>>;

/** One learner for instructors: every session with its history, and the grade. @throws NamedError "learner-unknown" */
export async function showLearner(app: ShowAttendanceApp, course: Course, personId: string) {
  const { registrationId, id: courseId } = course;
  const [person, member, records] = await Promise.all([
    app.people.find(personId),
    app.members.find(registrationId, courseId, personId),
    factsOfPeople(app, course, [personId]),
  ]);
  if (person === null || (member === null && records.length === 0)) {
    throw refusal("learner-unknown", { status: 404 });
  }
  const byEvent = byKey(records, ({ eventId }) => eventId);
  const now = app.clock.now();
  const known = await listSessions(app, course);
  const sessions = known.flatMap((session): LearnerSession[] => {
    const record = byEvent.get(session.eventId) ?? null;
    byEvent.delete(session.eventId);
    if (!isGridColumn(session, record !== null, now)) return [];
    const row = registerRow(session, member, record);
    return row === null ? [] : [{ session, row }];
  });
  for (const record of byEvent.values()) {
    const session = unknownSession(record.eventId);
    const row = registerRow(session, member, record);
    if (row !== null) sessions.push({ session, row });
  }
  return {
    person,
    member,
    attendance: await showAttendance(app, course, member ?? { personId, sectionIds: [] }, attendanceColumn),
    /** Sessions with facts, or begun and for them; latest first. */
    sessions,
    limits: (await limitLabelsOf(app, course, known, [personId])).get(personId) ?? [],
    days: attendanceDays(records, {
      sessions: byKey(known, ({ eventId }) => eventId),
      days: allDays,
      timeZone: course.timeZone,
      now,
    }),
    names: namesOf(await app.people.findMany(authorsIn(records))),
  };
}

/** What a viewer may see. `learner` is null if that person hasn't been in the course. */
export type LearnerReview = {
  learner: { person: Person; member: Member; attendance: LearnerAttendance } | null;
};

/**
 * Finds the learner of a submission review. Instructors see everybody in their course, mentors the learners that the LMS names, learners
 * themselves. @param asked The LMS's id of the learner, and the column; null if unknown.
 * @throws NamedError "review-of-somebody-else"
 */
export async function reviewLearner(
  app: ShowAttendanceApp & Pick<App, "columns" | "registrations">,
  course: Course,
  viewer: { sub: string; role: Member["role"]; mentorOf: readonly string[] },
  asked: { sub: string; lineItemUrl: string | null },
): Promise<LearnerReview> {
  if (viewer.role !== "instructor" && ![viewer.sub, ...viewer.mentorOf].includes(asked.sub)) {
    throw refusal("review-of-somebody-else", { status: 403 });
  }
  const { registrationId } = course;
  const peopleKey = scopeInCourse(await app.registrations.find(registrationId), course);
  const person = await app.people.findBySub({ ...peopleKey, sub: asked.sub });
  const member = person && (await app.members.find(registrationId, course.id, person.id));
  if (person === null || member === null) return { learner: null };
  const columns = await app.columns.listOfCourse(registrationId, course.id);
  const column = columns.find(({ lineItemUrl }) => lineItemUrl !== null && lineItemUrl === asked.lineItemUrl);
  const attendance = await showAttendance(app, course, member, column?.key ?? attendanceColumn);
  return { learner: { person, member, attendance } };
}

export type GridCellDetail = Awaited<ReturnType<typeof showGridCell>>;

/**
 * @returns `member`: null if they have facts but were never a member; `names`: authors of corrections, by person id.
 * @throws NamedError "session-unknown", "learner-unknown" if they aren't part of the course.
 */
export async function showGridCell(
  app: ShowAttendanceApp,
  course: Course,
  { personId, eventId }: { personId: string; eventId: string },
) {
  const { registrationId, id: courseId } = course;
  const [person, member, records, sessions] = await Promise.all([
    app.people.find(personId),
    app.members.find(registrationId, courseId, personId),
    factsOfPeople(app, course, [personId]),
    listSessions(app, course),
  ]);
  const record = records.find((one) => one.eventId === eventId) ?? null;
  if (person === null || (member === null && record === null)) {
    throw refusal("learner-unknown", { status: 404 });
  }
  const listed = sessions.find((one) => one.eventId === eventId);
  if (listed === undefined && record === null) throw refusal("session-unknown", { status: 404 });
  const session = listed ?? unknownSession(eventId);
  const row = registerRow(session, member, record) ?? rowOfNobody(personId, member, record?.revision ?? 0);
  const names = namesOf(await app.people.findMany(authorsIn([row.facts])));
  return { person, member, session, row, names };
}

function rowOfNobody(personId: string, member: Member | null, revision: number): RegisterRow {
  return {
    personId,
    sectionIds: member?.sectionIds ?? [],
    remark: member?.active === false ? "left" : "other-section",
    current: null,
    facts: { history: [], corrections: [] },
    revision,
  };
}
