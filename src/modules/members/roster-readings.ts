import { z } from "zod";
import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import { type Clock, hourMs } from "../../kernel/clock.ts";
import { catchUp, type TimetableEntry } from "../../tasks/timetable.ts";
import { retryPolicies, defineTask, type Task } from "../../tasks/task-kind.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import { activityStepMs, activityTtlMs, rosterIsDue, type RosterSync, roundSkipMs } from "./rules/roster.ts";
import { saveSections } from "./sections.ts";

const payload = z.object({ registrationId: z.string(), courseId: z.string() });

const facts = z.object({
  listed: z.number().default(0),
  written: z.number().default(0),
  total: z.number().nullable().default(null),
});

type CourseToList = z.infer<typeof payload>;
export type RosterFacts = z.infer<typeof facts>;
export type RosterTask = Task<CourseToList, RosterFacts>;

export const readRoster = defineTask({
  name: "rosters",
  order: "person-first",
  perScope: 2,
  payload,
  facts,
  identityOf: ({ registrationId, courseId }) => ({
    key: courseId,
    scope: registrationId,
    registrationId,
    courseId,
  }),
  retry: retryPolicies.rosters,
  whileRunning: "serves",
});

function rosterSyncOf({ id, payload, facts, ...task }: RosterTask): RosterSync {
  const { dueAt, priority, attempts, startedAt, endedAt, doneAt, activeAt, problem } = task;
  return {
    id,
    ...payload,
    ...facts,
    state: stateOf(task),
    dueAt,
    attempts,
    urgency: priority === "person" ? "person" : "round",
    startedAt,
    finishedAt: endedAt,
    doneAt,
    activeAt,
    problem: problem?.text ?? null,
    problemCode: problem?.code ?? null,
  };
}

function stateOf(task: Pick<RosterTask, "running" | "problem" | "dueAt" | "endedAt">): RosterSync["state"] {
  if (task.running) return "running";
  if (task.problem !== null) return "failed";
  if (task.dueAt !== null) return "waiting";
  return task.endedAt > 0 ? "done" : "idle";
}

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
    /** Courses opened since `activeSince` whose latest reading ended before `endedBefore`, and that have no next reading. */
    listStale: (filter: { activeSince: number; endedBefore: number; limit: number }) =>
      tasks.listStale(readRoster, filter),
    /** Leaves readings alone that were requested since. */
    schedule: (readings: readonly (CourseToList & { dueAt: number })[]) =>
      tasks.planIdle(
        readRoster,
        readings.map(({ dueAt, ...payload }) => ({ payload, dueAt })),
      ),
    /** Call it when the LMS can be asked again: readings that waited with one of these codes become due. */
    retryPaused: (registrationId: string, codes: readonly string[], now: number) =>
      tasks.retryFailed(readRoster, now, { registrationId, codes }),
    countDue: (at: number): Promise<number> => tasks.store.countDue(name, at),
    countLeft: (): Promise<number> => tasks.store.countLeft(name),
    countSince: (since: number) => tasks.store.countSince(name, since),
  };
}

type CourseKeys = Pick<Course, "id" | "registrationId">;

/** Requests a reading of the roster as soon as possible. A reading under way is enough. */
export async function requestRoster(app: Pick<App, "clock" | "rosterSyncs" | "wake">, course: CourseKeys) {
  const key = { registrationId: course.registrationId, courseId: course.id };
  await app.rosterSyncs.open(key, app.clock.now());
  await app.rosterSyncs.request(key, app.clock.now());
  app.wake(readRoster);
}

/** Notes that the course is in use, and reads an old roster again for an instructor. An LMS without a roster isn't asked. */
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
/** Milliseconds over which the readings are spread, so an LMS doesn't get all courses in one minute. */
const roundMs = 3 * hourMs;

/**
 * Schedules every course opened in the last month. Several processes may run it: scheduled courses keep their time.
 * @param app.random A function that returns a number between 0 and 1. @returns the number of courses found.
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
  rosterSyncs: ReturnType<typeof createRosterReadings>;
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
 * Saves sections and requests a roster that is due. A learner who came back gets the scores that waited for them, and so does everybody if the
 * launch granted what was missing. The launch doesn't wait for this.
 */
export async function saveLaunchFacts(
  app: Pick<App, "clock" | "deliveries" | "ids" | "rosterSyncs" | "sections" | "wake">,
  course: Course,
  member: Pick<Member, "role" | "roleFrom" | "student" | "testUser" | "personId">,
  launch: Pick<Launch, "custom">,
): Promise<void> {
  if (!member.testUser) await saveSections(app, course, { customs: [launch.custom] });
  const courseKey = { registrationId: course.registrationId, courseId: course.id };
  const now = app.clock.now();
  // The roster calls them an instructor. A new roster shows whether they only preview as a learner or are one.
  if (member.roleFrom === "roster") await requestRoster(app, course);
  else if (member.student) await app.deliveries.retryPeople(courseKey, [member.personId], now);
  else await app.deliveries.standDown(courseKey, [member.personId], "no-learner");
  const { grantedAt = null } = course;
  if (grantedAt !== null) await app.deliveries.unblock(courseKey, "launch", now, grantedAt);
  await refreshRosterAfterLaunch(app, course, member.role);
}
