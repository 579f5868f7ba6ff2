import { z } from "zod";
import type { App } from "../../app.ts";
import { doesNotTeach } from "../../domain/course-rights.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Registration } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { GroupTarget } from "../../lms/groups.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";
import type { RosterMember } from "../../lms/roster.ts";
import { type ActiveRegistrationApp, requireActiveRegistration } from "../registration/registrations.ts";
import { pausedUntil } from "../registration/rules/registration.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { catchUp } from "../../tasks/run-job.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import { defineTask, type Task, type TaskRun } from "../../tasks/task-kind.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import type { TimetableEntry } from "../../tasks/timetable.ts";
import { activityStepMs, activityTtlMs, rosterIsDue, type RosterSync, roundSkipMs } from "./rules/roster.ts";
import { saveSections } from "./sections.ts";
import type { LearnedSection } from "./store/member-store.ts";
import { type TakeOverApp, takeOverRoster } from "./take-over-roster.ts";

const payload = z.object({ registrationId: z.string(), courseId: z.string() });

const facts = z.object({
  listed: z.number().default(0),
  written: z.number().default(0),
  total: z.number().nullable().default(null),
});

type CourseToList = z.infer<typeof payload>;
type RosterFacts = z.infer<typeof facts>;
type RosterTask = Task<CourseToList, RosterFacts>;

export const readRoster = defineTask({
  name: "rosters",
  order: "person-first",
  payload,
  facts,
  identityOf: ({ registrationId, courseId }) => ({
    ...{ key: courseId, scope: registrationId, registrationId, courseId },
  }),
  retry: retryPolicies.rosters,
  whileRunning: "serves",
});

function rosterSyncOf({ id, payload, facts, ...task }: RosterTask): RosterSync {
  const { dueAt, priority, attempts, startedAt, endedAt, doneAt, activeAt, problem } = task;
  return {
    ...{ id, ...payload, ...facts, state: stateOf(task), dueAt, attempts },
    urgency: priority === "person" ? "person" : "round",
    ...{ startedAt, finishedAt: endedAt, doneAt, activeAt },
    ...{ problem: problem?.text ?? null, problemCode: problem?.code ?? null },
  };
}

function stateOf(task: Pick<RosterTask, "running" | "problem" | "dueAt" | "endedAt">): RosterSync["state"] {
  if (task.running) return "running";
  if (task.problem !== null) return "failed";
  if (task.dueAt !== null) return "waiting";
  return task.endedAt > 0 ? "done" : "idle";
}

type RosterReadings = ReturnType<typeof createRosterReadings>;

export function createRosterReadings(tasks: TaskQueue) {
  const { name } = readRoster;
  return {
    kind: readRoster,
    open: async (of: CourseToList, now: number) => rosterSyncOf(await tasks.open(readRoster, of, now)),
    find: async (registrationId: string, courseId: string): Promise<RosterSync | null> => {
      const task = await tasks.find(readRoster, { registrationId, courseId });
      return task === null ? null : rosterSyncOf(task);
    },
    request: async (of: CourseToList, now: number): Promise<void> => {
      await tasks.enqueue(readRoster, of, { now, priority: "person", fresh: true });
    },
    /** Courses opened since `activeSince` whose latest reading ended before `endedBefore`, without a next one. */
    listStale: (filter: { activeSince: number; endedBefore: number; limit: number }) =>
      tasks.listStale(readRoster, filter),
    /** Readings requested meanwhile are left alone. */
    schedule: (readings: readonly (CourseToList & { dueAt: number })[]) =>
      tasks.planIdle(
        readRoster,
        readings.map(({ dueAt, ...payload }) => ({ payload, dueAt })),
      ),
    /** The LMS can be asked again: readings that waited with one of these codes are due. */
    retryPaused: (registrationId: string, codes: readonly string[], now: number) =>
      tasks.retryFailed(readRoster, now, { registrationId, codes }),
    countDue: (at: number): Promise<number> => tasks.store.countDue(name, at),
    countLeft: (): Promise<number> => tasks.store.countLeft(name),
    countSince: (since: number) => tasks.store.countSince(name, since),
  };
}

type CourseKeys = Pick<Course, "id" | "registrationId">;

/** Has a roster read as soon as possible; a reading under way counts. */
export async function requestRoster(app: Pick<App, "clock" | "rosterSyncs" | "wake">, course: CourseKeys) {
  const key = { registrationId: course.registrationId, courseId: course.id };
  await app.rosterSyncs.open(key, app.clock.now());
  await app.rosterSyncs.request(key, app.clock.now());
  app.wake(readRoster);
}

/** Notes that the course is in use; reads an old roster for an instructor. An LMS without a roster is not asked. */
export async function refreshRosterAfterLaunch(
  app: Pick<App, "clock" | "rosterSyncs" | "wake">,
  course: CourseKeys & Pick<Course, "membershipsUrl">,
  role: Member["role"],
): Promise<void> {
  if (course.membershipsUrl === null) return;
  const now = app.clock.now();
  const known = await app.rosterSyncs.find(course.registrationId, course.id);
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sync =
    known === null || known.activeAt < now - activityStepMs ? await app.rosterSyncs.open(key, now) : known;
  if (role === "instructor" && rosterIsDue(sync, now)) await requestRoster(app, course);
}

const batchSize = 200;
/** Milliseconds, so that an LMS does not get all courses in one minute. */
const roundMs = 3 * 60 * 60_000;

/**
 * Of every course opened in the last month. Several processes may run it: scheduled courses keep their time. @param
 * app.random Between 0 and 1. @returns the courses found.
 */
export async function scheduleRosterRound(
  app: Pick<App, "rosterSyncs" | "clock"> & { random: () => number },
): Promise<number> {
  const now = app.clock.now();
  let found = 0;
  for (;;) {
    const some = await app.rosterSyncs.listStale({
      activeSince: now - activityTtlMs,
      endedBefore: now - roundSkipMs,
      limit: batchSize,
    });
    found += some.length;
    await app.rosterSyncs.schedule(
      some.map((course) => ({ ...course, dueAt: now + Math.round(app.random() * roundMs) })),
    );
    if (some.length < batchSize) return found;
  }
}

export function rosterJob(app: {
  rosterSyncs: RosterReadings;
  clock: Clock;
  random: () => number;
}): TimetableEntry {
  const { rosterSyncs } = app;
  return {
    name: "read-rosters",
    at: "7 1 * * *",
    run: async (ending) => {
      await scheduleRosterRound(app);
      return catchUp({ ...app, ending }, rosterSyncs);
    },
    follow: async (since) => ({
      ...(await rosterSyncs.countSince(since)),
      waiting: await rosterSyncs.countLeft(),
    }),
  };
}

/**
 * Saves sections and requests a due roster. A learner who came back gets scores that waited for them, as do all where the launch
 * granted what was missing; pages of a former teacher end. The launch does not wait for this.
 */
export async function saveLaunchFacts(
  app: Pick<App, "browserSessions" | "clock" | "deliveries" | "ids" | "rosterSyncs" | "sections" | "wake">,
  course: Course,
  member: Pick<Member, "role" | "roleFrom" | "testUser" | "personId">,
  launch: Pick<Launch, "custom" | "rights">,
): Promise<void> {
  if (!member.testUser) await saveSections(app, course, { customs: [launch.custom] });
  const place = { registrationId: course.registrationId, courseId: course.id };
  if (doesNotTeach(launch.rights.staffRole)) {
    const taught = { ...place, personIds: [member.personId], staffRole: "teacher" } as const;
    await app.browserSessions.endAll(taught, app.clock.now(), "role-changed");
  }
  const now = app.clock.now();
  // The roster calls them an instructor: a new one tells whether they look as a learner, or are one.
  if (member.roleFrom === "roster") await requestRoster(app, course);
  else if (member.role === "learner") await app.deliveries.retryPeople(place, [member.personId], now);
  else await app.deliveries.standDown(place, [member.personId], "teach");
  const { grantedAt = null } = course;
  if (grantedAt !== null) await app.deliveries.unblock(place, "launch", now, grantedAt);
  await refreshRosterAfterLaunch(app, course, member.role);
}

/** To read a course's roster and store it. `ending`: aborted when this process is about to end. */
export type RosterApp = TakeOverApp &
  ActiveRegistrationApp &
  Pick<App, "courses" | "groups" | "logger" | "roster" | "sections" | "tasks"> & { ending: AbortSignal };

/** Between writes of progress (ms). */
const progressIntervalMs = 250;

/** Of the one due longest, requested ones first. Read completely before it counts. @returns false when none is due. */
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
        // Not tried: it waits for the LMS like all others.
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
  if (attempts > readRoster.retry.tries + 1) {
    throw refusal("roster-given-up");
  }
  const { registration, course, membershipsUrl } = await placeOf(app, payload.courseId);
  const product = capabilitiesOf(registration);
  const read = await app.roster.list(
    { registration, membershipsUrl },
    {
      ...(product.rosterByLink ? { resourceLinkId: course.contextId } : {}),
      withGroups: course.groupsUrl !== null,
    },
    (count) => progress({ listed: count, written: 0, total: null }),
  );
  if (read.length === 0) {
    throw refusal("roster-empty");
  }
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
      ...{ course, registration, product, listed },
      ...{ startedAt: startedAt ?? app.clock.now(), isRead: doneAt !== null },
    },
    (written, total) => progress({ listed: listed.length, written, total }),
  );
  await saveSections(app, course, { customs: customsOf(listed), groupIds: groupIdsOf(listed), named });
  return listed.length;
}

async function placeOf(app: RosterApp, courseId: string) {
  const course = await app.courses.find(courseId);
  if (course === null) throw refusal("course-unknown");
  const registration = await requireActiveRegistration(app, course);
  if (course.membershipsUrl === null) throw refusal("roster-not-told");
  return { registration, course, membershipsUrl: course.membershipsUrl };
}

/** Names of groups are optional: the list counts without them. */
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

/** A request for each person; larger courses get groups from rosters only. */
const maxPeople = 300;
const laneCount = 4;

/**
 * Asks a groups service for each person's groups, where the roster has none (Course Groups 1.0, `user_id`). @param
 * hasGroups False: no request is made. @returns the list with groups; unchanged when the LMS refuses, so that known
 * sections stay.
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
    left.length = 0; // the others stop, too
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
