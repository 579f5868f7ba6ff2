import { describe, expect, test, vi } from "vitest";
import { createWorker, type Worker, type WorkerOptions } from "../../src/tasks/create-worker.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { OnDue } from "../../src/storage/due-heads.ts";
import { createWorkTable } from "../../src/tasks/work.ts";
import { passingClock } from "../support/passing-clock.ts";

/** A clock whose sleepers wake only when the test says so; it remembers how long each wanted to sleep. */
function heldClock() {
  const sleepers = new Set<{ ms: number; resolve: () => void }>();
  let time = 0;
  const clock: Clock = {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { ms, resolve };
        const abort = () => {
          sleepers.delete(sleeper);
          reject(new Error("aborted"));
        };
        if (signal?.aborted === true) {
          reject(new Error("aborted"));
          return;
        }
        sleepers.add(sleeper);
        signal?.addEventListener("abort", abort, { once: true });
      }),
  };
  return {
    clock,
    sleeping: () => [...sleepers].map((one) => one.ms),
    /** Lets this much time pass (ms) and wakes all sleepers. */
    pass: (ms = 0) => {
      time += ms;
      for (const sleeper of sleepers) {
        sleepers.delete(sleeper);
        sleeper.resolve();
      }
    },
  };
}

/** Steps that find nothing look again after two seconds. */
function setUp(step: () => Promise<boolean>, lanes = 1, gather?: WorkerOptions["gather"]) {
  const held = heldClock();
  const lines: string[] = [];
  const logger = createLogger("trace", { write: (line) => lines.push(line) });
  const worker: Worker = createWorker(
    { clock: held.clock, logger },
    {
      name: "letters",
      lanes,
      step: async () => (await step()) || 2000,
      ...(gather === undefined ? {} : { gather }),
    },
  );
  return { ...held, worker, lines };
}

/** A promise that the test settles. */
function gate() {
  return Promise.withResolvers<undefined>();
}

describe("a worker", () => {
  test("does nothing before it is started", async () => {
    const step = vi.fn(() => Promise.resolve(false));
    const { worker } = setUp(step);
    worker.wake();
    await worker.stop();
    expect(step).not.toHaveBeenCalled();
  });

  test("does everything that is due without a pause, then sleeps", async () => {
    let due = 5;
    const { worker, sleeping } = setUp(() => Promise.resolve(due-- > 0));
    worker.start();
    await vi.waitFor(() => expect(sleeping()).toEqual([2000]), 30_000);
    expect(due).toBe(-1);
    await worker.stop();
  });

  test("looks again after sleeping for what other processes left", async () => {
    const step = vi.fn(() => Promise.resolve(false));
    const { worker, sleeping, pass } = setUp(step);
    worker.start();
    await vi.waitFor(() => expect(sleeping()).toEqual([2000]), 30_000);
    pass();
    await vi.waitFor(() => {
      expect(step).toHaveBeenCalledTimes(2);
      expect(sleeping()).toEqual([2000]);
    }, 30_000);
    await worker.stop();
  });

  test("that gathers waits until the wakes end, but not forever", async () => {
    const step = vi.fn(() => Promise.resolve(false));
    const { worker, sleeping, pass } = setUp(step, 1, { quietMs: 40, maxWaitMs: 100 });
    const sleeps = (ms: number) => vi.waitFor(() => expect(sleeping()).toEqual([ms]), 30_000);
    worker.start();
    await sleeps(2000);
    expect(step).toHaveBeenCalledTimes(1);
    worker.wake();
    await sleeps(40);
    pass(30);
    await sleeps(10);
    worker.wake();
    pass(10);
    await sleeps(30);
    pass(20);
    await sleeps(10);
    worker.wake();
    pass(10);
    await sleeps(30);
    expect(step).toHaveBeenCalledTimes(1);
    pass(30);
    await sleeps(2000);
    expect(step).toHaveBeenCalledTimes(2);
    await worker.stop();
  });

  test("wakes up immediately when asked, in every lane", async () => {
    const step = vi.fn(() => Promise.resolve(false));
    const { worker, sleeping } = setUp(step, 3);
    worker.start();
    await vi.waitFor(() => expect(sleeping()).toHaveLength(3), 30_000);
    worker.wake();
    await vi.waitFor(() => {
      expect(step).toHaveBeenCalledTimes(6);
      expect(sleeping()).toHaveLength(3);
    }, 30_000);
    await worker.stop();
  });

  test("does not miss a wake that came while it was looking", async () => {
    const looking = gate();
    const found: string[] = [];
    const { worker, sleeping } = setUp(async () => {
      found.push("look");
      if (found.length === 1) await looking.promise;
      return false;
    });
    worker.start();
    worker.wake();
    looking.resolve(undefined);
    await vi.waitFor(() => expect(sleeping()).toEqual([2000]), 30_000);
    expect(found).toEqual(["look", "look"]);
    await worker.stop();
  });

  test("runs as many steps at a time as it has lanes, and no more, however often it is started", async () => {
    const holding = gate();
    let running = 0;
    let most = 0;
    const { worker } = setUp(async () => {
      running += 1;
      most = Math.max(most, running);
      await holding.promise;
      running -= 1;
      return false;
    }, 4);
    worker.start();
    worker.start();
    worker.wake();
    await vi.waitFor(() => expect(running).toBe(4), 30_000);
    holding.resolve(undefined);
    await worker.stop();
    expect(most).toBe(4);
    expect(running).toBe(0);
  });
});

describe("a step that fails", () => {
  test.each([
    ["later", () => Promise.reject(new Error("the database is away"))],
    [
      "immediately",
      () => {
        throw new Error("the database is away");
      },
    ],
  ])("%s is logged, and the worker continues after a pause", async (_when, fail: () => Promise<boolean>) => {
    let looks = 0;
    const { worker, sleeping, pass, lines } = setUp(() => {
      looks += 1;
      return looks === 1 ? fail() : Promise.resolve(false);
    });
    worker.start();
    await vi.waitFor(() => expect(sleeping()).toEqual([2000]), 30_000);
    expect(looks).toBe(1);
    expect(lines.join("")).toMatch(/"level":"error".*"worker":"letters".*the database is away/);
    pass();
    await vi.waitFor(() => expect(looks).toBe(2), 30_000);
    await worker.stop();
  });
});

test("a step that keeps failing pauses, however often its worker is woken", async () => {
  const step = vi.fn(() => Promise.reject(new Error("the database is away")));
  const { worker, sleeping } = setUp(step);
  worker.start();
  for (let wakes = 0; wakes < 5; wakes += 1) {
    await vi.waitFor(() => expect(sleeping()).toEqual([2000]), 30_000);
    worker.wake();
  }
  expect(step).toHaveBeenCalledTimes(1);
  await worker.stop();
});

describe("stopping a worker", () => {
  test("finishes the current steps and begins no new ones", async () => {
    const holding = gate();
    let begun = 0;
    let finished = 0;
    const { worker } = setUp(async () => {
      begun += 1;
      await holding.promise;
      finished += 1;
      return true;
    }, 2);
    worker.start();
    await vi.waitFor(() => expect(begun).toBe(2), 30_000);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    worker.wake();
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    holding.resolve(undefined);
    await stopping;
    expect([begun, finished]).toEqual([2, 2]);
  });

  test("does not wait for the end of its sleep", async () => {
    const { worker, sleeping } = setUp(() => Promise.resolve(false), 2);
    worker.start();
    await vi.waitFor(() => expect(sleeping()).toHaveLength(2), 30_000);
    await worker.stop();
    expect(sleeping()).toEqual([]);
  });

  test("can be called twice, and a stopped worker stays stopped", async () => {
    const step = vi.fn(() => Promise.resolve(false));
    const { worker } = setUp(step);
    worker.start();
    await Promise.all([worker.stop(), worker.stop()]);
    const looks = step.mock.calls.length;
    worker.wake();
    worker.start();
    await worker.stop();
    expect(step).toHaveBeenCalledTimes(looks);
  });
});

describe("background work sleeps", () => {
  /** The heads that a look finds, by kind; no worker changes them. */
  async function table(heads: Map<string, number>) {
    const passing = passingClock(0);
    let setTo = 0;
    const clock = {
      now: () => passing.clock.now() + setTo,
      elapsed: passing.clock.now,
      sleep: passing.clock.sleep,
    };
    const looks: number[] = [];
    const woken: string[] = [];
    let poke: OnDue = () => undefined;
    const work = createWorkTable({
      dueHeads: {
        listen: (onDue) => (poke = onDue),
        kindsDue: (by) => {
          looks.push(clock.elapsed());
          return Promise.resolve(new Map([...heads].filter(([, at]) => at <= by)));
        },
      },
      clock,
      logger: createLogger("silent"),
      random: () => 0.5,
    });
    const worker = { start: () => undefined, stop: () => Promise.resolve() };
    const note = (kind: string) => () => void woken.push(`${kind} ${clock.elapsed()}`);
    work.add([{ worker, wakes: [["deliveries", note("deliveries")]] }]);
    work.add([{ worker, wakes: [["receipts", note("receipts")]] }]);
    const settled = async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    };
    work.start(["deliveries", "receipts"]);
    await settled();
    return {
      heads,
      looks,
      woken,
      work,
      poke: async (kind: string, at: number) => {
        poke(kind, at);
        await settled();
      },
      pass: (ms: number) => passing.pass(ms, settled),
      setClock: (ms: number) => (setTo = ms),
    };
  }

  test("while nothing is due, looking every ten seconds without waking anybody", async () => {
    const { looks, woken, pass, work } = await table(new Map([["deliveries", 3_600_000]]));
    await pass(60_000);
    expect(looks).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
    expect(woken).toEqual([]);
    await work.stop();
  });

  test("until the due time that the check before found, plus a random second", async () => {
    const { looks, heads, woken, pass, work } = await table(new Map([["deliveries", 14_000]]));
    await pass(14_599);
    expect(woken).toEqual([]);
    await pass(1);
    expect(woken).toEqual(["deliveries 14600"]);
    heads.clear();
    await pass(20_000);
    expect(looks).toEqual([0, 10_000, 15_800, 25_800]);
    await work.stop();
  });

  test("not when this process enqueues something: it starts now, or when that is due", async () => {
    const { heads, looks, woken, poke, pass, work } = await table(new Map());
    await pass(5_000);
    await poke("receipts", 1_000);
    await poke("deliveries", 5_300);
    await poke("deliveries", 9_000);
    await poke("deliveries", 6_000_000);
    expect(woken).toEqual(["receipts 5000"]);
    heads.set("deliveries", 5_300);
    await pass(900);
    expect(woken).toEqual(["receipts 5000", "deliveries 5900"]);
    // A skipped task is looked for until it is done.
    await pass(2_000);
    expect(woken.slice(2)).toEqual(["deliveries 6200", "deliveries 7400"]);
    heads.clear();
    await pass(12_000);
    expect(looks).toEqual([0, 6_200, 7_400, 8_600, 18_600]);
    await work.stop();
  });

  test("for ten seconds at most when a dead process's work is due or the clock was set back", async () => {
    const { heads, looks, woken, pass, setClock, work } = await table(new Map([["receipts", 8_000]]));
    setClock(-3_600_000);
    await pass(1_000);
    heads.set("deliveries", -3_600_000);
    heads.set("receipts", 3_600_000);
    await pass(9_000);
    expect(woken).toEqual(["deliveries 10000"]);
    expect(looks).toEqual([0, 10_000]);
    await work.stop();
  });

  test("even if a task of an unknown kind is due", async () => {
    const { looks, woken, pass, work } = await table(new Map([["a kind of an earlier release", 0]]));
    await pass(20_000);
    expect(looks).toEqual([0, 10_000, 20_000]);
    expect(woken).toEqual([]);
    await work.stop();
  });
});
