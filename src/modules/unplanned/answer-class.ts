import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { UnplannedRule } from "../../domain/unplanned-rule.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { ruleId } from "../audit/rules/course-audit.ts";
import { isPlanned } from "./rules/found-class.ts";
import { sessionIdOf, type UnplannedClass } from "./rules/records.ts";
import { plannedTimes, type PlannedTimesDeps } from "./planned-times.ts";
import { unplannedSessions } from "./unplanned-sessions.ts";

export type AnswerClassDeps = CourseAuditDeps &
  PlannedTimesDeps &
  Pick<App, "unplannedClasses" | "attendance" | "tasks" | "wake" | "clock">;

export type ClassAnswer = {
  to: "class" | "none";
  /** Null for the course's rule. */
  by: string | null;
  rule: UnplannedRule;
  /** Other times than were found (ms). */
  times?: { startsAt: number; endsAt: number };
  /** The planned session that was postponed to it. */
  eventId?: string | null;
};

/** Sessions that begin up to a day before a class may still go on (ms). */
const dayMs = 24 * 3_600_000;

/** A class of a course. @throws NamedError "unplanned-class-unknown" */
export async function findClass(
  { unplannedClasses }: Pick<App, "unplannedClasses">,
  course: Pick<Course, "id">,
  id: string,
): Promise<UnplannedClass> {
  const found = await unplannedClasses.find(id);
  if (found?.courseId === course.id) return found;
  throw refusal("unplanned-class-unknown", { status: 404 });
}

/**
 * Says what a class was; the session is made, or taken away again, by a task.
 * @param seen As it was read. @returns false without effect when it was answered or changed since, or that is its answer already.
 * @throws NamedError "unplanned-class-planned", "unplanned-class-marked"
 */
export async function answerClass(
  deps: AnswerClassDeps,
  course: Course,
  seen: UnplannedClass,
  { to, by, rule, times, eventId = seen.eventId }: ClassAnswer,
): Promise<boolean> {
  if (seen.state === to || seen.state === "planned") return false;
  if (to === "class") await refusePlanned(deps, course, { ...seen, ...times });
  if (seen.state === "class") await refuseMarked(deps, course, seen);
  const given = {
    by,
    answeredAt: deps.clock.now(),
    rule: to === "class" ? rule : seen.rule,
    eventId,
    ...times,
  };
  if (!(await deps.unplannedClasses.answer(seen, to, given))) return false;
  await wantSettling(deps, { id: seen.id, registrationId: course.registrationId, courseId: course.id });
  const session = { eventId: sessionIdOf(seen), title: null, startsAt: times?.startsAt ?? seen.startsAt };
  const actor = by ?? { personId: ruleId, name: null };
  await writeCourseAudit(deps, course, actor, { what: whatOf(seen, to), session, count: seen.learners });
  return true;
}

function whatOf({ state }: UnplannedClass, to: ClassAnswer["to"]) {
  if (to === "class") return "class-made-session";
  return state === "class" ? "class-taken-back" : "class-dismissed";
}

/** Has what a class is carried out. */
export async function wantSettling(
  { tasks, wake, clock }: Pick<App, "tasks" | "wake" | "clock">,
  of: { id: string; registrationId: string; courseId: string },
): Promise<void> {
  await tasks.enqueue(unplannedSessions, of, { now: clock.now() });
  wake(unplannedSessions);
}

/** A session may have become known since it was asked about. */
async function refusePlanned(deps: AnswerClassDeps, course: Course, seen: UnplannedClass): Promise<void> {
  const planned = await plannedTimes(deps, course, seen.spaceId, seen.startsAt - dayMs);
  if (isPlanned(seen, planned)) throw planned409();
}

function planned409(): NamedError {
  return refusal("unplanned-class-planned", { status: 409 });
}

/** Whoever marked somebody by hand said that it was a session. */
async function refuseMarked(
  { attendance }: Pick<App, "attendance">,
  { registrationId, id }: Course,
  seen: UnplannedClass,
): Promise<void> {
  const records = await attendance.listOfEvent(registrationId, id, sessionIdOf(seen));
  if (records.some(({ corrections }) => corrections.length > 0))
    throw refusal("unplanned-class-marked", { status: 409 });
}
