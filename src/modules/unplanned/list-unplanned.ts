import type { App } from "../../app.ts";
import type { KnownStatus } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { ruleFrom, type UnplannedRule } from "../../domain/unplanned-rule.ts";
import type {} from "../audit/write-course-audit.ts";
import { saveOption } from "../courses/change-settings.ts";
import { askedForMs, isPlanned, maxListed, suggestionsFrom } from "./rules/found-class.ts";
import type { UnplannedClass, UnplannedState } from "./rules/records.ts";
import { type VisitsApp, plannedTimes, postponedTo, visitsOfSpace } from "./visits-of-space.ts";

/** To find and answer classes that nobody planned. */
export type UnplannedApp = VisitsApp &
  Pick<App, "courses" | "events" | "sessionPlans" | "attendance"> &
  Pick<App, "courseAudit" | "tasks" | "ids" | "wake">;

/** A class, and how many of its learners its rule suggests to be what. */
export type SuggestedClass = UnplannedClass & {
  suggested: Record<"PRESENT" | "LATE" | "ABSENT", number>;
  /** It may be one of these, held at another time. */
  postponed: readonly ClassroomEvent[];
};

type UnplannedClasses = {
  waiting: SuggestedClass[];
  /** Latest first. */
  answered: UnplannedClass[];
};

/** What instructors of a course are asked, latest first. A session that became known meanwhile ends the question. */
export async function listWaiting(
  app: Pick<App, "events" | "sessionPlans" | "attendance"> & Pick<App, "unplannedClasses" | "clock">,
  course: Course,
): Promise<UnplannedClass[]> {
  return (await listAll(app, course)).filter(({ state }) => state === "waiting");
}

/** Of the days for which instructors are asked. */
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

/** Reads who was there for at most a few classes. */
const maxWaiting = 5;

export async function showUnplanned(app: UnplannedApp, course: Course): Promise<UnplannedClasses> {
  const all = await listAll(app, course);
  const key = { registrationId: course.registrationId, courseId: course.id };
  const learners = await app.members.countLearners(key, []);
  const waiting: SuggestedClass[] = [];
  for (const one of all.filter(({ state }) => state === "waiting").slice(0, maxWaiting)) {
    const span = { from: one.startsAt, to: one.endsAt };
    const visits = await visitsOfSpace(app, course, one.spaceId, span);
    const statuses = [...suggestionsFrom(visits, one, course.unplanned).values()].map(({ status }) => status);
    const count = (wanted: KnownStatus) => statuses.filter((status) => status === wanted).length;
    const there = { PRESENT: count("PRESENT"), LATE: count("LATE") };
    // Who left the course since is in no register.
    const others = Math.max(0, learners - there.PRESENT - there.LATE);
    const postponed = await postponedTo(app, course, one);
    waiting.push({ ...one, suggested: { ...there, ABSENT: others }, postponed });
  }
  const answered = all.filter(({ state }) => state !== "waiting");
  return { waiting, answered };
}

/** As {@link saveOption}; holds for classes that begin from now on: what was made a session keeps the rule it was made by. */
export async function saveRule(
  app: UnplannedApp,
  course: Course,
  personId: string,
  rule: UnplannedRule,
  words: (rule: UnplannedRule) => string,
): Promise<boolean> {
  const wanted = ruleFrom(rule, course.unplanned, app.clock.now());
  return saveOption(app, course, personId, ["unplanned", wanted], words);
}

/** Of a page (ms). */
const waitMs = 4_000;
const pollMs = 50;

/** Waits a few seconds until an answer was carried out. @returns false when that happens later. */
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
