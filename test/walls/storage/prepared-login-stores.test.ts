import { describe, expect, test } from "vitest";
import type { ExpectedClass, PreparedLogin } from "../../../src/modules/joining/rules/expected-class.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const { stores } = await forAllTests(openEmptyStores());

const far = Date.now() + 3_600_000;
const key = (personId: string) => ({ registrationId: "reg_1", courseId: "crs_1", personId });
const login = (personId: string, change: Partial<PreparedLogin> = {}): Omit<PreparedLogin, "id"> => ({
  ...key(personId),
  login: "sealed",
  fingerprint: "f1",
  expectedAs: { courseLinkId: null, locale: "de", mobile: false },
  usableUntil: 1_000,
  plan: "plan",
  fetches: 1,
  usedAt: null,
  retainedUntil: far,
  ...change,
});

describe("A prepared login", () => {
  test("is stored once for each person, the latest", async () => {
    await Promise.all([stores.logins.keep(login("a")), stores.logins.keep(login("a", { fetches: 2 }))]);
    await stores.logins.keep(login("a", { fetches: 3 }));
    const known = await stores.logins.listOfCourse({ registrationId: "reg_1", courseId: "crs_1" });
    expect(known).toMatchObject([{ personId: "a", fetches: 3, expectedAs: { locale: "de" } }]);
    expect(JSON.stringify(known)).not.toContain("sealed");
  });

  test("is used once, by the first of fifty, and stays marked as used", async () => {
    await stores.logins.keep(login("b"));
    const taken = await Promise.all(
      Array.from({ length: 50 }, () => stores.logins.take(key("b"), "f1", 999)),
    );
    const got = taken.filter((one) => one !== null);
    expect(got).toMatchObject([{ personId: "b", login: "sealed" }]);
    expect(await stores.logins.find(key("b"))).toMatchObject({ plan: "plan", fetches: 1, usedAt: 999 });
    expect(await stores.logins.has(key("b"), "f1", 999)).toBe(false);
  });

  test.each([
    ["for another address", "f2", 999],
    ["after it has expired", "f1", 1_000],
  ])("is not used %s", async (_why, fingerprint, now) => {
    await stores.logins.keep(login("c"));
    expect(await stores.logins.take(key("c"), fingerprint, now)).toBeNull();
    expect(await stores.logins.has(key("c"), fingerprint, now)).toBe(false);
    expect(await stores.logins.take(key("c"), "f1", 999)).not.toBeNull();
  });

  test("that no longer fits is deleted, but not one that replaced it or was used", async () => {
    const [old, used] = [login("d"), login("e")];
    await stores.logins.keep(old);
    await stores.logins.keep(used);
    const seen = [await stores.logins.find(key("d")), await stores.logins.find(key("e"))].filter(
      (one) => one !== null,
    );
    await stores.logins.keep(login("d", { fingerprint: "f2" }));
    await stores.logins.take(key("e"), "f1", 1);
    await stores.logins.discard(seen);
    expect(await stores.logins.find(key("d"))).toMatchObject({ fingerprint: "f2" });
    expect(await stores.logins.find(key("e"))).toMatchObject({ usedAt: 1 });
    await stores.logins.discard([{ id: seen[0]?.id ?? "", fingerprint: "f2" }]);
    expect(await stores.logins.has(key("d"), "f2", 1)).toBe(false);
    expect(await stores.logins.take(key("d"), "", -1)).not.toMatchObject({ login: "sealed" });
    expect(await stores.logins.find(key("d")), "what was spent stays known").toMatchObject({
      plan: "plan",
      fetches: 1,
      retainedUntil: far,
    });
  });

  test("is counted while it waits", async () => {
    const before = await stores.logins.countReady(5_000);
    await stores.logins.keep(login("g", { usableUntil: 6_000 }));
    expect(await stores.logins.countReady(5_000)).toBe(before + 1);
    expect(await stores.logins.countReady(6_000)).toBe(before);
  });
});

const plan = (id: string, change: Partial<ExpectedClass & { rank: number }> = {}) => ({
  id,
  registrationId: "reg_1",
  courseId: "crs_1",
  environment: "staging" as const,
  reason: { kind: "busy-door" as const },
  startsAt: 100,
  endsAt: 1_000,
  calls: 10,
  dueAt: 50,
  rank: 0,
  ...change,
});

describe("An expected class", () => {
  test("is claimed by one of twenty, in order of rank, start and calls made, and not before it is due", async () => {
    const { expectedClasses } = stores;
    await expectedClasses.open(plan("begun", { rank: 1, startsAt: 10 }));
    await expectedClasses.open(plan("later", { startsAt: 200 }));
    await expectedClasses.open(plan("first"));
    await expectedClasses.open(plan("not due", { startsAt: 1, dueAt: 500 }));
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_none, n) =>
        expectedClasses.claimNext("staging", `h${String(n)}`, 60, 100),
      ),
    );
    expect(claims.flatMap((one) => one?.id ?? []).sort()).toEqual(["begun", "first", "later"]);
    expect(await expectedClasses.othersWait("staging", 60)).toBe(false);
    expect((await expectedClasses.claimNext("staging", "again", 100, 200))?.id).toBe("first");
    await expectedClasses.countCall("first", "again");
    await expectedClasses.settle("first", "again", { dueAt: 50, failures: 0, rank: 0, open: true });
    await expectedClasses.open(plan("second"));
    expect((await expectedClasses.claimNext("staging", "next", 120, 200))?.id).toBe("second");
    expect((await expectedClasses.claimNext("staging", "next", 120, 200))?.id).toBe("first");
  });

  test("that was planned twice keeps its progress, and opens again after it was closed", async () => {
    const { expectedClasses } = stores;
    const own = { environment: "production" } as const;
    await expectedClasses.open(plan("twice", own));
    await expectedClasses.claimNext("production", "one", 60, 100);
    await expectedClasses.countCall("twice", "one");
    await expectedClasses.settle("twice", "one", { dueAt: 70, failures: 2, rank: 1, open: false });
    expect(await expectedClasses.countSince(["production"], 60)).toEqual({ done: 0, failed: 1 });
    expect(await expectedClasses.countSince(["production"], 61)).toEqual({ done: 0, failed: 0 });
    expect(await expectedClasses.claimNext("production", "one", 99, 200)).toBeNull();
    await Promise.all([
      expectedClasses.open(plan("twice", { ...own, dueAt: 5, endsAt: 2_000 })),
      expectedClasses.open(plan("twice", { ...own, dueAt: 5, endsAt: 2_000 })),
    ]);
    expect(await expectedClasses.claimNext("production", "two", 99, 200)).toMatchObject({
      id: "twice",
      made: 1,
      failures: 2,
      dueAt: 70,
      endsAt: 2_000,
    });
  });

  test("is not settled, counted or extended by a process that lost it", async () => {
    const { expectedClasses } = stores;
    await expectedClasses.open(plan("lost", { environment: "production", startsAt: 7 }));
    await expectedClasses.claimNext("production", "old", 300, 310);
    await expectedClasses.claimNext("production", "new", 310, 400);
    expect(await expectedClasses.holds("lost", "old", 320)).toBe(false);
    expect(await expectedClasses.holds("lost", "new", 320)).toBe(true);
    expect(await expectedClasses.holds("lost", "new", 400)).toBe(false);
    await expectedClasses.extend("lost", "old", 9_999);
    await expectedClasses.countCall("lost", "old");
    await expectedClasses.settle("lost", "old", { dueAt: 1, failures: 9, rank: 9, open: false });
    expect(await expectedClasses.claimNext("production", "last", 400, 500)).toMatchObject({
      made: 0,
      failures: 0,
    });
  });
});

test("looking for sessions that begin soon reads only these, among five thousand in other weeks", async () => {
  const week = 7 * 24 * 3_600_000;
  const event = (n: number, startsAt: number) => ({
    environment: "production" as const,
    eventId: `e${String(n)}`,
    spaceId: "s",
    title: null,
    startsAt,
    endsAt: null,
    cancelled: false,
    courseId: null,
    readAt: 1,
  });
  for (let n = 0; n < 5_000; n += 500) {
    const some = Array.from({ length: 500 }, (_none, at) => event(n + at, week + n + at));
    await Promise.all(some.map((one) => stores.events.save(one)));
  }
  const soon = await stores.events.save(event(9_999, 1_000));
  const within = { from: 0, to: 2_000, limit: 100 };
  const { user, system } = process.threadCpuUsage();
  for (let round = 0; round < 50; round += 1)
    expect(await stores.events.listUnplanned("production", within)).toMatchObject([{ eventId: "e9999" }]);
  const used = process.threadCpuUsage();
  expect((used.user + used.system - user - system) / 50_000, "processor time of one look (ms)").toBeLessThan(
    10,
  );
  await stores.events.markPlanned({ ...soon, readAt: 0 });
  expect(await stores.events.listUnplanned("production", within)).toHaveLength(1);
  await stores.events.markPlanned(soon);
  expect(await stores.events.listUnplanned("production", within)).toEqual([]);
  await stores.events.saveNewer({ ...event(9_999, 1_500), readAt: 0 });
  expect(
    await stores.events.listUnplanned("production", within),
    "what was read earlier changes nothing",
  ).toEqual([]);
  await stores.events.saveNewer({ ...event(9_999, 1_500), readAt: 2 });
  expect(await stores.events.listUnplanned("production", within)).toMatchObject([{ startsAt: 1_500 }]);
});
