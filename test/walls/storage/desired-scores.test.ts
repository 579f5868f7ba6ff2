import { beforeEach, describe, expect, test } from "vitest";
import { deliveryRecord, type Sending } from "../../../src/modules/grading/rules/delivery.ts";
import { openRecords } from "../../../src/storage/records.ts";
import { dueHeadsOf } from "../../../src/storage/due-heads.ts";
import { type SeenInputs, setDesiredScores } from "../../../src/modules/grading/store/desired-scores.ts";
import { openGradingCourse } from "../../support/builders/grading-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const course = await forAllTests(openGradingCourse());
beforeEach(() => course.empty());

const ids = () => {
  let last = 0;
  return () => `dlv_${(last += 1)}`;
};

/** A computation of Ann's score; `meanwhile` happens once between its read and its write. */
async function want(
  score: number | null,
  seen: SeenInputs,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const records = openRecords(course.connection, deliveryRecord);
  const queue = dueHeadsOf(course.connection).queue("deliveries", () => Promise.resolve(null));
  let over = false;
  const interrupted = new Proxy(records.model, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (name !== "bulkWrite" || typeof found !== "function") return found;
      return async (...given: unknown[]): Promise<unknown> => {
        if (!over) {
          over = true;
          await meanwhile();
        }
        const done: unknown = await Reflect.apply(found, target, given);
        return done;
      };
    },
  });
  const scores = new Map([["attendance", { score, maximum: 100, comment: null }]]);
  const ann = { personId: "ann", sub: "sub-ann", seen, scores, left: false };
  return setDesiredScores({ ...records, model: interrupted }, course.key, [ann], {
    now: course.clock.now(),
    sending: "now",
    held: false,
    newId: ids(),
    delivered: { moved: () => undefined },
    announced: (write) => queue.announced(course.key.registrationId, course.clock.now(), write),
  });
}

const seen = (regrade: number, summary: number): SeenInputs => ({ regrade, summary });
const score = async () => (await course.deliveryOf("ann"))?.desired?.score;

describe("Of two computations of one score at the same time", () => {
  test.each([
    ["more facts", seen(1, 2), seen(1, 1)],
    ["a newer policy", seen(2, 1), seen(1, 1)],
    ["both", seen(2, 2), seen(1, 1)],
  ])("the one that saw %s wins, whichever comes first", async (_what, more, less) => {
    await want(80, less);
    await want(90, more);
    await want(70, less);
    expect(await score()).toBe(90);
  });

  test.each([
    ["for the first time", false],
    ["again", true],
  ])("the one that saw more wins if the other one ran between read and write, %s", async (_what, again) => {
    if (again) await want(10, seen(0, 1));
    await want(80, seen(1, 1), () => want(90, seen(1, 2)));
    expect(await score()).toBe(90);
    await want(60, seen(2, 3), () => want(50, seen(2, 2)));
    expect(await score()).toBe(60);
  });

  test("neither wins if each saw more of something, and both must begin again", async () => {
    await want(80, seen(1, 2));
    expect(await want(90, seen(2, 1))).toEqual(["ann"]);
    expect(await score()).toBe(80);
    expect(await want(95, seen(2, 2))).toEqual([]);
    expect(await score()).toBe(95);
  });
});

describe("When a score goes out during a decision about it", () => {
  const sent = async (now = course.clock.now()) => {
    const { deliveries } = course.stores;
    const claimed = await deliveries.claimDue("worker", now, now + 10_000);
    if (claimed?.desired == null) throw new Error("nothing is due");
    expect(await deliveries.sending(claimed.id, "worker", claimed.desired, now)).toBe(true);
    return { id: claimed.id, ...claimed.desired };
  };

  test("a score that need not be sent becomes a clearing that must be", async () => {
    await want(80, seen(0, 1));
    await want(null, seen(0, 2), () => sent());
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "waiting", desired: { score: null } });
  });

  test("the LMS's earlier score is sent again", async () => {
    await want(80, seen(0, 1));
    await course.deliver();
    await want(90, seen(0, 2));
    await want(80, seen(0, 3), () => sent());
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "waiting", desired: { score: 80 } });
  });

  test("the LMS's earlier score is sent again even in the same millisecond: a clock may stop, or go back", async () => {
    const now = course.clock.now() + 10_000;
    await want(80, seen(0, 1));
    const { id, revision, ...score } = await sent(now);
    const taken = { state: "delivered", accepted: { ...score, at: now }, unconfirmed: [] } as const;
    await course.stores.deliveries.settle(id, "worker", revision, taken);
    await want(90, seen(0, 2));
    await want(80, seen(0, 3), () => sent(now));
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "waiting", desired: { score: 80 } });
  });

  test("a worker that still holds the former score then sends nothing", async () => {
    await want(80, seen(0, 1));
    const { deliveries } = course.stores;
    const now = course.clock.now();
    const claimed = await deliveries.claimDue("worker", now, now + 10_000);
    if (claimed?.desired == null) throw new Error("nothing is due");
    await want(null, seen(0, 2));
    expect(await deliveries.sending(claimed.id, "worker", claimed.desired, now)).toBe(false);
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "idle" });
  });
});

const first = 1_000_000;
let points = 0;
/** Enqueues the next number of points for Ann, `after` ms after her first score. */
const wantAt = (sending: Sending, after: number) => {
  points += 1;
  const scores = new Map([["attendance", { score: points, maximum: 100, comment: null }]]);
  const ann = {
    personId: "ann",
    sub: "sub-ann",
    seen: { regrade: points, summary: points },
    scores,
    left: false,
  };
  return course.stores.deliveries.setDesired(course.key, [ann], {
    now: first + after,
    sending,
    newId: () => "dlv_1",
  });
};
/** When Ann's score goes out (ms after the first one). */
const goesOutAfter = async () => ((await course.deliveryOf("ann"))?.nextTryAt ?? 0) - first;

describe("Ann's score goes out", () => {
  test.each<[string, Parameters<typeof wantAt>[], number]>([
    ["immediately, if no more is expected", [["now", 0]], 0],
    ["after 15 s, if more is expected and nothing comes", [["gathered", 0]], 15_000],
    [
      "15 s after the first, however much comes and is expected",
      [
        ["gathered", 0],
        ["gathered", 9_000],
      ],
      15_000,
    ],
    [
      "in a moment, if the last one completed it",
      [
        ["gathered", 0],
        ["now", 4_000],
      ],
      5_500,
    ],
    [
      "when everything is there, even if the course was regraded in between",
      [
        ["gathered", 0],
        ["regraded", 1_000],
      ],
      15_000,
    ],
    ["a moment after the course was regraded", [["regraded", 0]], 1_500],
    [
      "when everything is there, even if the course was regraded before its first part was processed",
      [
        ["regraded", 0],
        ["gathered", 1_000],
      ],
      15_000,
    ],
    [
      "when it was due already, whatever is expected now",
      [
        ["now", 0],
        ["gathered", 100],
      ],
      0,
    ],
  ])("%s", async (_when, wanted, after) => {
    for (const [sending, at] of wanted) await wantAt(sending, at);
    expect(await goesOutAfter()).toBe(after);
  });
});
