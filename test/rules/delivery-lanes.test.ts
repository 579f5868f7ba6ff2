import { expect, test } from "vitest";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { createCanvasThrottle } from "../../sandbox/stand-in-lms/canvas-services.ts";
import { createQuotaPace } from "../../src/lms/service-calls.ts";
import { passingClock } from "../support/passing-clock.ts";
import { createDeliveryLanes, deliveryLanes, mostLanes } from "../../src/modules/grading/delivery-lanes.ts";

function openLanes() {
  const random = seededRandom(7);
  let now = 0;
  let moreWanted = 0;
  const lanes = createDeliveryLanes({ clock: { now: () => now }, onMore: () => (moreWanted += 1) });
  const ends: (() => void)[] = [];
  /** Takes lanes until none are left. @returns how many */
  const takeAll = (lms: string): number => {
    for (let taken = 0; ; taken += 1) {
      if (lanes.isFull(lms)) return taken;
      void lanes.use(lms, () => new Promise<void>((resolve) => ends.push(resolve)));
    }
  };
  const endAll = async () => {
    while (ends.length > 0) ends.pop()?.();
    await new Promise(setImmediate);
  };
  /** How many lanes send at the same time, round by round, while an LMS with this many workers takes scores (about 200 ms each). */
  const deliver = async (lms: string, workers: number): Promise<number[]> => {
    const limits: number[] = [];
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const atOnce = takeAll(lms);
      await endAll();
      limits.push(atOnce);
      for (let sent = 0; sent < 20; sent += 1) {
        const took = 200 * Math.max(1, atOnce / workers) * (0.7 + 0.6 * random());
        now += took / atOnce;
        lanes.sent(lms, took);
      }
    }
    return limits;
  };
  /** That many calls, which began together, fail. */
  const trouble = (lms: string, calls: number) => {
    const began = now;
    now += 100;
    for (let times = 0; times < calls; times += 1) lanes.trouble(lms, began);
  };
  return { takeAll, endAll, deliver, trouble, moreWanted: () => moreWanted };
}

test.each([
  [1, 1, 2],
  [2, 1, 3],
  [5, 4, 6],
  [100, mostLanes - 2, mostLanes],
])("an LMS with %i workers gets from %i to %i scores at the same time", async (workers, least, most) => {
  const last = (await openLanes().deliver("reg", workers)).slice(-60);
  expect(Math.min(...last)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...last)).toBeLessThanOrEqual(most);
});

test("trouble halves an LMS's lanes to at least one, and calls that fail together count once", async () => {
  const { trouble, takeAll, endAll, deliver, moreWanted } = openLanes();
  await deliver("reg", 100);
  expect(moreWanted()).toBeGreaterThan(0);
  const before = takeAll("reg");
  await endAll();
  trouble("reg", before);
  expect(takeAll("reg")).toBe(Math.floor(before / 2));
  await endAll();
  for (let times = 0; times < 5; times += 1) trouble("reg", 1);
  expect(takeAll("reg")).toBe(1);
});

test("an LMS that accepts everything leaves lanes for another one", async () => {
  const { takeAll, deliver } = openLanes();
  await deliver("busy", 100);
  expect(takeAll("busy")).toBeLessThanOrEqual(deliveryLanes.all - deliveryLanes.spare);
  expect(takeAll("other")).toBe(deliveryLanes.own);
});

test("lanes that were mostly idle say nothing about an LMS", () => {
  let now = 0;
  const lanes = createDeliveryLanes({ clock: { now: () => now }, onMore: () => expect.unreachable() });
  for (let sent = 0; sent < 1_000; sent += 1) {
    now += 1_000;
    lanes.sent("reg", 200);
  }
  expect(lanes.isFull("reg")).toBe(false);
});

test("two institutions' Canvas take 10,000 scores each without a refusal, at nine tenths of their buckets' rate", async () => {
  const { clock, pass } = passingClock(0);
  const bucket = { status: 403, full: 700, leakPerSecond: 10, upFront: 50, cost: 0.3, callMs: 300 } as const;
  const canvas = createCanvasThrottle(clock);
  const refused: number[] = [];
  const doneAt: number[] = [];
  const onMore = () => undefined;

  const institution = (name: string) => {
    let waiting = 10_000;
    const inAll = { lanes: 0 };
    const send = async (
      lanes: ReturnType<typeof createDeliveryLanes>,
      pace: ReturnType<typeof createQuotaPace>,
    ) => {
      const began = clock.now();
      const call = () =>
        canvas.run(bucket, name, () => ({ status: 200, type: "application/json", body: "{}" }));
      const answer = await pace.run(name, call, ({ headers }) => Number(headers?.["x-rate-limit-remaining"]));
      if (answer.status !== 200) refused.push(clock.now());
      waiting -= 1;
      if (waiting === 0) doneAt.push(clock.now());
      lanes.sent(name, clock.now() - began);
    };
    return {
      /** Looks for work each second, as an idle lane does. */
      lane: async (
        lanes: ReturnType<typeof createDeliveryLanes>,
        pace: ReturnType<typeof createQuotaPace>,
      ) => {
        for (; waiting > 0;) {
          if (lanes.isFull(name) || inAll.lanes >= mostLanes) await clock.sleep(1_000);
          else {
            inAll.lanes += 1;
            await lanes.use(name, async () => {
              for (let n = 0; n < 25 && waiting > 0; n += 1) await send(lanes, pace);
            });
            inAll.lanes -= 1;
          }
        }
      },
    };
  };

  const institutions = [institution("one"), institution("other")];
  const ended = [1, 2].flatMap(() => {
    const [lanes, pace] = [createDeliveryLanes({ clock, onMore }), createQuotaPace({ clock })];
    return institutions.flatMap(({ lane }) => Array.from({ length: mostLanes }, () => lane(lanes, pace)));
  });
  await pass(600_000, () => new Promise(setImmediate));
  await Promise.all(ended);
  expect(refused).toEqual([]);
  const allowedMs = (10_000 * bucket.cost * 1_000) / bucket.leakPerSecond;
  for (const at of doneAt) expect(allowedMs / at).toBeGreaterThan(0.9);
});
