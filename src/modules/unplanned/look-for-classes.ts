import { maxSessions } from "../scheduling/list-sessions.ts";
import { dayMs } from "../../kernel/clock.ts";
import { requestSessionMinutes } from "../attendance/session-minutes.ts";
import { answerClass, type UnplannedApp, enqueueSettling } from "./answer-class.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { type Course, keyOfCourse, answerFor, type UnplannedRule } from "../../domain/course.ts";
import { sha256 } from "../../kernel/ids.ts";
import { runNextTask, type RunTaskDeps } from "../../tasks/run-task.ts";
import { ruleId } from "../audit/rules/course-audit.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { coursesOpening } from "../courses/change-settings.ts";
import { breakMs, silenceMs } from "../presence/rules/presence.ts";
import { rereadMs, spaceVisits } from "../presence/record-signals.ts";
import {
  compareClasses,
  sessionIdOf,
  timetableChanges,
  type UnplannedClass,
} from "./rules/compare-classes.ts";
import { classesAmong, type FoundClass, isClear, suggestionsFrom } from "./rules/found-class.ts";
import { type PlannedHour, plannedTimes, postponedTo, visitsOfSpace } from "./visits-of-space.ts";

type LookingApp = UnplannedApp & Pick<App, "courseLinks">;

/** How far an earlier class can matter to a later one's signs (ms). */
const longestMs = dayMs;
/** Added to the moment at which a class is over. */
const marginMs = 1_000;

/** Checks the Space that has been due longest. @returns false if none is due. */
export function checkNextSpace(app: LookingApp & RunTaskDeps): Promise<boolean> {
  return runNextTask(app, spaceVisits, {
    run: async ({ payload, facts }) => {
      const nextAt = await findClasses(app, payload, facts.since);
      return { nextAt, factsUnlessEnqueued: { since: null } };
    },
  });
}

/**
 * Compares who was recently in a Space with what is known about it, and updates that. Repeatable.
 * @param lateSign The time of a sign that came late (ms). @returns when to check again if no further signs come (ms), or null for never.
 */
export async function findClasses(
  app: LookingApp,
  { environment, spaceId }: { environment: AccountId; spaceId: string },
  lateSign: number | null,
): Promise<number | null> {
  const course = await courseOfVisits(app, environment, spaceId);
  const now = app.clock.now();
  const since = Math.min(now - rereadMs, lateSign === null ? now : lateSign - longestMs);
  await requestPlannedMinutes(app, { environment, spaceId, owner: course }, since);
  if (course === null) return null;
  const visits = await visitsOfSpace(app, course, spaceId, { from: since, to: null });
  const planned = visits.length === 0 ? [] : await plannedTimes(app, course, spaceId, since - longestMs);
  const found = classesAmong(visits, planned, breakMs);
  const over = found.filter(({ endsAt }) => endsAt + breakMs <= now);
  await keepFound(app, course, { spaceId, since, over, planned });
  return nextCheckAt(found, now);
}

/** Requests that the minutes of planned sessions at that time are computed again from what is known by now. */
async function requestPlannedMinutes(
  app: LookingApp,
  { environment, spaceId, owner }: { environment: AccountId; spaceId: string; owner: Course | null },
  since: number,
): Promise<void> {
  const now = app.clock.now();
  const inSpace = await app.events.listInSpace(environment, spaceId, since - longestMs);
  const without = owner === null ? [] : await app.events.listSince(owner.id, since - longestMs, maxSessions);
  const planned = [...inSpace, ...without.filter((event) => event.spaceId === null)];
  for (const { eventId, courseId, startsAt, endsAt, ours } of planned) {
    if (courseId === null || ours === true || startsAt === null || endsAt === null) continue;
    // People who come early are there for it, too.
    if (startsAt - breakMs > now || endsAt < since) continue;
    const course = courseId === owner?.id ? owner : await app.courses.find(courseId);
    if (course === null) continue;
    const { registrationId } = course;
    await requestSessionMinutes(app, { environment, eventId, registrationId, courseId }, endsAt);
  }
}

/** People who are still there send signals. The check is for people whose signals stop. */
function nextCheckAt(found: readonly FoundClass[], now: number): number | null {
  const last = Math.max(...found.map(({ endsAt }) => endsAt), -Infinity);
  if (last >= now) return now + silenceMs;
  return last + breakMs > now ? last + breakMs + marginMs : null;
}

type Found = { spaceId: string; since: number; over: readonly FoundClass[]; planned: readonly PlannedHour[] };

async function keepFound(app: LookingApp, course: Course, { spaceId, since, over, planned }: Found) {
  const { environment, registrationId } = course;
  const stored = await app.unplannedClasses.listOfSpace(environment, spaceId, {
    from: since - longestMs,
    to: app.clock.now(),
  });
  if (over.length === 0 && stored.length === 0) return;
  const rule = course.unplanned;
  const asked = over.filter((one) => answerFor(rule, one) !== "never");
  const changes = compareClasses(asked, stored, since);
  for (const id of changes.removed) await app.unplannedClasses.remove(id);
  for (const { id, to } of changes.changed) await app.unplannedClasses.change(id, to);
  for (const one of changes.added) {
    const id = `unpl_${sha256(`${environment}\n${spaceId}\n${one.startsAt}`).slice(0, 24)}`;
    await app.unplannedClasses.add({ id, registrationId, courseId: course.id, environment, spaceId, ...one });
  }
  for (const id of changes.sessions) await enqueueSettling(app, { id, registrationId, courseId: course.id });
  await settleTimetable(
    app,
    course,
    stored.filter(({ startsAt }) => startsAt >= since),
    planned,
  );
  if (rule.answer === "always") await answerByRule(app, course, spaceId, since, rule);
}

/** A planned session takes the place of ours, or gives it back. */
async function settleTimetable(
  app: LookingApp,
  course: Course,
  stored: readonly UnplannedClass[],
  planned: readonly PlannedHour[],
): Promise<void> {
  for (const { of, to, eventId } of timetableChanges(stored, planned)) {
    const given = { by: of.by, answeredAt: of.answeredAt, rule: of.rule, eventId };
    if (!(await app.unplannedClasses.answer(of, to, given))) continue;
    await enqueueSettling(app, { id: of.id, ...keyOfCourse(course) });
    const session = { eventId: eventId ?? sessionIdOf(of), title: null, startsAt: of.startsAt };
    const what = to === "planned" ? "class-taken-back" : "class-made-session";
    await writeCourseAudit(
      app,
      course,
      { personId: ruleId, name: null },
      { what, session, count: of.learners },
    );
  }
}

/** Answers only what is clear. A person decides the rest: whether a stranger was the teacher, and whatever differs much from the register. */
async function answerByRule(
  app: LookingApp,
  course: Course,
  spaceId: string,
  since: number,
  rule: UnplannedRule,
): Promise<void> {
  const span = { from: since, to: app.clock.now() };
  const stored = await app.unplannedClasses.listOfSpace(course.environment, spaceId, span);
  const key = keyOfCourse(course);
  for (const one of stored) {
    if (one.state !== "waiting" || one.courseId !== course.id || answerFor(rule, one) !== "always") continue;
    const visits = await visitsOfSpace(app, course, spaceId, { from: one.startsAt, to: one.endsAt });
    const suggestions = suggestionsFrom(visits, one, rule).values();
    if (!isClear(one, suggestions, await app.members.countLearners(key, []))) continue;
    if ((await postponedTo(app, course, one)).length > 0) continue;
    await answerClass(app, course, one, { to: "class", by: null, rule });
  }
}

/** The course that owns the Space, or the only one with a link to it. If there are several, none is asked. */
async function courseOfVisits(app: LookingApp, environment: AccountId, spaceId: string) {
  const owners = await app.courses.findBySpace(environment, spaceId);
  const courses = owners.length > 0 ? owners : await coursesOpening(app, environment, spaceId);
  const [only = null, ...others] = courses;
  return others.length === 0 ? only : null;
}
