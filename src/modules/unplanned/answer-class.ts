import { z } from "zod";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { KnownStatus } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { type Course, keyOfCourse, ruleFrom, type UnplannedRule } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { dayMs } from "../../kernel/clock.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { ruleId } from "../audit/rules/course-audit.ts";
import { saveOption } from "../courses/change-settings.ts";
import { requestCheckAt } from "../presence/record-signals.ts";
import { recomputedForMs, silenceMs } from "../presence/rules/presence.ts";
import { retryPolicies, defineTask } from "../../tasks/task-kind.ts";
import { overlaps, sessionIdOf, type UnplannedClass, type UnplannedState } from "./rules/compare-classes.ts";
import { askedForMs, isPlanned, maxListed, maxVisitsOfUser, suggestionsFrom } from "./rules/found-class.ts";
import { plannedTimes, postponedTo, type VisitsApp, visitsOfSpace } from "./visits-of-space.ts";

/** What finding and answering unplanned classes needs. */
export type UnplannedApp = VisitsApp &
  Pick<App, "courses" | "events" | "sessionPlans" | "attendance"> &
  Pick<App, "courseAudit" | "tasks" | "ids" | "wake">;

/** A class, and how many of its learners its rule suggests to be present, late or absent. */
export type SuggestedClass = UnplannedClass & {
  suggested: Record<"PRESENT" | "LATE" | "ABSENT", number>;
  /** It may be one of these, held at another time. */
  postponed: readonly ClassroomEvent[];
};

/** Classes that instructors are asked about, latest first. If a session is known by now, the question ends. */
export async function listWaiting(
  app: Pick<App, "events" | "sessionPlans" | "attendance" | "unplannedClasses" | "clock">,
  course: Course,
): Promise<UnplannedClass[]> {
  return (await listAll(app, course)).filter(({ state }) => state === "waiting");
}

/** Classes in the days about which instructors are asked. */
async function listAll(
  app: Pick<App, "events" | "sessionPlans" | "attendance" | "unplannedClasses" | "clock">,
  course: Course,
): Promise<UnplannedClass[]> {
  const since = app.clock.now() - askedForMs;
  const all = await app.unplannedClasses.listOfCourse(course.id, since, maxListed);
  const waiting = all.filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return all;
  const ended = new Set<string>();
  for (const [spaceId, own] of Map.groupBy(waiting, (one) => one.spaceId)) {
    const planned = await plannedTimes(app, course, spaceId, since - askedForMs);
    for (const one of own) if (isPlanned(one, planned)) ended.add(one.id);
  }
  return all.filter(({ id }) => !ended.has(id));
}

/** For at most a few classes, reads who was there. */
const maxWaiting = 5;

export async function showUnplanned(app: UnplannedApp, course: Course) {
  const all = await listAll(app, course);
  const key = keyOfCourse(course);
  const learners = await app.members.countLearners(key, []);
  const waiting: SuggestedClass[] = [];
  for (const one of all.filter(({ state }) => state === "waiting").slice(0, maxWaiting)) {
    const span = { from: one.startsAt, to: one.endsAt };
    const visits = await visitsOfSpace(app, course, one.spaceId, span);
    const statuses = [...suggestionsFrom(visits, one, course.unplanned).values()].map(({ status }) => status);
    const count = (of: KnownStatus) => statuses.filter((status) => status === of).length;
    const attended = { PRESENT: count("PRESENT"), LATE: count("LATE") };
    // People who have left the course since are in no register.
    const others = Math.max(0, learners - attended.PRESENT - attended.LATE);
    const postponed = await postponedTo(app, course, one);
    waiting.push({ ...one, suggested: { ...attended, ABSENT: others }, postponed });
  }
  const answered = all.filter(({ state }) => state !== "waiting");
  return { waiting, answered };
}

/** Like {@link saveOption}. Applies to classes that begin from now on: a class already made a session keeps its rule. */
export async function saveRule(
  app: UnplannedApp,
  course: Course,
  personId: string,
  rule: UnplannedRule,
  words: (rule: UnplannedRule) => string,
): Promise<boolean> {
  const dated = ruleFrom(rule, course.unplanned, app.clock.now());
  return saveOption(app, course, personId, ["unplanned", dated], words);
}

/** How long a page waits for the reading (ms), and how often it checks. */
const waitMs = 4_000;
const pollMs = 50;

/** Waits a few seconds until an answer was carried out. @returns false if that happens later. */
export async function waitForSession(
  { unplannedClasses, clock }: Pick<App, "unplannedClasses" | "clock">,
  id: string,
  state: UnplannedState,
): Promise<boolean> {
  const began = clock.now();
  while (clock.now() - began < waitMs) {
    const found = await unplannedClasses.find(id);
    if (found === null || found.state !== state || found.settled === state) return true;
    await clock.sleep(pollMs);
  }
  return false;
}

export type ClassAnswer = {
  to: "class" | "none";
  /** Null if the course's rule answers. */
  by: string | null;
  rule: UnplannedRule;
  /** The session's title, if it isn't the usual one. */
  named?: { title: string };
  /** Times that differ from those found (ms). */
  times?: { startsAt: number; endsAt: number };
  /** The planned session that was postponed to it. */
  eventId?: string | null;
};

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
 * Answers what a class was. A task then makes the session, or removes it again.
 * @param seen As it was read. @returns false, without effect, if it was answered or changed since, or already has this answer.
 * @throws NamedError "unplanned-class-planned", "unplanned-class-marked"
 */
export async function answerClass(
  app: UnplannedApp,
  course: Course,
  seen: UnplannedClass,
  { to, by, rule, named, times, eventId = seen.eventId }: ClassAnswer,
): Promise<boolean> {
  if (seen.state === to || seen.state === "planned") return false;
  if (to === "class") await refusePlanned(app, course, { ...seen, ...times });
  if (seen.state === "class") await refuseMarked(app, course, seen);
  const given = {
    by,
    answeredAt: app.clock.now(),
    rule: to === "class" ? rule : seen.rule,
    eventId,
    ...named,
    ...times,
  };
  if (!(await app.unplannedClasses.answer(seen, to, given))) return false;
  await enqueueSettling(app, { id: seen.id, ...keyOfCourse(course) });
  const session = { eventId: sessionIdOf(seen), title: null, startsAt: times?.startsAt ?? seen.startsAt };
  const actor = by ?? { personId: ruleId, name: null };
  await writeCourseAudit(app, course, actor, { what: whatOf(seen, to), session, count: seen.learners });
  return true;
}

function whatOf({ state }: UnplannedClass, to: ClassAnswer["to"]) {
  if (to === "class") return "class-made-session";
  return state === "class" ? "class-taken-back" : "class-dismissed";
}

/** Enqueues the task that carries out the answer about a class. */
export async function enqueueSettling(
  { tasks, wake, clock }: Pick<App, "tasks" | "wake" | "clock">,
  of: { id: string; registrationId: string; courseId: string },
): Promise<void> {
  await tasks.enqueue(unplannedSessions, of, { now: clock.now() });
  wake(unplannedSessions);
}

/** A session may have become known since the question was asked. */
async function refusePlanned(app: UnplannedApp, course: Course, seen: UnplannedClass): Promise<void> {
  const planned = await plannedTimes(app, course, seen.spaceId, seen.startsAt - dayMs);
  if (isPlanned(seen, planned)) throw refusal("unplanned-class-planned", { status: 409 });
}

/** Marking a learner by hand means that it was a session. */
async function refuseMarked(
  { attendance }: Pick<App, "attendance">,
  { registrationId, id }: Course,
  seen: UnplannedClass,
): Promise<void> {
  const records = await attendance.listOfEvent(registrationId, id, sessionIdOf(seen));
  if (records.some(({ corrections }) => corrections.length > 0))
    throw refusal("unplanned-class-marked", { status: 409 });
}

/**
 * A classroom user was matched or unmatched in an LMS, so classes with that user are compared again: each is one task, however many users are
 * matched before it runs.
 */
export async function recheckFor(
  app: Pick<App, "presences" | "unplannedClasses" | "tasks" | "wake" | "clock">,
  { registrationId, environment, userId }: { registrationId: string; environment: AccountId; userId: string },
): Promise<void> {
  const now = app.clock.now();
  const from = now - recomputedForMs;
  const visits = await app.presences.listOfUser(environment, userId, from, maxVisitsOfUser);
  for (const [spaceId, own] of Map.groupBy(visits, (one) => one.spaceId)) {
    const times = own.map(({ firstAt, lastAt, open, endedAt }) => ({
      startsAt: firstAt,
      endsAt: endedAt ?? (open ? lastAt + silenceMs : lastAt),
    }));
    const stored = await app.unplannedClasses.listOfSpace(environment, spaceId, { from, to: now });
    const visited = stored.filter(
      (one) => one.registrationId === registrationId && times.some((time) => overlaps(one, time)),
    );
    for (const { id, courseId, state } of visited)
      if (state === "class") await enqueueSettling(app, { id, registrationId, courseId });
    const since = Math.min(...own.map(({ firstAt }) => firstAt));
    await requestCheckAt(app, { environment, spaceId }, since);
    const asked = visited.filter(({ state }) => state === "waiting").map(({ startsAt }) => startsAt);
    if (asked.length > 0) await requestCheckAt(app, { environment, spaceId }, Math.min(...asked));
  }
}

/** A course's timetable has changed, so what was found in its Spaces is compared with it. */
export async function recheckTimetable(
  app: Pick<App, "unplannedClasses" | "tasks" | "clock">,
  { id }: { id: string },
): Promise<void> {
  const stored = await app.unplannedClasses.listOfCourse(id, app.clock.now() - recomputedForMs, 1_000);
  const known = stored.filter(({ state }) => state !== "none");
  for (const own of Map.groupBy(known, ({ environment, spaceId }) => `${environment} ${spaceId}`).values()) {
    const [first] = own;
    const at = Math.min(...own.map(({ startsAt }) => startsAt));
    if (first !== undefined) await requestCheckAt(app, first, at);
  }
}

const payload = z.object({ id: z.string(), registrationId: z.string(), courseId: z.string() });

/** Makes sessions and attendance as the answer about a class says, one task per class. */
export const unplannedSessions = defineTask({
  name: "unplanned-sessions",
  order: "person-first-in-scope",
  payload,
  facts: z.object({}),
  identityOf: ({ id, registrationId, courseId }) => ({
    key: id,
    scope: registrationId,
    registrationId,
    courseId,
  }),
  retry: retryPolicies["unplanned-sessions"],
  whileRunning: "again",
});
