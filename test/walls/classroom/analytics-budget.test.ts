import { describe, expect, test } from "vitest";
import { createBudgets } from "../../../src/classroom/budgets.ts";
import { createThrottle } from "../../../src/classroom/throttle.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { fakeClock } from "./fake-clock.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { memoryThrottleStore } from "./memory-throttle-store.ts";
import { pacedClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const windowMs = 2_000;

/** Two processes on one store, with clocks that show different times, under one fake time. */
function processes() {
  const time = fakeClock();
  const store = memoryThrottleStore();
  const start = (skew: number) => {
    const deps = { store, clock: time.clock(skew), ids: randomIds };
    return createBudgets({
      throttle: createThrottle({ ...deps, key: "key" }),
      analyticsThrottle: createThrottle({ ...deps, key: "key\nanalytics", limit: 1, windowMs }),
      analyticsWindowMs: windowMs,
      clock: deps.clock,
    });
  };
  return { time, one: start(0), other: start(700) };
}

/** Makes calls one after another as permits come; each answer takes 20 ms. */
function caller(world: ReturnType<typeof processes>) {
  const made: { at: number; budget: string }[] = [];
  const call = async (
    budgets: ReturnType<typeof createBudgets>,
    budget: "general" | "analytics",
    priority: "entry" | "background",
  ) => {
    const permit = await budgets.acquire(budget, { priority });
    await permit.begin();
    permit.left();
    made.push({ at: world.time.now(), budget });
    await world.time.clock().sleep(20);
    permit.answered();
  };
  const atOf = (budget: string) => made.filter((one) => one.budget === budget).map(({ at }) => at);
  return { made, call, atOf };
}

/** The shortest time within which `count` calls were made. */
function shortest(times: readonly number[], count: number): number {
  return Math.min(...times.slice(count - 1).map((at, index) => at - (times[index] ?? 0)), Infinity);
}

describe("analytics calls", () => {
  test("have their own slower limit over all processes, and leave the rest to other calls", async () => {
    const world = processes();
    const { call, atOf } = caller(world);
    const work = Promise.all([
      ...Array.from({ length: 3 }, () => call(world.one, "analytics", "background")),
      ...Array.from({ length: 3 }, () => call(world.other, "analytics", "background")),
      ...Array.from({ length: 20 }, () => call(world.one, "general", "entry")),
    ]);
    await world.time.advance(30_000);
    await work;
    expect(atOf("analytics")).toHaveLength(6);
    expect(shortest(atOf("analytics"), 2)).toBeGreaterThanOrEqual(windowMs);
    const all = [...atOf("analytics"), ...atOf("general")].sort((a, b) => a - b);
    expect(shortest(all, 5)).toBeGreaterThanOrEqual(1_000);
  });

  test("do not leave together after a long wait behind people who enter", async () => {
    const world = processes();
    const { call, atOf } = caller(world);
    const work = Promise.all([
      ...Array.from({ length: 40 }, () => call(world.one, "general", "entry")),
      call(world.one, "analytics", "background"),
      call(world.other, "analytics", "background"),
      call(world.other, "analytics", "background"),
    ]);
    await world.time.advance(60_000);
    await work;
    // Without the closed gate they leave within 300 ms of each other.
    expect(shortest(atOf("analytics"), 2)).toBeGreaterThanOrEqual(1_500);
  });

  test("count from when the service may have seen them, even if one took long to arrive", async () => {
    const world = processes();
    const { call } = caller(world);
    const seen: number[] = [];
    const analyticsCall = async (wayThere: number) => {
      const permit = await world.one.acquire("analytics", { priority: "background" });
      await permit.begin();
      permit.left();
      await world.time.clock().sleep(wayThere);
      seen.push(world.time.now());
      permit.answered();
    };
    const work = Promise.all([
      ...Array.from({ length: 12 }, () => call(world.one, "general", "entry")),
      analyticsCall(40).then(() => analyticsCall(0)),
    ]);
    await world.time.advance(60_000);
    await work;
    expect(seen).toHaveLength(2);
    expect(shortest(seen, 2)).toBeGreaterThan(windowMs);
  });

  test("that must wait delay no other calls", async () => {
    const world = processes();
    const { call, atOf } = caller(world);
    world.one.refused("analytics", 20_000);
    const work = Promise.all([
      call(world.one, "analytics", "entry"),
      call(world.one, "general", "background"),
    ]);
    await world.time.advance(60_000);
    await work;
    const [began = 0] = atOf("general");
    expect((atOf("analytics")[0] ?? 0) - began).toBeGreaterThanOrEqual(19_000);
  });
});

test("a service with a stricter limit for analytics refuses no call", async () => {
  const classroom = closedAfterTest(await pacedClassroom());
  const store = memoryThrottleStore();
  const deps = { store, clock: systemClock, ids: randomIds };
  const client = classroomClient(classroom, {
    throttle: createThrottle({ ...deps, key: "key" }),
    analyticsThrottle: createThrottle({ ...deps, key: "key\nanalytics", limit: 1, windowMs }),
  });
  const background = { priority: "background" } as const;
  await Promise.all([
    ...Array.from({ length: 3 }, () => client.readSessions({ spaceId: "s" }, background)),
    ...Array.from({ length: 8 }, () => client.readEvent("none", background)),
  ]);
  expect(classroom.callCounts()).toMatchObject({ accepted: 11, refusedByLimit: 0 });
}, 20_000);

test("the stand-in refuses analytics calls above their own limit, and says for how long", async () => {
  const classroom = closedAfterTest(await pacedClassroom());
  const ask = (path: string) =>
    fetch(`${classroom.apiUrl}${path}`, { headers: { authorization: "Bearer key" } });
  expect((await ask("/analytics/sessions")).status).toBe(200);
  const refused = await ask("/analytics/sessions");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
  expect((await ask("/spaces/recordings")).status).toBe(200);
});
