import type { App } from "../../app.ts";
import { type CurrentAttendance, currentAttendanceOf } from "../../domain/attendance.ts";
import { officeId } from "../../domain/counting-facts.ts";
import type { Course, Person } from "../../domain/course.ts";
import { dayMs } from "../../kernel/clock.ts";
import { byKey } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { isDate } from "../../kernel/text.ts";
import { type AuditApp, auditedPerson, writeAudit, writeCourseAudit } from "../audit/audit.ts";
import { type CountingApp, factsOfPeople } from "../grading/counting-facts.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { isWithin } from "../scheduling/rules/time-zone.ts";
import { officeActor } from "./join-accounts.ts";
import { maxReasonLength } from "./learner-words.ts";
import type { Excuse } from "./rules/records.ts";

export type ExcusesApp = GradingApp & AuditApp & Pick<App, "excuses">;

/** The most excuses of one person, because a page lists them all. */
const maxExcuses = 50;
/** The most days from the first to the last day of an excuse, both included. */
const maxExcusedDays = 366;

type TypedExcuse = { from: string; to: string; reason: string };
type ExcuseProblem = "dates" | "too-long" | "reason";

export function excuseProblem({ from, to, reason }: TypedExcuse): ExcuseProblem | null {
  if (!isDate(from) || !isDate(to) || from > to) return "dates";
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= maxExcusedDays) return "too-long";
  return reason === "" || reason.length > maxReasonLength ? "reason" : null;
}

/**
 * Excuses a person in all courses of the LMS, also for sessions that are made later; see `excusedFacts`.
 * @throws NamedError "excuse-dates", "excuse-too-long", "excuse-reason", "excuse-too-many"
 */
export async function excusePerson(app: ExcusesApp, person: Person, typed: TypedExcuse): Promise<void> {
  const { id: personId, registrationId } = person;
  const problem: ExcuseProblem | null = excuseProblem(typed);
  if (problem !== null) throw refusal(`excuse-${problem}`, { status: 400 });
  const holding = await app.excuses.listOfPeople(registrationId, [personId]);
  if (holding.length >= maxExcuses) throw refusal("excuse-too-many", { status: 409 });
  const excuse: Excuse = {
    id: app.ids.id("exc"),
    registrationId,
    personId,
    ...typed,
    at: app.clock.now(),
    by: app.operator ?? null,
    takenBackAt: null,
  };
  await inAllCourses(app, person, () => app.excuses.add(excuse));
  await writeAudit(app, { what: "person-excused", registrationId, on: personId });
  await writeLines(app, person, excuse, "office-excused");
}

/** @returns false if they have no such excuse, or it was taken back. */
export async function takeBackExcuse(app: ExcusesApp, person: Person, excuseId: string): Promise<boolean> {
  const { id: personId, registrationId } = person;
  const holding = await app.excuses.listOfPeople(registrationId, [personId]);
  const excuse = holding.find(({ id }) => id === excuseId);
  if (excuse === undefined) return false;
  await inAllCourses(app, person, () => app.excuses.takeBack(excuseId, personId, app.clock.now()));
  await writeAudit(app, { what: "person-excuse-taken-back", registrationId, on: personId });
  await writeLines(app, person, excuse, "office-excuse-taken-back");
  return true;
}

/** Makes a change whose scores follow in every course, even if this process ends in between. */
async function inAllCourses(app: ExcusesApp, person: Person, change: () => Promise<unknown>): Promise<void> {
  const members = await app.members.listOfPerson(person.registrationId, person.id);
  const all = members.reduce<() => Promise<unknown>>(
    (inner, { registrationId, courseId: id }) =>
      () =>
        gradeAfterChange(app, { registrationId, id }, [person], inner),
    change,
  );
  await all();
}

async function writeLines(
  app: ExcusesApp,
  person: Person,
  { from, to, reason }: Excuse,
  what: "office-excused" | "office-excuse-taken-back",
): Promise<void> {
  for (const { registrationId, courseId: id } of await app.members.listOfPerson(
    person.registrationId,
    person.id,
  )) {
    const facts = { what, on: auditedPerson(person), after: `${from} – ${to}`, reason };
    await writeCourseAudit(app, { registrationId, id }, officeActor, facts);
  }
}

/** The effect of an excuse, in sessions. `marked`: an instructor's mark stays. `attended`: they were there anyway. */
type ExcuseEffect = { courses: number; excused: number; marked: number; attended: number };

/** An office's excuses for a person, newest first, each with its present effect. */
export async function showExcuses(app: CountingApp & Pick<App, "clock">, person: Person) {
  const { registrationId, id } = person;
  const excuses = await app.excuses.listAll(registrationId, id);
  const isHolding = ({ takenBackAt }: Excuse) => takenBackAt === null;
  const sessions = excuses.some(isHolding) ? await recordedSessions(app, person) : [];
  return excuses.map((excuse) => ({
    ...excuse,
    effect: isHolding(excuse) ? effectOf(excuse, sessions) : null,
  }));
}

type RecordedSession = { course: Course; startsAt: number | null; current: CurrentAttendance };

/** Recorded sessions in all courses of the person. */
async function recordedSessions(app: CountingApp, { id, registrationId }: Person) {
  const all: RecordedSession[] = [];
  for (const { courseId, joinedTo } of await app.members.listOfPerson(registrationId, id)) {
    const course = await app.courses.find(courseId);
    if (course === null) continue;
    const sessions = byKey(await listSessions(app, course), ({ eventId }) => eventId);
    for (const record of await factsOfPeople(app, course, [joinedTo ?? id])) {
      const current = currentAttendanceOf(record);
      const startsAt = sessions.get(record.eventId)?.startsAt ?? null;
      if (current !== null) all.push({ course, startsAt, current });
    }
  }
  return all;
}

function effectOf(excuse: Excuse, sessions: readonly RecordedSession[]): ExcuseEffect {
  const within = sessions.filter(({ course, startsAt }) => isWithin(excuse, startsAt, course.timeZone));
  const excused = within.filter(({ current }) => current.correction?.by === officeId);
  const marked = within.filter(({ current }) => current.source === "instructor").length - excused.length;
  return {
    courses: new Set(excused.map(({ course }) => course.id)).size,
    excused: excused.length,
    marked,
    attended: within.length - excused.length - marked,
  };
}
