import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { createThrottle, type ThrottleStore } from "../../../src/classroom/throttle.ts";
import { priorities } from "../../../src/classroom/permits.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { fakeClock } from "./fake-clock.ts";
import { memoryThrottleStore } from "./memory-throttle-store.ts";

/** A world in which processes share a key. Times in ms. */
type World = {
  seed: number;
  /** Each process's error about the store's time. Its steady clock counts since its machine's start. */
  skews: readonly number[];
  /** The slowest read or write of the shared record. */
  store: number;
  /** The least time of a call to the service and back. */
  there: number;
  back: number;
  /** The greatest difference between the service's reply times. */
  spread: number;
  /**
   * In a busy process, one call in `heldUp` waits for up to 400 ms before its bytes leave, and one timer in `lateTimer` fires up to
   * 150 ms late.
   */
  heldUp: number;
  lateTimer: number;
  /** How many people and jobs come each second. */
  perSecond: number;
  /** The second in which a process dies and another replaces it; none if beyond the end. */
  crash: number;
  /** The second in which a process is stopped, as by a paused machine, and for how long (ms). */
  stop: number;
  stopLasts: number;
};

const seconds = 30;

const worlds: fc.Arbitrary<World> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  skews: fc.array(fc.integer({ min: -2_400, max: 2_400 }), { minLength: 1, maxLength: 4 }),
  store: fc.constantFrom(0, 2, 10, 40, 250),
  there: fc.integer({ min: 0, max: 120 }),
  back: fc.integer({ min: 0, max: 120 }),
  spread: fc.constantFrom(0, 50, 300, 1_000),
  heldUp: fc.constantFrom(Infinity, 40, 8),
  lateTimer: fc.constantFrom(Infinity, 200, 20),
  perSecond: fc.constantFrom(1, 3, 5, 12),
  crash: fc.integer({ min: 2, max: 2 * seconds }),
  stop: fc.integer({ min: 1, max: 2 * seconds }),
  stopLasts: fc.constantFrom(400, 5_000, 30_000),
});

const never = () => new Promise<never>(() => undefined);

/** What the service counts, as its throttle knows. */
type Counts = "arrivals" | "replies";

/** Runs the world; returns when the service counted calls, and how many callers were never served. */
async function run(world: World, counts: Counts): Promise<{ arrivals: number[]; unserved: number }> {
  const random = seededRandom(world.seed);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const time = fakeClock();
  const exact = time.clock();
  const shared = memoryThrottleStore();
  const arrivals: number[] = [];

  async function answer(): Promise<void> {
    await exact.sleep(world.there + upTo(12));
    if (counts === "arrivals") arrivals.push(time.now());
    await exact.sleep(upTo(world.spread));
    if (counts === "replies") arrivals.push(time.now());
    await exact.sleep(world.back);
  }

  function process(skew: number) {
    let dead = false;
    const isDead = () => dead;
    let stoppedUntil = 0;
    /** A stopped process sees nothing of what happens until it wakes. */
    const awake = async (): Promise<void> => {
      if (time.now() < stoppedUntil) await exact.sleep(stoppedUntil - time.now());
    };
    const orNever = <T>(value: T): T | Promise<never> => (dead ? never() : value);
    const own = time.clock(Math.abs(skew) * 100_000);
    const dayTime = () => time.now() + skew;
    const clock: Clock = {
      now: own.now,
      sleep: async (ms, signal) => {
        await own.sleep(ms + (random() < 1 / world.lateTimer ? upTo(150) : 0), signal);
        await awake();
        return orNever(undefined);
      },
    };
    const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
      if (world.store > 0) await exact.sleep(upTo(world.store));
      await awake();
      if (dead) return never();
      const done = await work();
      if (world.store > 0) await exact.sleep(upTo(world.store));
      await awake();
      return orNever(done);
    };
    const store: ThrottleStore = {
      read: (key) => slowly(() => shared.read(key)),
      replace: (...args) => slowly(() => shared.replace(...args)),
    };
    const throttle = createThrottle({ store, key: "key", clock, dayTime, ids: randomIds, counts });
    let waiting = 0;
    return {
      kill: () => {
        dead = true;
        waiting = 0;
      },
      stop: (ms: number) => {
        stoppedUntil = time.now() + ms;
      },
      waiting: () => waiting,
      call: async () => {
        waiting += 1;
        const giveUp = new AbortController();
        if (random() < 0.1) void exact.sleep(upTo(3_000)).then(() => giveUp.abort(new Error("gone")));
        const priority = priorities[upTo(3)] ?? "entry";
        const permit = await throttle.acquire({ priority, signal: giveUp.signal }).catch(() => null);
        waiting -= 1;
        if (permit === null || isDead()) return;
        if (random() < 1 / world.heldUp) await exact.sleep(upTo(400));
        await awake();
        const begun = await permit.begin().then(
          () => true,
          () => false,
        );
        if (!begun || isDead()) {
          if (!isDead()) permit.answered();
          return;
        }
        // The socket takes the bytes immediately, or a moment later.
        const late = random() < 0.1 ? upTo(5) : 0;
        await exact.sleep(late);
        // The bytes of a process that is killed or stopped now still arrive.
        const answered = answer();
        await awake();
        if (!isDead()) permit.left();
        await answered;
        await awake();
        if (!isDead()) permit.answered();
      },
    };
  }

  const processes = world.skews.map(process);
  for (let second = 0; second < seconds; second += 1) {
    if (second === world.crash) {
      processes[0]?.kill();
      processes[0] = process(upTo(2_000));
    }
    if (second === world.stop) processes.at(-1)?.stop(world.stopLasts);
    const coming = second < seconds / 2 ? world.perSecond * upTo(2) : 0;
    for (let each = 0; each < coming; each += 1) {
      void processes[upTo(processes.length - 1)]?.call();
      if (random() < 0.5) await time.advance(upTo(Math.floor(1_000 / coming)));
    }
    await time.advance(500);
  }
  for (let more = 0; more < 200 && processes.some((each) => each.waiting() > 0); more += 1)
    await time.advance(1_000);
  return { arrivals, unserved: processes.reduce((sum, each) => sum + each.waiting(), 0) };
}

/** Any five calls in a row that the service saw within less than a second. */
function fiveInASecond(arrivals: readonly number[]): number[] | null {
  const sorted = [...arrivals].sort((a, b) => a - b);
  const index = sorted.findIndex((at, n) => n >= 4 && at - (sorted[n - 4] ?? -Infinity) < 1_000);
  return index < 0 ? null : sorted.slice(index - 4, index + 1);
}

describe("whatever happens to clocks, databases, networks and processes", () => {
  test.each(["arrivals", "replies"] as const)(
    "a service that counts %s never counts five calls within a second, and everybody who stays is served",
    async (counts) => {
      let served = 0;
      await fc.assert(
        fc.asyncProperty(worlds, async (world) => {
          const { arrivals, unserved } = await run(world, counts);
          expect(fiveInASecond(arrivals)).toBeNull();
          expect(unserved).toBe(0);
          served += arrivals.length;
        }),
        { numRuns: Number(process.env.CHAOS_RUNS ?? 25) },
      );
      // In one world, perhaps nobody comes, or its only process sleeps until all have left.
      expect(served).toBeGreaterThan(100);
    },
    600_000,
  );
});
