import { beforeEach, describe, expect, test } from "vitest";
import { personalRecords } from "../../../src/modules/privacy/rules/erasure.ts";
import { countUsage, listUsage } from "../../../src/modules/usage/count-usage.ts";
import type { UsageOf } from "../../../src/modules/usage/store/usage-store.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { attended, school, taughtWeek, userOf, wasThere } from "../../support/builders/taught-week.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const hour = 3_600_000;
const day = 24 * hour;
const monday = Date.UTC(2026, 10, 16);
const everything: UsageOf = { registrationId: null, account: null };

let now: number;
const world = await forAllTests(openEmptyStores());
beforeEach(async () => {
  await world.empty();
  now = monday + 7 * day + 2 * hour;
});

const count = () =>
  countUsage({
    ...world.stores,
    accounts: testAccounts("one", "two"),
    clock: { now: () => now, sleep: () => Promise.resolve() },
  });
const week = async (whose: Partial<UsageOf> = {}, at = monday) =>
  (await listUsage(world.stores, { ...everything, ...whose }, { from: at, to: at })).weeks[0];
const taught = {
  week: monday,
  courses: 1,
  sessions: 3,
  people: 3,
  minutes: 210,
  grades: 2,
  failedLaunches: 1,
  refusedScores: 0,
};

describe("A week of classes", () => {
  test("is counted from the classroom's reports, each person once, without sessions that nobody attended", async () => {
    await taughtWeek(world.stores, { registrationId: "reg_a", account: "one" }, monday);
    expect(await count()).toBe(4);
    expect(await week()).toEqual(taught);
    const days = await world.stores.usage.listDays(monday, monday + 7 * day);
    const of = (n: number) => days.find((one) => one.day === monday + n * day);
    expect(of(0)).toMatchObject({ sessions: 1, people: 2, minutes: 90, grades: 2, failedLaunches: 1 });
    expect(of(2)).toMatchObject({ sessions: 1, people: 2, minutes: 0 });
    expect(of(3), "nobody came").toBeUndefined();
    expect([of(4), of(5)], "over midnight").toMatchObject([
      { sessions: 1, people: 1, minutes: 60 },
      { sessions: 0, people: 1, minutes: 60 },
    ]);
  });

  test("stays the same however often it is counted, even in two processes together", async () => {
    await taughtWeek(world.stores, { registrationId: "reg_a", account: "one" }, monday);
    for (let times = 0; times < 3; times += 1) await Promise.all([count(), count()]);
    expect(await week()).toEqual(taught);
    expect(await world.connection.collection("usageweeks").countDocuments()).toBe(1);
  });

  test("is counted separately for each LMS and each account", async () => {
    await taughtWeek(world.stores, { registrationId: "reg_a", account: "one" }, monday);
    await taughtWeek(world.stores, { registrationId: "reg_b", account: "two" }, monday);
    await count();
    expect(await week()).toMatchObject({ people: 6, courses: 2, sessions: 6 });
    expect(await week({ registrationId: "reg_a" })).toEqual(taught);
    expect(await week({ account: "two" })).toEqual(taught);
    expect(await week({ registrationId: "reg_a", account: "two" })).toMatchObject({ people: 0 });
  });

  test("includes late reports, but loses no score that was sent again since", async () => {
    await taughtWeek(world.stores, { registrationId: "reg_a", account: "one" }, monday);
    await count();
    const { connection, stores } = world;
    const held = { registrationId: "reg_a", account: "one", courseId: "crs_reg_a", spaceId: "space-reg_a" };
    await wasThere(stores, held, {
      userId: userOf("reg_a", 2),
      sessionId: "s9",
      from: monday + 6 * day,
      to: monday + 6 * day + hour,
    });
    await connection.collection("deliveries").updateMany({}, { $set: { "accepted.at": now } });
    await count();
    expect(await week()).toEqual({ ...taught, sessions: 4, minutes: 270 });
  });

  test("stays as it was counted when it is long over, even if its people are erased", async () => {
    await taughtWeek(world.stores, { registrationId: "reg_a", account: "one" }, monday);
    const held = { registrationId: "reg_a", account: "one", courseId: "crs_reg_a", spaceId: "space-reg_a" };
    await attended(world.stores, held, {
      eventId: "later",
      startsAt: monday + 15 * day,
      people: ["per_reg_a_1"],
    });
    now = monday + 16 * day;
    await count();
    await world.connection.collection("presences").deleteMany({});
    await world.connection.collection("attendances").deleteMany({});
    now = monday + 17 * day;
    await count();
    expect(await week()).toMatchObject({ sessions: 3, people: 3, minutes: 210, grades: 2 });
    expect(await week({}, monday + 14 * day), "counted again").toMatchObject({ sessions: 0, people: 0 });
  });

  test("counts people whom only the classroom knows, and no Space without a course", async () => {
    await school(world.stores, { registrationId: "reg_a", account: "one" });
    const there = { sessionId: "s1", from: monday, to: monday + hour };
    await wasThere(world.stores, { account: "one", spaceId: "space-reg_a" }, { userId: "guest", ...there });
    await wasThere(world.stores, { account: "one", spaceId: "space-nobody" }, { userId: "guest", ...there });
    await wasThere(world.stores, { account: "two", spaceId: "space-reg_a" }, { userId: "guest", ...there });
    await count();
    expect(await week()).toMatchObject({ people: 1, sessions: 1, minutes: 60, courses: 1 });
  });
});

test("sums are deleted with their LMS and after three years, and belong to no person", () => {
  for (const model of ["UsageDay", "UsageWeek"]) {
    const held = personalRecords.find((one) => one.model === model);
    expect(held?.ofRegistration?.("reg_a")).toEqual({ registrationId: "reg_a" });
    expect(held?.purged?.days).toBe(1_105);
    expect(held?.person).toEqual([]);
  }
});

test("each read is a range of an index, and a report reads only sums of weeks", async () => {
  await taughtWeek(world.stores, { registrationId: "reg_a", account: "one" }, monday);
  const counting = await seenQueries(world, count);
  const scans = counting.filter(
    ({ indexes, collection }) => indexes.length === 0 && collection !== "registrations",
  );
  expect(scans).toEqual([]);
  // A week has 10,080 minutes, and reports about people cover few of them.
  const heard = counting.filter(({ collection }) => collection === "presences").length;
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThan(100);
  for (const whose of [{}, { registrationId: "reg_a" }, { account: "one" }]) {
    const reading = await seenQueries(world, () => week(whose));
    expect(reading.map(({ collection, read, sorts }) => [collection, read, sorts])).toEqual([
      ["usageweeks", 1, false],
    ]);
    expect(reading[0]?.indexes).toEqual([expect.stringMatching(/week_1/)]);
  }
});
