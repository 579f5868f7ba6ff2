import { describe, expect, test } from "vitest";
import { createPermits, type Priority } from "../../../src/classroom/permits.ts";
import { createThrottle, type ThrottleStore } from "../../../src/classroom/throttle.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { withClaim } from "../../../src/kernel/with-claim.ts";
import { fakeClock } from "./fake-clock.ts";
import { memoryThrottleStore } from "./memory-throttle-store.ts";

/** The most calls within any rolling second. */
function mostInOneSecond(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(
    0,
    ...sorted.map((end, index) => sorted.slice(0, index + 1).filter((at) => end - at < 1_000).length),
  );
}

/** Several processes on one store, each with its own clock error. */
function processes(skews: readonly number[], store: ThrottleStore = memoryThrottleStore()) {
  const time = fakeClock();
  const throttles = skews.map((skew) =>
    createThrottle({ store, key: "key", clock: time.clock(skew), ids: randomIds }),
  );
  const calls: { at: number; by: number; priority: Priority }[] = [];
  const ask = async (by: number, priority: Priority, latency = 0, signal?: AbortSignal) => {
    const permit = await throttles[by]?.acquire({ priority, signal });
    await permit?.begin();
    permit?.left();
    calls.push({ at: time.now(), by, priority });
    if (latency > 0) await time.clock().sleep(latency);
    permit?.answered();
  };
  return { time, throttles, calls, ask };
}

test("a caller that is delayed past its moment waits for another one", async () => {
  const time = fakeClock();
  const { now, sleep } = time.clock();
  let heldUpMs = 1_000;
  const clock: Clock = {
    now,
    sleep: async (ms, signal) => {
      await sleep(ms + heldUpMs, signal);
      heldUpMs = 0;
    },
  };
  let permits = 0;
  const givenBack: number[] = [];
  const { acquire } = createPermits({
    clock,
    ledger: { settle: () => undefined, giveBack: (n) => void givenBack.push(n), paused: () => false },
    line: {
      add: ({ admit }) => {
        permits += 1;
        admit({ n: permits, plannedAt: now() + 10 });
      },
      remove: () => false,
    },
    times: { answered: () => 0 },
    slack: 250,
    mayBeLate: () => ({ unanswered: 0 }),
    wake: () => undefined,
  });
  const begun = acquire({ priority: "entry" }).then((permit) => permit.begin());
  await time.advance(2_000);
  await begun;
  expect(givenBack).toEqual([1]);
  expect(permits).toBe(2);
});

describe("the throttle", () => {
  test("lets four calls through and the fifth a good second later", async () => {
    const { time, calls, ask } = processes([0]);
    for (let index = 0; index < 5; index += 1) void ask(0, "entry");
    await time.advance(999);
    expect(calls).toHaveLength(4);
    await time.advance(100);
    expect(calls).toHaveLength(5);
  });

  test("under load makes at least 95 % of four calls a second in one process, and never five within one", async () => {
    const { time, calls, ask } = processes([0]);
    for (let index = 0; index < 500; index += 1) void ask(0, "entry", 1);
    await time.advance(100_000);
    expect(calls.length).toBeGreaterThanOrEqual(380);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBe(4);
  });

  test.each([
    ["clocks that agree", [0, 0, 0]],
    ["clocks that differ by seconds", [0, -3_000, 1_700]],
  ])("shares the whole limit fairly between three processes with %s", async (_title, skews) => {
    const { time, calls, ask } = processes(skews);
    for (let index = 0; index < 300; index += 1) for (const by of [0, 1, 2]) void ask(by, "entry");
    await time.advance(100_000);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBe(4);
    expect(calls.length).toBeGreaterThanOrEqual(380);
    for (const by of [0, 1, 2]) expect(calls.filter((call) => call.by === by).length).toBeGreaterThan(110);
  });

  test("keeps the limit when processes come and go, whatever their clocks say", async () => {
    const { time, calls, ask } = processes([0, 2_500, -2_500]);
    for (let round = 0; round < 60; round += 1) {
      for (let each = 0; each <= round % 5; each += 1) void ask((round + each) % 3, "session", 7 * each);
      await time.advance((round * 137) % 1_100);
    }
    await time.advance(60_000);
    expect(calls).toHaveLength(180);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBeLessThanOrEqual(4);
  });

  test("prefers someone who enters to background work, even of another process", async () => {
    const { time, calls, ask } = processes([0, 0]);
    for (let index = 0; index < 12; index += 1) void ask(0, "background");
    await time.advance(500);
    for (let index = 0; index < 6; index += 1) void ask(1, "entry");
    await time.advance(10_000);
    expect(calls.slice(4, 10).map((call) => call.priority)).toEqual(Array.from({ length: 6 }, () => "entry"));
    expect(calls).toHaveLength(18);
  });

  test("serves the four priorities in order within a process", async () => {
    const { time, calls, ask } = processes([0]);
    for (let index = 0; index < 4; index += 1) void ask(0, "entry");
    await time.advance(10);
    for (const priority of ["background", "session", "instructor", "entry"] as const) void ask(0, priority);
    await time.advance(3_000);
    expect(calls.slice(4).map((call) => call.priority)).toEqual([
      "entry",
      "instructor",
      "session",
      "background",
    ]);
  });

  test.each([
    ["of the same process", 0],
    ["of another process", 1],
  ])(
    "does not let background work %s starve behind an endless queue of people who enter",
    async (_title, by) => {
      const { time, calls, ask } = processes([0, 0]);
      for (let index = 0; index < 400; index += 1) void ask(0, "entry");
      for (let index = 0; index < 2; index += 1) void ask(by, "background");
      await time.advance(9_000);
      expect(calls.every((call) => call.priority === "entry")).toBe(true);
      await time.advance(11_000);
      const served = calls.filter((call) => call.priority === "background").length;
      expect(served).toBe(2);
      expect(calls.length).toBeGreaterThan(70);
    },
  );

  test("loses three seconds to a process that died while waiting and calling, not the service", async () => {
    const store = memoryThrottleStore();
    const time = fakeClock();
    const dying = createThrottle({
      // Its clock never wakes it again.
      clock: { now: time.now, sleep: () => new Promise(() => undefined) },
      store,
      key: "key",
      ids: randomIds,
    });
    for (let index = 0; index < 5; index += 1) dying.acquire({ priority: "entry" }).catch(() => undefined);
    await time.advance(1);
    const living = createThrottle({ clock: time.clock(), store, key: "key", ids: randomIds });
    let calls = 0;
    for (let index = 0; index < 20; index += 1)
      void living.acquire({ priority: "background" }).then(async (permit) => {
        await permit.begin();
        calls += 1;
        permit.answered();
      });
    await time.advance(3_200);
    expect(calls).toBeGreaterThanOrEqual(4);
    await time.advance(4_800);
    expect(calls).toBe(20);
  });

  test("does not send a call that another process has claimed, which costs the others nothing", async () => {
    const { time, throttles, calls, ask } = processes([0]);
    const lost = { until: 0, extend: () => Promise.resolve(false) };
    const call = withClaim({ clock: time.clock() }, lost, async () => {
      const permit = await throttles[0]?.acquire({ priority: "entry" });
      await permit?.begin();
    });
    const refused = expect(call).rejects.toMatchObject({ code: "claim-lost", temporary: true });
    for (let index = 0; index < 4; index += 1) void ask(0, "entry");
    await time.advance(1_500);
    await refused;
    expect(calls.filter(({ at }) => at < 1_001_000 + 400)).toHaveLength(4);
  });

  test("counts calls of a killed process whose bytes had just left, late", async () => {
    const store = memoryThrottleStore();
    const time = fakeClock();
    let alive = true;
    const own = time.clock();
    const clock = {
      now: own.now,
      sleep: async (ms: number, signal?: AbortSignal) => {
        await own.sleep(ms, signal);
        if (!alive) await new Promise(() => undefined);
      },
    };
    const dying = createThrottle({ store, key: "key", clock, ids: randomIds });
    const living = createThrottle({ store, key: "key", clock: time.clock(), ids: randomIds });
    const seen: number[] = [];
    for (let index = 0; index < 4; index += 1)
      void dying.acquire({ priority: "entry" }).then(async (permit) => {
        await time.clock().sleep(240);
        await permit.begin();
        await time.clock().sleep(20); // nobody is left to report it
        seen.push(time.now());
      });
    await time.advance(5);
    alive = false;
    for (let index = 0; index < 12; index += 1)
      void living.acquire({ priority: "entry" }).then(async (permit) => {
        await permit.begin();
        seen.push(time.now());
        permit.answered();
      });
    await time.advance(8_000);
    expect(seen).toHaveLength(16);
    expect(mostInOneSecond(seen)).toBe(4);
  });

  test("loses no time to a slow service while the calling process lives", async () => {
    const { time, calls, ask } = processes([0, 0]);
    for (let index = 0; index < 60; index += 1) void ask(index % 2, "entry", 1_500);
    await time.advance(60_000); // after twenty calls each they know how long one takes
    const warm = calls.length;
    expect(warm).toBe(60);
    for (let index = 0; index < 40; index += 1) void ask(index % 2, "entry", 1_500);
    await time.advance(8_000);
    expect(calls.length - warm).toBeGreaterThanOrEqual(24);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBe(4);
  });

  test.each(["pause", "refused"] as const)(
    "stops all processes after Retry-After in one of them: %s",
    async (how) => {
      const { time, throttles, calls, ask } = processes([0, 800]);
      void ask(1, "entry");
      await time.advance(5);
      throttles[0]?.[how](5_000);
      await time.advance(5);
      void ask(0, "entry");
      void ask(1, "entry");
      await time.advance(4_900);
      expect(calls).toHaveLength(1);
      await time.advance(1_300);
      expect(calls).toHaveLength(3);
    },
  );

  test("uses the longer of two pauses, whichever came first", async () => {
    const { time, throttles, calls, ask } = processes([0, 0]);
    void ask(0, "entry");
    void ask(1, "entry");
    await time.advance(5);
    throttles[0]?.pause(6_000);
    throttles[1]?.pause(1_000);
    await time.advance(5);
    void ask(0, "entry");
    void ask(1, "entry");
    await time.advance(5_900);
    expect(calls).toHaveLength(2);
    await time.advance(1_200);
    expect(calls).toHaveLength(4);
  });

  test("counts calls from the moment their bytes left", async () => {
    const { time, throttles, calls, ask } = processes([0]);
    for (let index = 0; index < 4; index += 1)
      void throttles[0]?.acquire({ priority: "entry" }).then(async (permit) => {
        await permit.begin();
        await time.clock().sleep(200);
        permit.left();
        calls.push({ at: time.now(), by: 0, priority: "entry" });
        permit.answered();
      });
    await time.advance(310);
    void ask(0, "entry");
    await time.advance(885);
    expect(calls).toHaveLength(4);
    await time.advance(100);
    expect(calls).toHaveLength(5);
  });

  test("lets the others move up when a caller gives up", async () => {
    const { time, throttles, calls, ask } = processes([0]);
    for (let index = 0; index < 4; index += 1) void ask(0, "entry");
    await time.advance(1);
    const patience = new AbortController();
    const gaveUp = ask(0, "entry", 0, patience.signal);
    void ask(0, "entry");
    await time.advance(1);
    patience.abort(new Error("the browser went away"));
    await expect(gaveUp).rejects.toThrow("the browser went away");
    expect(throttles[0]?.waiting()).toEqual({ entry: 1, instructor: 0, session: 0, background: 0 });
    await time.advance(1_100);
    expect(calls).toHaveLength(5);
  });

  test("makes no call without the store and says why, and works again afterwards", async () => {
    const working = memoryThrottleStore();
    let broken = true;
    const { time, calls, ask } = processes([0], {
      read: (key) => (broken ? Promise.reject(new Error("disk full")) : working.read(key)),
      replace: working.replace,
    });
    await expect(ask(0, "entry")).rejects.toMatchObject({
      code: "throttle-store-unreachable",
      temporary: true,
    });
    broken = false;
    await ask(0, "entry");
    await time.advance(1);
    expect(calls).toHaveLength(1);
  });

  test("refuses all waiting callers in every process while the database is down, and loses nothing later", async () => {
    const working = memoryThrottleStore();
    let broken = false;
    const orFail = <T>(work: () => Promise<T>) =>
      broken ? Promise.reject(new Error("no database")) : work();
    const { time, calls, ask, throttles } = processes([0, 300], {
      read: (key) => orFail(() => working.read(key)),
      replace: (...args) => orFail(() => working.replace(...args)),
    });
    const outcomes = [0, 1].flatMap((by) =>
      Array.from({ length: 10 }, () =>
        ask(by, "entry").then(
          () => "called",
          () => "refused",
        ),
      ),
    );
    await time.advance(1_500);
    broken = true;
    await time.advance(1_500);
    const refused = (await Promise.all(outcomes)).filter((outcome) => outcome === "refused").length;
    expect(refused).toBe(20 - calls.length);
    expect(refused).toBeGreaterThan(8);
    for (const throttle of throttles)
      expect(throttle.waiting()).toEqual({ entry: 0, instructor: 0, session: 0, background: 0 });

    broken = false;
    const before = calls.length;
    for (let index = 0; index < 20; index += 1) void ask(index % 2, "entry");
    await time.advance(6_000);
    expect(calls.length - before).toBe(20);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBe(4);
  });

  test("gives a planned call to the first in the queue when its moment comes", async () => {
    const store = memoryThrottleStore();
    const { time, calls, ask } = processes([0], store);
    for (let index = 0; index < 8; index += 1) void ask(0, "background");
    await time.advance(990);
    // The four places of the next second are stored by now.
    expect(store.writes()).toBe(8);
    void ask(0, "entry");
    await time.advance(100);
    expect(calls.slice(4).map((call) => call.priority)).toEqual([
      "entry",
      "background",
      "background",
      "background",
    ]);
  });

  test("gives a planned call to the next caller, even of another process, if its caller leaves", async () => {
    const { time, calls, ask } = processes([0, 0]);
    const patience = new AbortController();
    for (let index = 0; index < 4; index += 1) void ask(0, "entry");
    await time.advance(1);
    const leaving = Array.from({ length: 4 }, () => ask(0, "entry", 0, patience.signal).catch(() => "left"));
    void ask(1, "background");
    await time.advance(970);
    patience.abort(new Error("gone"));
    expect(await Promise.all(leaving)).toEqual(["left", "left", "left", "left"]);
    await time.advance(150);
    expect(calls.slice(4)).toMatchObject([{ by: 1, priority: "background" }]);
  });

  test("lets nobody call during a pause, not even with a call planned before", async () => {
    const { time, throttles, calls, ask } = processes([0, 0]);
    for (let index = 0; index < 12; index += 1) void ask(index % 2, "entry");
    await time.advance(950);
    expect(calls).toHaveLength(4);
    throttles[1]?.pause(3_000);
    await time.advance(2_900);
    expect(calls).toHaveLength(4);
    await time.advance(1_500);
    expect(calls).toHaveLength(12);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBe(4);
  });

  test("gives background work one turn in twenty beside endless queues in two other processes", async () => {
    const { time, calls, ask } = processes([0, 400, -700]);
    for (let index = 0; index < 400; index += 1) for (const by of [0, 1]) void ask(by, "entry");
    for (let index = 0; index < 30; index += 1) void ask(2, "background");
    await time.advance(70_000);
    const after = calls.filter((call) => call.at >= 1_000_000 + 10_000);
    const share = after.filter((call) => call.priority === "background").length / after.length;
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.06);
    expect(mostInOneSecond(calls.map((call) => call.at))).toBe(4);
  });

  test.each([900, 30_000])(
    "drops calls planned by a process that stood still for %i ms, which then waits for its turn",
    async (stoodMs) => {
      const store = memoryThrottleStore();
      const time = fakeClock();
      let stopsFor = 0;
      const own = time.clock();
      const clock = {
        now: own.now,
        sleep: (ms: number, signal?: AbortSignal) => own.sleep(ms + stopsFor, signal),
      };
      const stopping = createThrottle({ store, key: "key", clock, ids: randomIds });
      const other = createThrottle({ store, key: "key", clock: time.clock(), ids: randomIds });
      const calls: number[] = [];
      const call = async (throttle: typeof other) => {
        const permit = await throttle.acquire({ priority: "entry" });
        await permit.begin();
        calls.push(time.now());
        permit.answered();
      };
      for (let index = 0; index < 6; index += 1) void call(stopping);
      await time.advance(500);
      stopsFor = stoodMs;
      await time.advance(450);
      for (let index = 0; index < 12; index += 1) void call(other);
      await time.advance(2_500);
      stopsFor = 0;
      await time.advance(stoodMs + 10_000);
      expect(calls).toHaveLength(18);
      expect(mostInOneSecond(calls)).toBe(4);
    },
  );

  test("makes one write per call in a quiet process", async () => {
    const store = memoryThrottleStore();
    const { time, ask } = processes([0], store);
    for (let index = 0; index < 10; index += 1) {
      await ask(0, "entry");
      await time.advance(2_000);
    }
    expect(store.writes()).toBe(10);
  });
});

describe("the throttle on a slow database", () => {
  test("keeps the limit for three processes, and still uses most of it", async () => {
    const time = fakeClock();
    const quick = memoryThrottleStore();
    const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
      await time.clock().sleep(20);
      const done = await work();
      await time.clock().sleep(20);
      return done;
    };
    const store: ThrottleStore = {
      read: (key) => slowly(() => quick.read(key)),
      replace: (key, revision, record) => slowly(() => quick.replace(key, revision, record)),
    };
    const calls: number[] = [];
    for (const skew of [0, 2_000, -2_000]) {
      const throttle = createThrottle({ store, key: "key", clock: time.clock(skew), ids: randomIds });
      for (let index = 0; index < 100; index += 1)
        void throttle.acquire({ priority: "session" }).then(async (permit) => {
          await permit.begin();
          calls.push(time.now());
          permit.answered();
        });
    }
    await time.advance(50_000);
    expect(mostInOneSecond(calls)).toBe(4);
    expect(calls.length).toBeGreaterThanOrEqual(150);
    expect(quick.writes()).toBeLessThan(4 * calls.length);
  });

  test.each([
    ["takes about half a second", [700, 300, 650, 350]],
    ["takes about two seconds", [3_000, 1_000, 2_500, 1_500]],
  ])("keeps the limit if a write %s, even if others read it immediately", async (_what, answeredAfter) => {
    const time = fakeClock();
    const quick = memoryThrottleStore();
    let writes = 0;
    const late: ThrottleStore = {
      read: quick.read,
      replace: async (...args) => {
        const done = await quick.replace(...args);
        await time.clock().sleep(answeredAfter[writes++ % answeredAfter.length] ?? 0);
        return done;
      },
    };
    const calls: number[] = [];
    for (const store of [late, quick]) {
      const throttle = createThrottle({ store, key: "key", clock: time.clock(), ids: randomIds });
      const callAgain = async (): Promise<void> => {
        const permit = await throttle.acquire({ priority: "entry" });
        await permit.begin();
        calls.push(time.now());
        permit.left();
        await time.clock().sleep(50);
        permit.answered();
        return callAgain();
      };
      for (let caller = 0; caller < 4; caller += 1) void callAgain();
    }
    await time.advance(120_000);
    expect(mostInOneSecond(calls)).toBe(4);
    expect(calls.length).toBeGreaterThan(200);
  });
});
