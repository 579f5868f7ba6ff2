import { describe, expect, test } from "vitest";
import { processReceipts, processSlowReceipts } from "../../support/process-receipts.ts";
import { createAllowance, maxUnusedBytesADay } from "../../../src/inbox/webhook-arrivals.ts";
import { createBackground } from "../../../src/kernel/async.ts";
import { nothingTried } from "../../../src/kernel/errors.ts";
import { refusal } from "../../../src/kernel/refusal.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
let course: MatchingCourse;
forEachTest(async () => (course = await openMatchingCourse({ from: database })));

const depsOf = () => course.deps;

/** A webhook is received. */
async function receive(body: Record<string, unknown>): Promise<void> {
  await course.stores.receipts.insert(waitingReceipt(body, course.clock.now()));
}

const attendance = (userId: string, eventId: string, status: string, minute = 0) => ({
  eventId,
  userId,
  timestamp: new Date(course.clock.now() - 3_600_000 + minute * 60_000).toISOString(),
  updatedBy: "user_host",
  currentStatus: { status },
});

/** A learner with a user in the classroom. @returns that user's id. */
async function enters(name: string): Promise<string> {
  const userId = `user_${name}`;
  await course.enrol(name);
  await giveApiUser(course.stores.people, `per-${name}`, { userId, name });
  return userId;
}

const scoreOf = async (name: string) =>
  (await course.stores.deliveries.listOfCourse(course.key.registrationId, course.key.courseId)).find(
    ({ personId }) => personId === `per-${name}`,
  )?.desired ?? null;

describe("webhooks that are due together", () => {
  test("about one learner give one score, however many they are", async () => {
    const ada = await enters("Ada");
    const lesson = await course.held(3_600_000);
    for (let minute = 0; minute < 10; minute += 1) {
      await receive(attendance(ada, lesson, minute === 9 ? "LATE" : "ABSENT", minute));
    }
    expect(await processReceipts(depsOf())).toBe(true);
    expect(await scoreOf("Ada")).toMatchObject({ score: 80, revision: 1 });
    expect(await course.stores.receipts.countByState()).toMatchObject({ done: 10, waiting: 0 });
    expect(await processReceipts(depsOf())).toBe(false);
  });

  test("count as older than later ones, even if one is stamped two years ahead", async () => {
    const ada = await enters("Ada");
    const lesson = await course.held(3_600_000);
    const scored = async (status: string, minute: number) => {
      await receive(attendance(ada, lesson, status, minute));
      await processReceipts(depsOf());
      course.pass(1_000);
      return (await scoreOf("Ada"))?.score;
    };
    expect(await scored("ABSENT", 730 * 24 * 60)).toBe(0);
    expect(await scored("PRESENT", 60)).toBe(100);
  });

  test("do not wait for one that needs an answer of the classroom, nor fail with it", async () => {
    const ada = await enters("Ada");
    const lesson = await course.held(3_600_000);
    await receive(attendance(ada, "event_of_nobody", "PRESENT"));
    await receive(attendance(ada, lesson, "PRESENT"));
    await receive({ _type: "SPACE_SESSION", eventType: "SESSION_ENDED" });
    const asked: unknown[] = [];
    const client = { ...course.client };
    client.readEvent = async () => {
      asked.push((await scoreOf("Ada"))?.score);
      throw new Error("the classroom is down");
    };
    await processReceipts({ ...depsOf(), classroomOf: () => client });
    expect(asked).toEqual([]);
    expect(await course.stores.receipts.countByState()).toMatchObject({ done: 1, kept: 1, asking: 1 });
    while (await processSlowReceipts({ ...depsOf(), classroomOf: () => client }));
    expect(asked).toEqual([100]);
    expect(await course.stores.receipts.countByState()).toMatchObject({ done: 1, kept: 1, asking: 1 });
  });

  test("do not count tries that were none, however long their account was paused before", async () => {
    const ada = await enters("Ada");
    await receive(attendance(ada, "event_of_nobody", "PRESENT"));
    const resting = refusal("classroom-resting", { temporary: true, details: nothingTried(1) });
    const client = { ...course.client, readEvent: () => Promise.reject(resting) };
    const deps = { ...depsOf(), classroomOf: () => client };
    await processReceipts(deps);
    await processSlowReceipts(deps);
    const again = await course.stores.receipts.claimSlow("later", course.clock.now() + 60_000, 0, 10);
    expect(again).toMatchObject([{ attempts: 1 }]);
  });

  test("are not done before the scores are enqueued, and are processed again if that failed", async () => {
    const ada = await enters("Ada");
    const lesson = await course.held(3_600_000);
    await receive(attendance(ada, lesson, "PRESENT"));
    const broken = { ...course.stores.regrades, revisionOf: () => Promise.reject(new Error("disk full")) };
    await processReceipts({ ...depsOf(), regrades: broken });
    expect(await scoreOf("Ada")).toBeNull();
    expect(await course.stores.receipts.countByState()).toMatchObject({ done: 0, waiting: 1 });
    const [again] = await course.stores.receipts.claimDue("later", course.clock.now() + 60_000, 0, 10);
    expect(again).toMatchObject({ attempts: 2, reason: "Unexpected: disk full" });
  });

  test("are claimed by one process each, and by another when that one died", async () => {
    const { receipts } = course.stores;
    for (let number = 0; number < 5; number += 1) await receive({ _type: "SPACE_USER", number });
    const now = course.clock.now();
    const taken = await Promise.all(
      ["one", "two", "three"].map((holder) => receipts.claimDue(holder, now, now + leaseMs, 2)),
    );
    const ids = taken.flat().map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    expect(await receipts.claimDue("four", now, now + leaseMs, 10)).toEqual([]);
    expect(await receipts.claimDue("four", now + leaseMs, now + 2 * leaseMs, 10)).toHaveLength(5);
    await receipts.settle(ids, "one", { state: "done", reason: null, nextTryAt: now });
    expect(await receipts.countByState()).toMatchObject({ done: 0, waiting: 5 });
  });
});

describe("a burst about unknown events", () => {
  /** Events in the course's Space that the tool does not know. */
  const unknownEvents = (count: number) =>
    Array.from({ length: count }, (_none, at) => course.heldUnheard(3_600_000 * (at + 1)));
  const dueScores = async () =>
    (await course.stores.deliveries.listOfCourse(course.key.registrationId, course.key.courseId)).filter(
      ({ state, nextTryAt }) => state === "waiting" && nextTryAt <= course.clock.now(),
    );

  test("gives a learner one score, due a moment after the last event is known", async () => {
    const ada = await enters("Ada");
    for (const eventId of unknownEvents(30)) await receive(attendance(ada, eventId, "PRESENT"));
    while (await processReceipts(depsOf()));
    await processSlowReceipts(depsOf());
    expect((await course.stores.receipts.countByState()).asking).toBeGreaterThan(0);
    expect(await scoreOf("Ada")).not.toBeNull();
    expect(await dueScores(), "more is expected of her").toEqual([]);
    while (await processSlowReceipts(depsOf()));
    course.pass(1_500);
    expect(await dueScores()).toMatchObject([{ personId: "per-Ada", desired: { score: 100 } }]);
  });

  test("does not delay another learner's score, or a single webhook's", async () => {
    const ada = await enters("Ada");
    const ben = await enters("Ben");
    const [first = "", ...others] = unknownEvents(25);
    await receive(attendance(ben, first, "LATE"));
    for (const eventId of others) await receive(attendance(ada, eventId, "PRESENT"));
    while (await processReceipts(depsOf()));
    await processSlowReceipts(depsOf());
    expect(await dueScores()).toMatchObject([{ personId: "per-Ben", desired: { score: 80 } }]);
  });

  test("does not hold up another account's webhooks", async () => {
    const { receipts } = course.stores;
    const now = course.clock.now();
    const accounts = [...Array<string>(45).fill("production"), "northside"];
    for (const [at, environment] of accounts.entries())
      await receipts.insert(waitingReceipt({}, now - 1_000 + at, { environment, state: "asking" }));
    const claim = () => receipts.claimSlow("me", now, now + leaseMs, 20);
    const claimed = [await claim(), await claim()].flat();
    expect(claimed.map(({ environment }) => environment)).toContain("northside");
  });

  test("that the classroom does not answer delays known events by seconds at most", async () => {
    const ada = await enters("Ada");
    const lesson = await course.held(3_600_000);
    await receive(attendance(ada, "event_of_nobody", "PRESENT"));
    await receive(attendance(ada, lesson, "LATE"));
    const client = { ...course.client, readEvent: () => Promise.reject(new Error("the classroom is down")) };
    const deps = { ...depsOf(), classroomOf: () => client };
    await processReceipts(deps);
    await processSlowReceipts(deps);
    expect(await dueScores()).toEqual([]);
    course.pass(15_000);
    expect(await dueScores()).toMatchObject([{ personId: "per-Ada", desired: { score: 80 } }]);
    const claimed = await course.stores.deliveries.claimDue("me", course.clock.now(), course.clock.now() + 1);
    expect(claimed?.personId).toBe("per-Ada");
  });
});

describe("webhooks that concern nothing here", () => {
  const big = (number: number) => ({ _type: "MADE_UP", number, text: "x".repeat(250_000) });

  test("are all read, a few megabytes at a time", async () => {
    for (let number = 0; number < 60; number += 1) await receive(big(number));
    const now = course.clock.now();
    const first = await course.stores.receipts.claimDue("one", now, now + leaseMs, 500);
    expect(first).toHaveLength(25);
    expect((await course.stores.receipts.claimDue("two", now, now + leaseMs, 500)).length).toBe(25);
    expect((await course.stores.receipts.claimDue("three", now, now + leaseMs, 500)).length).toBe(10);
  });

  test("are refused for the day once an account has sent too many, while another account's are accepted", async () => {
    const { webhookArrivals } = course.stores;
    const deps = { ...depsOf(), webhookArrivals, background: createBackground(createLogger("silent")) };
    for (let number = 0; number < 4; number += 1) await receive(big(number));
    await processReceipts(deps);
    const day = Math.floor(course.clock.now() / 86_400_000);
    expect(await webhookArrivals.unusedOn("production", day)).toBeGreaterThan(1_000_000);

    let ahead = 0;
    const clock = { ...course.clock, now: () => course.clock.now() + ahead };
    const check = createAllowance({ ...deps, clock });
    await check("production", 500);
    await webhookArrivals.addUnused("production", day, maxUnusedBytesADay);
    await check("production", 5_000_000);
    const before = course.clock.now();
    await expect(check("production", 500)).rejects.toMatchObject({ code: "allowance-used", status: 429 });
    await check("northside", 500);
    await deps.background.settle();
    expect(await webhookArrivals.refusedSince(before)).toEqual(["production"]);

    ahead = 86_400_000;
    await check("production", 500);
  });

  test("count once, however often they are processed, and those with an effect only by their excess length", async () => {
    const { webhookArrivals } = course.stores;
    const ada = await enters("Ada");
    const lesson = await course.held(3_600_000);
    await receive({ ...attendance(ada, lesson, "PRESENT"), more: "x".repeat(8_192) });
    await receive(attendance("user_nobody", lesson, "PRESENT"));
    for (const ahead of [0, 600_000, 1_200_000]) {
      const clock = { ...course.clock, now: () => course.clock.now() + ahead };
      await processReceipts({ ...depsOf(), clock });
      while (await processSlowReceipts({ ...depsOf(), clock }));
    }
    const used = await webhookArrivals.unusedOn("production", Math.floor(course.clock.now() / 86_400_000));
    expect(used).toBeGreaterThan(4_096 + 300);
    expect(used).toBeLessThan(4_096 + 1_000);
  });
});
