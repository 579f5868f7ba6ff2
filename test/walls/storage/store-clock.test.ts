import { describe, expect, test } from "vitest";
import type { Clock } from "../../../src/kernel/clock.ts";
import {
  askFolder,
  askServer,
  moveTowards,
  type StoreClock,
  storeClock,
} from "../../../src/storage/store-clock.ts";
import { memoryThrottleStore } from "../classroom/memory-throttle-store.ts";

const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 28, 12);

/** Time that really passes, and machines whose clocks are wrong; `uptime` is how long a machine has run. */
function world() {
  let passed = 0;
  const machine = (skew: number, uptime = 5_000) => {
    const set = { by: skew };
    const clock: Clock = {
      now: () => noon + passed + set.by,
      elapsed: () => uptime + passed,
      sleep: () => Promise.resolve(),
    };
    return { clock, set };
  };
  const pass = (ms: number) => {
    passed += ms;
  };
  return { machine, pass, real: () => noon + passed };
}

/** The greatest difference between two of them (ms). */
const spreadOf = (clocks: readonly { now: () => number }[]) => {
  const times = clocks.map(({ now }) => now());
  return Math.max(...times) - Math.min(...times);
};

describe("machines on one MongoDB server", () => {
  /** Answers after `there` and `back` ms. */
  const serverOf = (time: ReturnType<typeof world>, wrong = { by: 0 }) => ({
    wrong,
    ask: async () => {
      time.pass(2);
      const answer = time.real() + wrong.by;
      time.pass(3);
      return Promise.resolve(answer);
    },
  });

  test("agree about the time, however wrong their own clocks are", async () => {
    const time = world();
    const server = serverOf(time);
    const skews = [-30_000, -15_000, 0, 15_000, 30_000];
    const machines = skews.map((skew, index) => time.machine(skew, 1_000 * 77 ** index));
    const clocks: StoreClock[] = [];
    for (const { clock } of machines) clocks.push(await storeClock(askServer(server.ask, clock), clock));
    expect(spreadOf(clocks)).toBeLessThan(10);
    expect(Math.abs((clocks[0]?.now() ?? 0) - time.real())).toBeLessThan(10);
    for (const [index, { lead }] of clocks.entries())
      expect(Math.abs(lead().ms - (skews[index] ?? 0))).toBeLessThan(10);
    // One of them is set back in between.
    for (const { set } of machines.slice(0, 1)) set.by -= hour;
    expect(spreadOf(clocks)).toBeLessThan(10);
    expect(clocks[0]?.lead().ms).toBeLessThan(-hour);
  });

  test("report doubt while the server's clock differs, and follow it after three minutes", async () => {
    const time = world();
    const server = serverOf(time);
    const { clock } = time.machine(0);
    const store = await storeClock(askServer(server.ask, clock), clock);
    server.wrong.by = -hour;
    for (let look = 0; look < 35; look += 1) {
      await store.refresh();
      expect(Math.abs(store.now() - time.real())).toBeLessThan(1_000);
      expect(store.lead().doubtMs).toBeGreaterThan(hour - 1_000);
      time.pass(5_000);
    }
    time.pass(10_000);
    await store.refresh();
    expect(Math.abs(store.now() - time.real() + hour)).toBeLessThan(1_000);
    expect(store.lead().doubtMs).toBeLessThan(10);
  });

  test("report doubt when answers take long", async () => {
    const time = world();
    const { clock } = time.machine(0);
    const slow = async () => {
      time.pass(4_000);
      const answer = time.real();
      time.pass(4_000);
      return Promise.resolve(answer);
    };
    expect((await storeClock(askServer(slow, clock), clock)).lead().doubtMs).toBe(4_000);
  });
});

describe("processes on one folder", () => {
  const openAll = async (
    time: ReturnType<typeof world>,
    skews: readonly number[],
    records = memoryThrottleStore(),
  ) => {
    const machines = skews.map((skew) => time.machine(skew));
    const clocks: StoreClock[] = [];
    for (const { clock } of machines) clocks.push(await storeClock(askFolder(records, clock), clock));
    const look = async () => {
      for (const one of clocks) await one.refresh();
    };
    return { clocks, look, set: machines.map((one) => one.set) };
  };

  test("agree about the time, even with different machine times", async () => {
    const time = world();
    const { clocks, look } = await openAll(time, [0, -30_000, -15_000, 15_000, 30_000]);
    for (let minute = 0; minute < 10; minute += 1) {
      expect(spreadOf(clocks)).toBe(0);
      expect(Math.abs((clocks[0]?.now() ?? 0) - time.real())).toBeLessThan(10);
      time.pass(60_000);
      await look();
    }
    expect(clocks.map(({ lead }) => lead().ms)).toEqual([0, -30_000, -15_000, 15_000, 30_000]);
  });

  test.each([-hour, hour, -15_000])(
    "do not follow a clock that is set by %s ms for three minutes, and then all at the same moment",
    async (step) => {
      const time = world();
      const { clocks, look, set } = await openAll(time, [0, 0, 0]);
      for (const one of set) one.by = step;
      let followedAfter = 0;
      for (let second = 1; second <= 600; second += 1) {
        time.pass(1_000);
        // One after another, each every five seconds.
        await clocks[second % 5]?.refresh();
        expect(spreadOf(clocks), `after ${second} s`).toBeLessThanOrEqual(2_000);
        const off = Math.abs((clocks[0]?.now() ?? 0) - time.real());
        if (second <= 120) expect(off).toBe(0);
        if (off > 0 && followedAfter === 0) followedAfter = second;
      }
      await look();
      expect(followedAfter).toBeGreaterThan(150);
      expect(Math.abs((clocks[0]?.now() ?? 0) - time.real() - step)).toBeLessThan(3_000);
    },
  );

  test("begin with the machine's time after its restart, or after a backup from another machine", async () => {
    const time = world();
    const records = memoryThrottleStore();
    await openAll(time, [hour], records);
    const restarted = time.machine(0, 20);
    const clock = await storeClock(askFolder(records, restarted.clock), restarted.clock);
    expect(clock.now()).toBe(time.real());
  });
});

test.each([
  ["a drift", 150, 0, 150],
  ["a larger drift a little", -2_900, 0, -200],
  ["no recent step", -3_600_000, 179_000, 0],
  ["a step that lasts", -3_600_000, 180_000, -3_600_000],
  ["a lasting step of seconds little by little", 30_000, 180_000, 2_000],
])("a process follows %s", (_what, off, sinceAgreed, move) => {
  expect(moveTowards(off, sinceAgreed)).toBe(move);
});
