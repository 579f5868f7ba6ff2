import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { rosterJob } from "../../../src/modules/members/roster-readings.ts";
import {
  createTimetable,
  cronTimes,
  startTimetable,
  type TimetableDeps,
  catchUp,
  runJobIfDue,
  type RunnableJob,
} from "../../../src/tasks/timetable.ts";
import { purge } from "../../../src/modules/operations/upkeep.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { type GradingCourse, openGradingCourse } from "../../support/builders/grading-course.ts";
import { listedAs, openRosterCourse, type RosterCourse } from "../../support/builders/roster-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const database = await forAllTests(openEmptyStores());
const minute = 60_000;
const day = 24 * 60 * minute;

let world: GradingCourse;
forEachTest(async () => (world = await openGradingCourse(database)));

const deps = (process = "one"): TimetableDeps => ({
  jobs: world.stores.jobs,
  dueHeads: world.stores.dueHeads,
  process,
  clock: world.clock,
  ids: world.deps.ids,
  logger: createLogger("silent"),
});

/** A job that is due once a day; `ran` lists the processes that ran it. */
async function daily(work: () => Promise<number | null> = () => Promise.resolve(3)) {
  const job: RunnableJob = { name: "sweep", nextAfter: (at) => at + day, run: work };
  await world.stores.jobs.open(job.name, job.nextAfter(world.clock.now()));
  return job;
}

const record = async () => {
  return required((await world.stores.jobs.list())[0]);
};

describe("a job of the timetable", () => {
  test("runs when it is due, stores its run, and does not run again before its next time", async () => {
    const job = await daily();
    expect(await runJobIfDue(deps(), job)).toBe(false);
    world.pass(day + 1);
    expect(await runJobIfDue(deps(), job)).toBe(true);
    expect(await runJobIfDue(deps(), job)).toBe(false);
    const { runs, succeededAt, dueAt } = await record();
    expect(runs).toMatchObject([{ process: "one", outcome: "done", done: 3, problem: null }]);
    expect(succeededAt).toBe(runs[0]?.endedAt);
    expect(dueAt).toBeGreaterThan(world.clock.now() + day - minute);
  });

  test("is run by one of many processes that look at the same moment", async () => {
    let times = 0;
    const job = await daily(() => {
      times += 1;
      return Promise.resolve(null);
    });
    world.pass(day + 1);
    const ran = await Promise.all(
      ["one", "two", "three", "four"].map((name) => runJobIfDue(deps(name), job)),
    );
    expect(ran.filter(Boolean)).toHaveLength(1);
    expect(times).toBe(1);
  });

  test("is run once if it was missed for a week", async () => {
    const job = await daily();
    world.pass(7 * day);
    expect(await runJobIfDue(deps(), job)).toBe(true);
    expect(await runJobIfDue(deps(), job)).toBe(false);
  });

  test("that failed says why and waits for its next time", async () => {
    const job = await daily(() => Promise.reject(new Error("no space left")));
    world.pass(day + 1);
    expect(await runJobIfDue(deps(), job)).toBe(true);
    expect((await record()).runs).toMatchObject([
      { outcome: "failed", problem: "no space left", done: null },
    ]);
    expect((await record()).succeededAt).toBeNull();
    expect(await runJobIfDue(deps(), job)).toBe(false);
  });

  test("is claimed after its process died, and the run is marked as broken off", async () => {
    const job = await daily();
    world.pass(day + 1);
    const dead = { id: "run_dead", process: "dead", startedAt: world.clock.now(), endedAt: null } as const;
    const nothing = { outcome: null, done: null, problem: null };
    await world.stores.jobs.begin(job.name, { ...dead, ...nothing }, world.clock.now() + 10_000, 0);
    expect(await runJobIfDue(deps(), job)).toBe(false);
    world.pass(10_001);
    expect(await runJobIfDue(deps(), job)).toBe(true);
    expect((await record()).runs).toMatchObject([
      { process: "one", outcome: "done" },
      { process: "dead", outcome: "broken-off" },
    ]);
  });

  test("that kills its process three times waits for its next time", async () => {
    const job = await daily();
    world.pass(day + 1);
    for (const id of ["1", "2", "3"]) {
      const now = world.clock.now();
      const run = {
        id,
        process: "p",
        startedAt: now,
        endedAt: null,
        outcome: null,
        done: null,
        problem: null,
      };
      expect(await world.stores.jobs.begin(job.name, run, now + 10, now + day)).toBe(true);
      world.pass(11);
    }
    expect(await runJobIfDue(deps(), job)).toBe(false);
    expect((await record()).runs.map(({ outcome }) => outcome)).toEqual(Array(3).fill("broken-off"));
    world.pass(day);
    expect(await runJobIfDue(deps(), job)).toBe(true);
  });
});

test("a timetable that starts catches up, and runs a job immediately on request", async () => {
  const ran: string[] = [];
  const entry = (name: "purge" | "read-rosters", at: string) => ({
    name,
    at,
    run: () => {
      ran.push(name);
      return Promise.resolve(null);
    },
  });
  const entries = [entry("purge", "0 3 * * *"), entry("read-rosters", "0 4 * * *")];
  const first = await startTimetable(deps(), entries);
  await first.stop();
  expect(ran).toEqual([]);
  world.pass(day);
  const second = await startTimetable(deps(), entries);
  await second.check();
  expect(ran.toSorted()).toEqual(["purge", "read-rosters"]);
  expect(await second.runNow("purge")).toBe(true);
  expect(await second.runNow("nonsense")).toBe(false);
  await second.stop();
  expect(ran.filter((name) => name === "purge")).toHaveLength(2);
});

test("a job requested during a check does not begin once the timetable has stopped", async () => {
  const ending = new AbortController();
  const checking = Promise.withResolvers<boolean>();
  const begin = vi.fn(world.stores.jobs.begin);
  const run = () => Promise.resolve(null);
  const isNeeded = vi.fn(() => checking.promise);
  const entry = { name: "purge", at: "0 3 * * *", sooner: { isNeeded }, run } as const;
  const jobs = { ...world.stores.jobs, begin };
  const timetable = await startTimetable({ ...deps(), jobs }, [entry], ending.signal);
  await vi.waitFor(() => expect(isNeeded).toHaveBeenCalled(), 30_000);
  expect(await timetable.runNow("purge")).toBe(true);
  ending.abort();
  const stopped = timetable.stop();
  checking.resolve(false);
  await stopped;
  await new Promise(setImmediate);
  expect(begin).not.toHaveBeenCalled();
});

test.each([
  ["* * * * *", "2026-03-29T00:59:30Z", "2026-03-29T01:00:00Z"],
  ["7 1 * * *", "2026-03-29T01:07:00Z", "2026-03-30T01:07:00Z"],
  ["*/5 * * * *", "2026-12-31T23:58:00Z", "2027-01-01T00:00:00Z"],
  ["59 23 * * *", "2026-02-28T23:58:30Z", "2026-02-28T23:59:00Z"],
  ["30 6 * * MON", "2026-03-30T06:29:59Z", "2026-03-30T06:30:00Z"],
  ["30 6 * * MON", "2026-03-30T06:30:00Z", "2026-04-06T06:30:00Z"],
  ["10,50 8-10 1 * *", "2026-03-31T10:55:00Z", "2026-04-01T08:10:00Z"],
])("the next time of %s after %s is %s", (text, after, next) => {
  expect(new Date(cronTimes(text)(Date.parse(after))).toISOString()).toBe(new Date(next).toISOString());
});

test.each([["7 1 * *"], ["0 7 1 * * *"], ["61 1 * * *"], ["now and then and at night"]])(
  "the cron text %s is refused",
  (text) => expect(() => cronTimes(text)).toThrow(),
);

test("a cached time is not returned for another moment", () => {
  const next = cronTimes("0 * * * *");
  const at = (time: string) => new Date(next(Date.parse(`2026-03-30T${time}Z`))).toISOString().slice(11, 16);
  expect(["08:10:00", "08:59:59", "09:00:00", "07:30:00", "08:00:00"].map(at)).toEqual([
    "09:00",
    "09:00",
    "10:00",
    "08:00",
    "09:00",
  ]);
});

test("a cron text without a time within eight days is refused", () => {
  expect(() => cronTimes("0 0 24 12 *")(Date.parse("2026-02-01T00:00:00Z"))).toThrow(/no time within/);
});

test("old webhooks that took effect are deleted, but not those that failed or wait", async () => {
  const { receipts } = world.stores;
  const now = world.clock.now();
  const states = ["done", "kept", "failed", "unmatched", "waiting"] as const;
  for (const state of states) {
    for (const [age, receivedAt] of [
      ["old", now - 91 * day],
      ["young", now - 89 * day],
    ] as const) {
      await receipts.insert(waitingReceipt({}, receivedAt, { id: `${age}-${state}`, state }));
    }
  }
  expect(await purge({ ...world.stores, clock: world.clock })).toBe(2);
  expect(await receipts.countByState()).toEqual({
    waiting: 2,
    asking: 0,
    again: 0,
    unmatched: 2,
    done: 1,
    kept: 1,
    failed: 2,
  });
});

describe("unmatched attendance", () => {
  const event = { registrationId: "reg_1", courseId: "crs_1", environment: "production" as const };
  const told = (at: number) => ({ status: "PRESENT", notes: null, at, updatedBy: null });
  const keep = (userId: string, now: number) =>
    world.stores.unmatchedAttendance.keep(
      { environment: "production", eventId: "lesson", userId },
      { courseId: "crs_1", observe: () => told(now), now },
    );
  const usersLeft = async () =>
    (await world.stores.unmatchedAttendance.listOfEvent("production", "lesson", 5_000))
      .map(({ userId }) => userId)
      .toSorted();
  const clean = () => purge({ ...world.stores, clock: world.clock });

  test("is deleted 180 days after its last report, but not while a match may be undone", async () => {
    const began = world.clock.now();
    for (const userId of ["guest", "regular", "matched"]) await keep(userId, began);
    await world.stores.userMatches.insert({
      id: "mat_1",
      registrationId: "reg_1",
      deploymentId: "1",
      environment: "production",
      userId: "matched",
      personId: "per-Ann",
      courseId: "crs_1",
      by: "per-Ina",
      at: began,
    });
    world.pass(100 * day);
    await keep("regular", world.clock.now());
    world.pass(79 * day);
    await clean();
    expect(await usersLeft()).toEqual(["guest", "matched", "regular"]);
    world.pass(2 * day);
    await clean();
    expect(await usersLeft()).toEqual(["matched", "regular"]);
    world.pass(100 * day);
    await clean();
    expect(await usersLeft()).toEqual(["matched"]);
  });

  test("is found among more records than are read at once", async () => {
    const users = Array.from({ length: 1_100 }, (_none, number) => `user_${number}`);
    await Promise.all(users.map((userId) => keep(userId, world.clock.now())));
    world.pass(181 * day);
    expect(await clean()).toBe(1_100);
    expect(await usersLeft()).toEqual([]);
  });

  test("of sessions is deleted, too, unless they are the course's or are being returned", async () => {
    const { unassignedEvents } = world.stores;
    const said = { by: "per-Ina", at: world.clock.now() };
    for (const eventId of ["open", "hidden", "ours", "undone", "told-again"])
      await unassignedEvents.note({ ...event, eventId }, world.clock.now());
    await unassignedEvents.answer({ ...event, eventId: "hidden" }, "not-ours", said);
    for (const eventId of ["ours", "undone"])
      await unassignedEvents.answer({ ...event, eventId }, "ours", said);
    await unassignedEvents.undo({ ...event, eventId: "undone" }, said);
    world.pass(100 * day);
    await unassignedEvents.note({ ...event, eventId: "told-again" }, world.clock.now());
    world.pass(81 * day);
    expect(await clean()).toBe(2);
    const left = await Promise.all(
      ["open", "hidden", "ours", "undone", "told-again"].map(async (eventId) =>
        (await unassignedEvents.find({ ...event, eventId })) === null ? [] : [eventId],
      ),
    );
    expect(left.flat()).toEqual(["ours", "undone", "told-again"]);
  });

  test("of webhooks that were given up is deleted, with questions that the classroom did not answer", async () => {
    const { receipts, askedEvents } = world.stores;
    const now = world.clock.now();
    for (const [id, waitsFor] of [
      ["given-up", "event:production:gone"],
      ["broken", null],
    ] as const)
      await receipts.insert(waitingReceipt({}, now, { id, state: "failed", waitsFor }));
    await askedEvents.take("production", "gone", now);
    world.pass(89 * day);
    expect(await clean()).toBe(0);
    world.pass(2 * day);
    expect(await clean()).toBe(2);
    expect(await receipts.countByState()).toMatchObject({ failed: 1 });
  });
});

describe("a job that works off a backlog", () => {
  /** What is left to be done, and when each piece is due. */
  const backlog = (pieces: number[]) => ({
    countDue: (at: number) => Promise.resolve(pieces.filter((dueAt) => dueAt <= at).length),
    countLeft: () => Promise.resolve(pieces.length),
  });
  const ending = new AbortController().signal;
  const passing = { now: () => 1_000, sleep: () => Promise.resolve() };

  test("reports how much was done, and how much is still waiting", async () => {
    const pieces = [1, 2, 3, 5_000];
    const meanwhile = () => {
      // Two are done, one is to be retried later.
      pieces.splice(0, 3, 9_000);
      return Promise.resolve();
    };
    expect(await catchUp({ clock: { ...passing, sleep: meanwhile }, ending }, backlog(pieces))).toEqual({
      done: 2,
      waiting: 2,
    });
  });

  test("does not wait when nothing is due, and never forever", async () => {
    const never = { ...passing, sleep: () => Promise.reject(new Error("it waited")) };
    expect(await catchUp({ clock: never, ending }, backlog([5_000]))).toEqual({ done: 0, waiting: 1 });
    expect(await catchUp({ clock: passing, ending }, backlog([1]))).toEqual({ done: 0, waiting: 1 });
  });
});

describe("a night of rosters", () => {
  let course: RosterCourse;
  beforeEach(async () => {
    course = await openRosterCourse("canvas", database);
    at("00:30");
    for (const courseId of ["crs_1", "crs_2", "crs_3"])
      await course.stores.rosterSyncs.open({ ...course.key, courseId }, course.clock.now());
  });
  afterEach(() => course.close());

  const at = (time: string) => {
    const now = Date.parse(`2026-03-02T${time}:00Z`);
    course.clock.now = () => now;
  };
  /** A process that starts, looks what is due, and ends. */
  const look = async () => {
    const jobs = createTimetable({ ...course.deps, ...course.stores });
    await jobs.start([rosterJob({ ...course.deps, random: () => 0.5 })]);
    await jobs.stop();
    return (await course.stores.jobs.find("read-rosters")) ?? { runs: [], succeededAt: null };
  };
  const readAll = async () => {
    while (await course.next());
  };

  test("counts as failed if every roster fails, even if its run ended hours before", async () => {
    await look();
    at("01:08");
    const begun = await look();
    expect(begun.runs).toMatchObject([{ outcome: "done", done: 0, failed: 0, waiting: 3 }]);
    at("03:00");
    course.lms.list = () => Promise.reject(new NamedError("lms-refused", "The LMS refused."));
    await readAll();
    at("03:01");
    const followed = await look();
    expect(followed.runs).toMatchObject([{ outcome: "failed", done: 0, failed: 3, waiting: 0 }]);
    expect(followed.runs[0]?.endedAt).toBe(begun.runs[0]?.endedAt);
    expect(followed.succeededAt).toBeNull();
  });

  test("counts as partly done if some rosters fail", async () => {
    await look();
    at("01:08");
    await look();
    at("03:00");
    course.lms.list = () => Promise.resolve([listedAs("a")]);
    await readAll();
    const { runs, succeededAt } = await look();
    expect(runs).toMatchObject([{ outcome: "incomplete", done: 1, failed: 2, waiting: 0 }]);
    expect(succeededAt).toBeNull();
  });

  test("is not changed later than six hours after", async () => {
    await look();
    at("01:08");
    await look();
    at("07:30");
    course.lms.list = () => Promise.resolve([listedAs("a")]);
    await readAll();
    expect((await look()).runs).toMatchObject([{ outcome: "done", done: 0, waiting: 3 }]);
  });
});

test("a job says so when some or all of its work fails", async () => {
  const work = { done: 0, failed: 2, waiting: 1 };
  const job: RunnableJob = { name: "sweep", nextAfter: (at) => at + 1, run: () => Promise.resolve(work) };
  await world.stores.jobs.open(job.name, world.clock.now());
  await runJobIfDue(deps(), job);
  expect((await record()).runs[0]).toMatchObject({ outcome: "failed", ...work, problem: null });
  work.done = 1;
  world.pass(minute);
  await runJobIfDue(deps(), job);
  expect((await record()).runs[0]).toMatchObject({ outcome: "incomplete", ...work });
});
