import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createLogger } from "../../../src/kernel/logger.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { requireClaims } from "../../../src/kernel/with-claim.ts";
import { type Database, ensureIndexes } from "../../../src/storage/open-database.ts";
import { createTaskStore } from "../../../src/storage/task-store.ts";
import { retryPolicies, defineTask, type TaskHandler } from "../../../src/tasks/task-kind.ts";
import { runNextTask, type RunTaskDeps } from "../../../src/tasks/run-task.ts";
import { createTaskQueue, type TaskQueue } from "../../../src/tasks/task-queue.ts";
import { eachEngine } from "./open-engine.ts";
import { collectionsByModel, kindsOn } from "../../../src/storage/records.ts";

const payload = z.object({ lms: z.string(), name: z.string() });
const facts = z.object({ seen: z.array(z.string()).default([]), far: z.number().default(0) });
type Letter = z.infer<typeof payload>;
type Facts = z.infer<typeof facts>;

const kindOf = (whileRunning: "again" | "serves") =>
  defineTask({
    name: `letters-${whileRunning}`,
    payload,
    facts,
    whileRunning,
    retry: retryPolicies.rosters,
    perScope: 2,
    order: "person-first",
    identityOf: ({ lms, name }) => ({ key: name, scope: lms, registrationId: lms, courseId: null }),
  });
const letters = kindOf("again");
const others = kindOf("serves");

describe.each(await eachEngine())("Tasks", (engine) => {
  let databases: Database[];
  /** Two processes. */
  let left: TaskQueue;
  let right: TaskQueue;
  let now: number;
  const done: string[] = [];
  const ending = new AbortController();

  beforeAll(async () => {
    databases = [await engine.open(), await engine.open()];
    const [one, two] = databases.map(({ connection }) => createTaskQueue(createTaskStore(connection)));
    if (one === undefined || two === undefined) throw new Error("two processes");
    left = one;
    right = two;
    for (const { connection } of databases) await ensureIndexes(connection);
  });
  beforeEach(async () => {
    for (const { connection } of databases) {
      for (const kind of kindsOn(connection).keys())
        await collectionsByModel(connection)(kind).deleteMany({});
    }
    now = 1_000_000;
    done.length = 0;
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await engine.discard();
  });

  const deps = (tasks: TaskQueue, signal = ending.signal): RunTaskDeps => ({
    tasks,
    ids: randomIds,
    logger: createLogger("silent"),
    ending: signal,
    clock: {
      now: () => now,
      sleep: (_ms, stop) => new Promise((_, end) => stop?.addEventListener("abort", end)),
    },
  });
  const noting: TaskHandler<Letter, Facts> = {
    run: (task) => {
      done.push(task.payload.name);
      return Promise.resolve({ nextAt: null });
    },
  };
  const runAll = async (tasks = left, handler = noting) => {
    while (await runNextTask(deps(tasks), letters, handler));
    return done.splice(0);
  };
  const put = (name: string, more: { lms?: string; dueAt?: number; priority?: "person" } = {}) => {
    const { lms = "lms", ...options } = more;
    return left.enqueue(letters, { lms, name }, { now, ...options });
  };
  const find = (name: string) => right.find(letters, { lms: "lms", name });

  test("are run once, those that somebody waits for first, then the one due longest", async () => {
    await put("late", { dueAt: now - 1 });
    await put("early", { dueAt: now - 2 });
    await put("person", { priority: "person" });
    await put("later", { dueAt: now + 1 });
    expect(await runAll(right)).toEqual(["person", "early", "late"]);
    now += 1;
    expect(await runAll()).toEqual(["later"]);
    expect(await runAll(right)).toEqual([]);
  });

  test("of many LMSs take turns, however many one LMS has", async () => {
    for (let n = 0; n < 5; n += 1) await put(`big ${n}`, { lms: "big", dueAt: now - 10_000 + n });
    await put("small", { lms: "small", dueAt: now - 5_000 });
    const [first, second] = await runAll();
    expect([first, second]).toEqual(["big 0", "small"]);
  });

  test("of one LMS leave lanes for others, however many one LMS has", async () => {
    for (let n = 0; n < 3; n += 1) await put(`big ${n}`, { lms: "big", dueAt: now - 10_000 + n });
    await put("small", { lms: "small" });
    const startsNext: typeof noting.run = async (...task) => {
      await runNextTask(deps(right), letters, { run: startsNext });
      return noting.run(...task);
    };
    expect(await runAll(left, { run: startsNext })).toEqual(["small", "big 1", "big 0", "big 2"]);
  });

  test("that are enqueued many times wait once, for the earliest time", async () => {
    await Promise.all([5, 3, 9].map((ms) => put("a", { dueAt: now + ms })));
    expect(await find("a")).toMatchObject({ dueAt: now + 3, wishes: 3 });
  });

  test("of two processes are each run by one", async () => {
    for (let n = 0; n < 20; n += 1) await put(`${n}`);
    await Promise.all([runNextTask(deps(left), letters, noting), runNextTask(deps(right), letters, noting)]);
    const rest = [...done.splice(0), ...(await runAll()), ...(await runAll(right))];
    expect(rest.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`).toSorted());
  });

  test("enqueued while running are run again, at the time that was asked for", async () => {
    await put("a");
    await runNextTask(deps(left), letters, {
      run: async () => {
        await put("a", { dueAt: now + 7 });
        return { nextAt: now + 50, facts: { far: 1 }, factsUnlessEnqueued: { seen: ["nothing new"] } };
      },
    });
    expect(await find("a")).toMatchObject({ dueAt: now + 7, running: false, facts: { far: 1, seen: [] } });
  });

  test("of a kind whose run covers later requests are not run again", async () => {
    const letter = { lms: "lms", name: "a" };
    await left.enqueue(others, letter, { now });
    await runNextTask(deps(left), others, {
      run: async () => {
        await right.enqueue(others, letter, { now, priority: "person" });
        return { nextAt: null };
      },
    });
    expect(await right.find(others, letter)).toMatchObject({ dueAt: null, wishes: 1, problem: null });
  });

  test("that fail are retried by the policy, shown with a code, and given up", async () => {
    await put("a");
    const failing: TaskHandler<Letter, Facts> = {
      run: () => Promise.reject(new NamedError("lms-failed", "It failed.", { temporary: true })),
    };
    await runNextTask(deps(left), letters, failing);
    expect(await find("a")).toMatchObject({
      attempts: 1,
      dueAt: now + 5_000,
      endedAt: now,
      doneAt: null,
      problem: { code: "lms-failed", text: "It failed." },
    });
    expect(await left.store.counts(letters.name, now)).toMatchObject({
      waiting: 0,
      running: 0,
      failing: 1,
      nextTry: { at: now + 5_000, problem: { code: "lms-failed" } },
    });
    for (let n = 0; n < 10; n += 1) {
      now += 600_000;
      await runNextTask(deps(left), letters, failing);
    }
    expect(await find("a")).toMatchObject({ attempts: 11, dueAt: null });
    await put("a");
    expect(await find("a"), "a wish for what was given up begins anew").toMatchObject({ attempts: 0 });
    await runNextTask(deps(left), letters, {
      run: () => Promise.reject(new NamedError("lms-not-allowed", "No.")),
    });
    expect((await find("a"))?.dueAt, "what is not temporary is not tried again").toBeNull();
    expect(await left.store.retryFailed(letters.name, now)).toBe(1);
    expect(await runAll(right)).toEqual(["a"]);
    expect(await find("a")).toMatchObject({ problem: null, attempts: 0, doneAt: now });
  });

  test("that fail go behind all others the next time, unless their kind lets them stay first", async () => {
    const fails = (staysFirst: boolean): TaskHandler<Letter, Facts> => ({
      run: () => Promise.reject(new NamedError("lms-failed", "It failed.", { temporary: true })),
      failed: () => ({ staysFirst }),
    });
    for (const name of ["behind", "first"]) {
      await put(name, { priority: "person" });
      await runNextTask(deps(left), letters, fails(name === "first"));
    }
    await put("older", { dueAt: now - 1 });
    now += 5_000;
    expect(await runAll(right)).toEqual(["first", "older", "behind"]);
  });

  test("that wait for an LMS run when it is back, and waiting is not a failed attempt", async () => {
    await put("a");
    await runNextTask(deps(left), letters, {
      run: () => Promise.reject(new NamedError("lms-closed", "Closed.")),
      failed: () => ({ waitsUntil: now + 60_000 }),
    });
    expect(await find("a")).toMatchObject({ attempts: 0, dueAt: now + 60_000 });
    const back = { registrationId: "lms", codes: ["lms-closed"] };
    expect(await right.store.retryFailed(letters.name, now, { ...back, registrationId: "other" })).toBe(0);
    expect(await right.store.retryFailed(letters.name, now, back)).toBe(1);
    expect(await runAll()).toEqual(["a"]);
  });

  test("that are returned by a process that ends are due again, and the attempt is not counted", async () => {
    await put("a", { priority: "person" });
    const stopping = new AbortController();
    await runNextTask(deps(left, stopping.signal), letters, {
      run: async (_task, { progress }) => {
        stopping.abort();
        await progress({ far: 9 });
        return { nextAt: null };
      },
    });
    expect(await find("a")).toMatchObject({
      attempts: 0,
      begun: 1,
      running: false,
      dueAt: now,
      priority: "person",
      problem: null,
      facts: { far: 0 },
    });
    expect(await runAll(right)).toEqual(["a"]);
  });

  test("of a killed process are claimed by another when its claim has expired, and its later writes are lost", async () => {
    await put("a");
    const held = await left.claim(letters, "killed", now, now + 10_000);
    expect(await runAll(right)).toEqual([]);
    now += 10_000;
    await runNextTask(deps(right), letters, {
      run: async (task) => {
        expect(task.begun, "an earlier run did not come to its end").toBe(2);
        expect(await left.store.progress(task.id, "killed", { far: 5 })).toBeNull();
        expect(await left.store.extend(task.id, "killed", now + 20_000)).toBe(false);
        if (held !== null) await left.store.settle(held, "killed", { how: "done", dueAt: now + 99, at: now });
        return { nextAt: null };
      },
    });
    expect(await find("a")).toMatchObject({ dueAt: null, facts: { far: 0 }, begun: 0 });
  });

  test("of a process that wakes after half a minute belong to another: it makes no call and stores nothing", async () => {
    await put("a");
    const [reached, woken] = [Promise.withResolvers(), Promise.withResolvers()];
    const calls: string[] = [];
    const working = (name: string, before: () => Promise<unknown>): TaskHandler<Letter, Facts> => ({
      run: async () => {
        await before();
        await requireClaims();
        calls.push(name);
        return { nextAt: null, facts: { seen: [name] } };
      },
    });
    const sleeping = working("stopped", () => {
      reached.resolve(null);
      return woken.promise;
    });
    const stopped = runNextTask(deps(left), letters, sleeping);
    await reached.promise;
    now += 30_000;
    const awake = working("other", () => Promise.resolve());
    await runNextTask(deps(right), letters, awake);
    const after = await find("a");
    expect(after).toMatchObject({ dueAt: null, facts: { seen: ["other"] }, begun: 0, problem: null });
    woken.resolve(null);
    await stopped;
    expect(calls).toEqual(["other"]);
    expect(await find("a"), "also that it failed is not said").toEqual(after);
  });

  test("that this release cannot read are shown as failed and left alone, while the others are run", async () => {
    await put("odd", { dueAt: now - 1 });
    await put("good");
    const rows = databases[0]?.connection.collection("tasks");
    await rows?.updateOne({ key: "odd" }, { $set: { payload: { lms: "lms", name: 7 } } });
    expect(await runAll()).toEqual(["good"]);
    const { waiting, failing, nextTry } = await left.store.counts(letters.name, now);
    expect({ waiting, failing, at: nextTry?.at }).toEqual({ waiting: 0, failing: 1, at: null });
    expect(nextTry?.problem.code).toBe("task-unreadable");
    expect(nextTry?.problem.text, "the field, and not what is in it").toContain("(name)");
    await rows?.updateOne({ key: "odd" }, { $set: { payload: { lms: "lms", name: "odd" } } });
    expect(await right.retryFailed(letters, now)).toBe(1);
    expect(await runAll(right)).toEqual(["odd"]);
  });

  test("planned in bulk leave waiting ones alone", async () => {
    for (const name of ["idle", "waits"]) await left.open(letters, { lms: "lms", name }, now);
    await put("waits", { dueAt: now + 1 });
    const plans = ["idle", "waits"].map((name) => ({ payload: { lms: "lms", name }, dueAt: now + 100 }));
    await right.planIdle(letters, plans);
    expect([(await find("idle"))?.dueAt, (await find("waits"))?.dueAt]).toEqual([now + 100, now + 1]);
    now += 100;
    expect((await runAll()).toSorted()).toEqual(["idle", "waits"]);
  });

  test("moved to another LMS are found there", async () => {
    await put("a", { dueAt: now + 50 });
    const task = await find("a");
    if (task === null) throw new Error("there is one");
    expect(await left.replan(letters, task, { lms: "other", name: "a" }, now + 20)).toBe(true);
    expect(await left.replan(letters, task, { lms: "lms", name: "a" }), "changed meanwhile").toBe(false);
    now += 20;
    expect(await runAll(right)).toEqual(["a"]);
  });
});
