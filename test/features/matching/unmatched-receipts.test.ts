import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processReceipts, processSlowReceipts } from "../../support/process-receipts.ts";
import { ensureApiUser } from "../../../src/modules/members/api-users.ts";
import type { Matchable, Receipt } from "../../../src/inbox/rules/receipt.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";

const database = await forAllTests(openEmptyStores());
const hour = 3_600_000;
const day = 24 * hour;

let course: MatchingCourse;
/** The calls to the classroom, and how many receipts were processed. */
let seen: { asked: string[]; looks: number };
/** Time stands still unless a test moves it. */
let now: number;
beforeEach(async () => {
  course = await openMatchingCourse({ from: database });
  seen = { asked: [], looks: 0 };
  now = course.clock.now();
});
afterEach(() => course.close());

function depsOf() {
  const { receipts } = course.stores;
  const claiming =
    (claim: typeof receipts.claimDue): typeof receipts.claimDue =>
    async (...about) => {
      const claimed = await claim(...about);
      seen.looks += claimed.length;
      return claimed;
    };
  const client = { ...course.client };
  client.readEvent = (eventId, options) => {
    seen.asked.push(eventId);
    return course.client.readEvent(eventId, options);
  };
  return {
    ...course.deps,
    receipts: { ...receipts, claimDue: claiming(receipts.claimDue), claimSlow: claiming(receipts.claimSlow) },
    classroomOf: () => client,
    clock: { ...course.clock, now: () => now },
    onMatchable: (what: Matchable) => receipts.retryWaiting(what, now),
  };
}

/** Does everything that is due. */
async function work(): Promise<void> {
  const deps = depsOf();
  while ((await processReceipts(deps)) || (await processSlowReceipts(deps)));
}

/** A webhook arrives. */
async function receive(body: Record<string, unknown>, already: Partial<Receipt> = {}): Promise<void> {
  await course.stores.receipts.insert(waitingReceipt(body, now, already));
}

const attends = (userId: string, eventId: string, status = "PRESENT", already: Partial<Receipt> = {}) =>
  receive(
    { eventId, userId, timestamp: new Date(now - hour).toISOString(), currentStatus: { status } },
    already,
  );

/** A learner enters for the first time, and gets this user of the classroom. */
async function entersAs(name: string, userId: string): Promise<void> {
  await course.enrol(name);
  const person = required(await course.stores.people.find(`per-${name}`));
  const client = { usersHaveRoles: true, createApiUser: () => Promise.resolve({ userId }) };
  await ensureApiUser({ ...depsOf(), classroomOf: () => client }, person, "participant");
}

const counts = () => course.stores.receipts.countByState();

describe("2,000 webhooks about unknown people", () => {
  test("are left alone when 300 others arrive, and when somebody appears, only theirs are processed", async () => {
    const lesson = await course.held(2 * hour);
    // Many have been waiting for days, and a few are new.
    const waiting = Array.from({ length: 1_980 }, (_none, number) =>
      attends(`stranger_${number % 330}`, lesson, "PRESENT", {
        state: "unmatched",
        nextTryAt: now + 6 * hour,
        waitsForUser: `user:production:stranger_${number % 330}`,
      }),
    );
    await Promise.all(waiting);
    for (let number = 0; number < 10; number += 1) await attends(`stranger_${number}`, lesson);
    for (let number = 0; number < 10; number += 1) await attends(`stranger_${number}`, `unknown_${number}`);
    await work();
    expect(await counts()).toMatchObject({ unmatched: 2_000, waiting: 0, asking: 0 });
    expect(seen.asked.toSorted()).toEqual(
      Array.from({ length: 10 }, (_none, number) => `unknown_${number}`).toSorted(),
    );
    seen = { asked: [], looks: 0 };
    for (let number = 0; number < 300; number += 1) {
      await depsOf().onMatchable({ kind: "user", environment: "production", id: `new_${number}` });
      await work();
    }
    expect(seen).toEqual({ asked: [], looks: 0 });
    await entersAs("Ann", "stranger_7");
    await work();
    expect(await course.statusOf("Ann", lesson)).toBe("PRESENT");
    expect(await course.scoreOf("Ann")).toBe(100);
    expect(seen).toEqual({ asked: [], looks: 7 });
    expect(await counts()).toMatchObject({ unmatched: 1_993, done: 7 });
  });
});

test("a webhook about somebody unknown makes the tool ask sooner when it arrives, not at each look", async () => {
  const hastened: string[] = [];
  const deps = depsOf();
  const askedEvents = {
    ...deps.askedEvents,
    hasten: async (...about: Parameters<typeof deps.askedEvents.hasten>) => {
      hastened.push(about[1]);
      return deps.askedEvents.hasten(...about);
    },
  };
  const round = async () => {
    const asking = { ...deps, askedEvents };
    while ((await processReceipts(asking)) || (await processSlowReceipts(asking)));
  };
  await attends("stranger_1", "unknown_1");
  await round();
  const atFirst = hastened.length;
  expect(atFirst).toBeGreaterThan(0);
  now += hour;
  await round();
  expect(await counts()).toMatchObject({ unmatched: 1 });
  expect(hastened).toHaveLength(atFirst);
});

test("a new webhook takes effect immediately, even if the classroom does not answer about earlier ones", async () => {
  const ann = await course.enters("Ann");
  const lesson = await course.held(2 * hour);
  for (let number = 0; number < 100; number += 1) await attends(ann, `unknown_${number}`);
  const answers = Promise.withResolvers<undefined>();
  const client = { ...course.client };
  client.readEvent = async (eventId, options) => {
    await answers.promise;
    return course.client.readEvent(eventId, options);
  };
  const stuck = { ...depsOf(), classroomOf: () => client };
  await processReceipts(stuck);
  const slow = [processSlowReceipts(stuck), processSlowReceipts(stuck)];
  await attends(ann, lesson, "LATE");
  expect(await processReceipts(stuck)).toBe(true);
  expect(await course.scoreOf("Ann")).toBe(80);
  answers.resolve(undefined);
  await Promise.all(slow);
});

describe("an event that the classroom does not know", () => {
  test("is requested once, however many webhooks wait for it and however many processes look", async () => {
    const ann = await course.enters("Ann");
    const ben = await course.enters("Ben");
    for (const user of [ann, ben])
      for (const status of ["LATE", "PRESENT"]) await attends(user, "gone", status);
    await processReceipts(depsOf());
    await Promise.all([processSlowReceipts(depsOf()), processSlowReceipts(depsOf())]);
    await work();
    expect(seen.asked).toEqual(["gone"]);
    expect(await counts()).toMatchObject({ unmatched: 4 });
  });

  test("is requested less and less often, and not forever", async () => {
    const ann = await course.enters("Ann");
    for (let number = 0; number < 50; number += 1) await attends(ann, "gone");
    await work();
    for (let passed = 0; passed < day; passed += 300_000) {
      now += 300_000;
      await work();
    }
    expect(seen.asked.length).toBeGreaterThan(5);
    expect(seen.asked.length).toBeLessThan(12);
    now += 14 * day;
    await work();
    expect(await counts()).toMatchObject({ unmatched: 0, failed: 50 });
    seen.asked = [];
    now += 14 * day;
    await work();
    expect(seen.asked).toEqual([]);
  });

  test("is requested again when there is news of it, and all its waiting webhooks take effect together", async () => {
    const ann = await course.enters("Ann");
    const ben = await course.enters("Ben");
    await attends(ann, "coming", "LATE");
    for (const pause of [0, 6_000, 31_000, 301_000, 1_801_000]) {
      now += pause;
      await work();
    }
    seen.asked = [];
    now += hour;
    const endsAt = now - hour;
    const times = { startsAt: endsAt - hour, endsAt };
    course.client.readEvent = (eventId) =>
      Promise.resolve({ eventId, spaceId: course.spaceId, title: "Lesson", ...times, cancelled: false });
    await attends(ben, "coming");
    await work();
    expect(seen.asked).toEqual(["coming"]);
    expect(await course.scoreOf("Ben")).toBe(100);
    expect(await course.scoreOf("Ann")).toBe(80);
  });

  test("is requested again immediately when the classroom could not be reached", async () => {
    const ann = await course.enters("Ann");
    await attends(ann, "gone");
    const client = { ...course.client, readEvent: () => Promise.reject(new Error("no answer")) };
    const deps = { ...depsOf(), classroomOf: () => client };
    await processReceipts(deps);
    await processSlowReceipts(deps);
    expect(await counts()).toMatchObject({ asking: 1 });
    now += 5_000;
    await work();
    expect(seen.asked).toEqual(["gone"]);
    expect(await counts()).toMatchObject({ unmatched: 1 });
  });
});

test("a webhook that was given up after two weeks takes effect when its user gets known after all", async () => {
  const lesson = await course.held(2 * hour);
  await attends("stranger", lesson, "LATE");
  await work();
  now += 15 * day;
  await work();
  expect(await counts()).toMatchObject({ failed: 1 });
  await entersAs("Ann", "stranger");
  await work();
  expect(await counts()).toMatchObject({ done: 1 });
  expect(await course.scoreOf("Ann")).toBe(80);
});

test("attendance in a Space takes effect when the Space becomes a course's", async () => {
  const ann = await course.enters("Ann");
  const elsewhere = await course.space("Chemistry");
  const lesson = await course.held(2 * hour, elsewhere);
  await attends(ann, lesson, "LATE");
  await work();
  expect(await counts()).toMatchObject({ unmatched: 1 });
  await depsOf().onMatchable({ kind: "space", environment: "production", id: "another" });
  await work();
  expect(seen.looks).toBe(2);
  await depsOf().onMatchable({ kind: "space", environment: "production", id: elsewhere });
  await work();
  expect(seen.looks).toBe(3);
});
