import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Registration } from "../../domain/registration.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { GroupTarget, RosterMember } from "../../lms/roster.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { requireActiveRegistration, type ActiveRegistrationApp } from "../registration/registrations.ts";
import { pausedUntil } from "../registration/rules/registration.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import type { TaskRun } from "../../tasks/task-kind.ts";
import { readRoster, type RosterFacts, type RosterTask } from "./roster-readings.ts";
import { saveSections } from "./sections.ts";
import type { LearnedSection } from "./store/section-store.ts";
import { type TakeOverApp, takeOverRoster } from "./take-over-roster.ts";

/** What reading a course's roster and storing it needs. `ending` is aborted when this process is about to end. */
export type RosterApp = TakeOverApp &
  ActiveRegistrationApp &
  Pick<App, "courses" | "groups" | "logger" | "roster" | "sections" | "tasks"> & { ending: AbortSignal };

/** The time between writes of progress (ms). */
const progressIntervalMs = 250;

/** Reads the roster that has been due longest, requested ones first. A roster only counts once it's complete. @returns false if none is due. */
export function readNextRoster(app: RosterApp): Promise<boolean> {
  const { clock, logger } = app;
  const log = ({ payload, startedAt }: RosterTask, what: Record<string, unknown>) => {
    const ms = clock.now() - (startedAt ?? clock.now());
    logger.info({ course: payload.courseId, ...what, ms }, "roster read");
  };
  return runNextTask(app, readRoster, {
    run: async (task, { progress }) => {
      await progress({ listed: 0, written: 0, total: null });
      const listed = await readAndTakeOver(app, task, progressWriter(app, progress));
      log(task, { state: "done", people: listed });
      return { nextAt: null, facts: { listed } };
    },
    failed: (task, thrown) => {
      const problem = {
        code: thrown instanceof NamedError ? thrown.code : "unexpected",
        text: rosterProblem(thrown),
      };
      if (!(thrown instanceof NamedError)) {
        const about = { course: task.payload.courseId, error: messageOf(thrown) };
        logger.error(about, "reading a roster failed unexpectedly");
      }
      log(task, { state: "failed", problem: problem.text });
      return {
        problem,
        // It wasn't tried, so it waits for the LMS like all others.
        waitsUntil: pausedUntil(thrown),
        staysFirst: true,
      };
    },
  });
}

async function readAndTakeOver(
  app: RosterApp,
  { payload, attempts, startedAt, doneAt }: RosterTask,
  progress: (to: RosterFacts, now?: "now") => Promise<void>,
): Promise<number> {
  if (attempts > readRoster.retry.tries + 1) throw refusal("roster-given-up");
  const { registration, course, membershipsUrl } = await rosterSourceOf(app, payload.courseId);
  const product = capabilitiesOf(registration);
  const read = await app.roster.list(
    { registration, membershipsUrl },
    {
      ...(product.rosterByLink ? { resourceLinkId: course.contextId } : {}),
      withGroups: course.groupsUrl !== null,
    },
    (count) => progress({ listed: count, written: 0, total: null }),
  );
  if (read.length === 0) throw refusal("roster-empty");
  const named = await groupNames(app, registration, course);
  const { groupsUrl, groupSetsUrl: setsUrl } = course;
  const listed =
    groupsUrl === null
      ? read
      : await withGroupsOfPeople(app, { registration, groupsUrl, setsUrl }, read, named.length > 0);
  await progress({ listed: listed.length, written: 0, total: listed.length }, "now");
  await takeOverRoster(
    app,
    {
      course,
      registration,
      product,
      listed,
      startedAt: startedAt ?? app.clock.now(),
      isRead: doneAt !== null,
    },
    (written, total) => progress({ listed: listed.length, written, total }),
  );
  await saveSections(app, course, { customs: customsOf(listed), groupIds: groupIdsOf(listed), named });
  return listed.length;
}

async function rosterSourceOf(app: RosterApp, courseId: string) {
  const course = await app.courses.find(courseId);
  if (course === null) throw refusal("course-unknown");
  const registration = await requireActiveRegistration(app, course);
  if (course.membershipsUrl === null) throw refusal("roster-not-told");
  return { registration, course, membershipsUrl: course.membershipsUrl };
}

/** The names of groups are optional: the list is used even without them. */
async function groupNames(
  app: RosterApp,
  registration: Registration,
  { id, groupsUrl, groupSetsUrl }: Course,
): Promise<LearnedSection[]> {
  if (groupsUrl === null) return [];
  try {
    const groups = await app.groups.list({ registration, groupsUrl, setsUrl: groupSetsUrl });
    return groups.map((group) => ({
      lmsSectionId: group.id,
      lmsName: group.name,
      lmsSetName: group.setName,
    }));
  } catch (thrown) {
    app.logger.info({ course: id, error: messageOf(thrown) }, "the groups of a course could not be read");
    return [];
  }
}

function progressWriter(app: Pick<RosterApp, "clock" | "ending">, write: TaskRun<RosterFacts>["progress"]) {
  let last = 0;
  return async (to: RosterFacts, now?: "now"): Promise<void> => {
    app.ending.throwIfAborted();
    if (now === undefined && app.clock.now() - last < progressIntervalMs) return;
    last = app.clock.now();
    await write(to);
  };
}

function customsOf(listed: readonly RosterMember[]): RosterMember["custom"][] {
  return listed.filter(({ active, rights }) => active && !rights.testUser).map(({ custom }) => custom);
}

function groupIdsOf(listed: readonly RosterMember[]): string[] {
  return [...new Set(listed.flatMap(({ groupIds }) => groupIds ?? []))];
}

/** How many people get a request each. Larger courses get groups only from rosters. */
const maxPeople = 300;
const laneCount = 4;

/**
 * Asks a groups service for each person's groups if the roster has none (Course Groups 1.0, `user_id`).
 * @param hasGroups False: makes no request. @returns the list, unchanged if the LMS refuses, so known sections stay.
 */
async function withGroupsOfPeople(
  app: Pick<App, "groups" | "logger"> & { ending: AbortSignal },
  target: GroupTarget,
  listed: readonly RosterMember[],
  hasGroups: boolean,
): Promise<readonly RosterMember[]> {
  const asked = listed.filter(({ active, rights }) => active && !rights.testUser);
  const hasGroupIds = listed.some(({ groupIds }) => groupIds !== null);
  if (!hasGroups || hasGroupIds || asked.length > maxPeople) return listed;
  const found = new Map<string, readonly string[]>();
  const left = [...asked];
  const ask = async (): Promise<void> => {
    for (let person = left.pop(); person !== undefined; person = left.pop()) {
      app.ending.throwIfAborted();
      found.set(person.sub, await app.groups.idsOfPerson(target, person.sub));
    }
  };
  try {
    await Promise.all(Array.from({ length: laneCount }, ask));
  } catch (thrown) {
    left.length = 0; // stops the others, too
    if (!(thrown instanceof NamedError)) throw thrown;
    app.logger.info({ error: messageOf(thrown) }, "who is in which group could not be read");
    return listed;
  }
  return listed.map((person) => ({ ...person, groupIds: found.get(person.sub) ?? null }));
}

const listed = "Only people who have opened the classroom are listed: your LMS";
const allow =
  "Ask your administrator to allow the tool names and roles (Names and Role Provisioning). Then open the course link once.";

export function rosterProblem(thrown: unknown): string {
  if (!(thrown instanceof NamedError)) return "Something went wrong on our side while reading the list.";
  switch (thrown.code) {
    case "roster-not-told":
      return `${listed} doesn’t share the others. ${allow}`;
    case "lms-not-allowed":
    case "lms-token-refused":
      return `${listed} refused the list. ${allow}`;
    case "lms-not-found":
      return `${listed} no longer finds the list. Open the course link once to update its address.`;
    default:
      return thrown.message;
  }
}
