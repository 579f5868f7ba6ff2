import type { OverviewApp } from "../../../src/modules/operations/list-alarms.ts";
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createKnownAccounts } from "../../../src/modules/accounts/known-accounts.ts";
import { countByHour, showOverview } from "../../../src/modules/operations/show-overview.ts";
import { manyInstitutions } from "../../support/builders/many-institutions.ts";
import { classroomOverviewOf } from "../../support/builders/classroom-overview.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { type SeenQuery, seenQueries } from "../../support/builders/seen-queries.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const now = Date.UTC(2026, 10, 24, 13, 22);
const secretKey = randomBytes(48).toString("base64");
const count = 40;

let deps: OverviewApp;
/** Accounts whose latest calls failed. */
const failing = new Set<string>();
/** Accounts without webhooks. */
const silent = new Set<string>();

const world = await forAllTests(openEmptyStores());
beforeAll(async () => {
  await manyInstitutions(world, { count, now, secretKey });
  deps = await depsOf(secretKey);
});

async function depsOf(key: string): Promise<OverviewApp> {
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const accounts = await createKnownAccounts({
    builtIn: [],
    sealer: createSealer(key, undefined),
    clock,
    logger: createLogger("silent"),
    classroomAccounts: world.stores.classroomAccounts,
    parseDialect: () => {
      throw new Error("no account has a dialect");
    },
  });
  return {
    ...world.stores,
    accounts,
    clock,
    report: () =>
      Promise.resolve({
        ready: true,
        problems: [],
        warnings: [...silent].map((account) => ({ what: "webhooks" as const, message: "None.", account })),
      }),
    classroomOverview: (id) => {
      const account = accounts.find(id);
      return account === undefined ? undefined : classroomOverviewOf(account, failing.has(id));
    },
  };
}

const lms = async (id: string) =>
  (await showOverview(deps)).lines.find(({ registration }) => registration.id === id);
const account = async (id: string) =>
  (await showOverview(deps)).accounts.find((line) => line.account.id === id);

describe("The overview", () => {
  test("has a line for each LMS, worst first, with waiting scores and failures of the last day", async () => {
    const { lines, failedLaunches, alarms } = await showOverview(deps);
    expect(lines).toHaveLength(count);
    expect(lines[0]).toMatchObject({ health: "down", failedLaunches: 5, failures: 5, scoresWaiting: 0 });
    expect(lines[0]?.registration.id).toBe("reg_0");
    expect(await lms("reg_1")).toMatchObject({ health: "off" });
    expect(
      lines.filter(({ health }) => health === "quiet").map(({ registration }) => registration.id),
    ).toEqual(["reg_2"]);
    expect(await lms("reg_4")).toMatchObject({ health: "good", failedLaunches: 1 });
    expect(await lms("reg_3")).toMatchObject({ scoresWaiting: 2, lastWebhookAt: now - 3 * 60_000 });
    expect(failedLaunches).toBe(5 + 4);
    const registration = { id: "reg_0" };
    expect(alarms).toMatchObject([{ what: "launches-fail", coded: { values: { number: 5 } }, registration }]);
  });

  test("has a line for each classroom account, with all its LMSs", async () => {
    const { accounts } = await showOverview(deps);
    expect(accounts).toHaveLength(count);
    expect(await account("school-3")).toMatchObject({
      health: "good",
      lmss: 1,
      scoresWaiting: 2,
      lastLaunchAt: now - 3 * 60_000,
      lastWebhookAt: now - 3 * 60_000,
    });
    expect(await account("school-1")).toMatchObject({ health: "off" });
    expect(await account("school-0")).toMatchObject({ health: "quiet" });
  });

  test("says if the account of a deployment is missing, and counts the LMS at it", async () => {
    const { deployments } = world.stores;
    const deployment = { registrationId: "reg_9", deploymentId: "2" };
    await deployments.record({ ...deployment, status: "accepted", firstSeenAt: now });
    await deployments.setAccount("reg_9", "2", "gone");
    expect((await showOverview(deps)).alarms.map(({ what }) => what)).toContain("environment-off");
    await deployments.setAccount("reg_9", "2", "school-3");
    expect(await account("school-3")).toMatchObject({ lmss: 2 });
  });

  test("shows an LMS with refused scores until a day has passed", async () => {
    const { stores, connection } = world;
    const [waiting] = await stores.deliveries.queue("waiting", { registrationId: "reg_8" }, null, 1);
    const change = (set: Record<string, unknown>) =>
      connection
        .collection<{ _id: string }>("deliveries")
        .updateOne({ _id: waiting?.id ?? "" }, { $set: set });
    const refuse = (nextTryAt: number) => change({ state: "refused", nextTryAt });
    await refuse(now - 3_600_000);
    expect((await showOverview(deps)).scoresRefused).toBe(1);
    expect(await lms("reg_8")).toMatchObject({ health: "check", refusedScores: 1, scoresWaiting: 1 });
    await refuse(now - 25 * 3_600_000);
    expect(await lms("reg_8")).toMatchObject({ health: "good", refusedScores: 0 });
    // Nobody has answered it.
    expect((await showOverview(deps)).scoresRefused).toBe(1);
    const accepted = { score: 50, maximum: 100, comment: null, at: now - 1_000, markedAt: now - 5_000 };
    await change({ state: "delivered", nextTryAt: now - 2_000, accepted });
    const { arrival, scoresRefused } = await showOverview(deps);
    const perHour = await countByHour(deps);
    expect([arrival.medianMs, perHour.scores.at(-1), scoresRefused]).toEqual([4_000, 1, 0]);
  });

  test("shows an account whose webhooks are missing or fail, and one whose service fails", async () => {
    const receipt = (id: string, receivedAt: number) => ({
      id,
      environment: "school-9",
      digest: id,
      body: "{}",
      receivedAt,
      state: "failed" as const,
      attempts: 1,
      nextTryAt: 0,
      reason: "unreadable",
    });
    await world.stores.receipts.insert(receipt("rcp_1", now - 1_000));
    await world.stores.receipts.insert(receipt("rcp_2", now - 2 * 24 * 3_600_000));
    expect(await account("school-9")).toMatchObject({ health: "check", failedWebhooks: 1 });
    expect((await countByHour(deps)).webhooks).toEqual([...Array.from({ length: 23 }, () => 0), 1]);
    silent.add("school-10");
    failing.add("school-11");
    const { alarms } = await showOverview(deps);
    expect((await account("school-10"))?.health).toBe("check");
    expect((await account("school-11"))?.health).toBe("down");
    // Nobody enters from its LMS either.
    expect((await lms("reg_11"))?.health).toBe("down");
    expect(alarms).toContainEqual(expect.objectContaining({ what: "account-fails", account: "school-11" }));
    silent.clear();
    failing.clear();
  });

  test("shows accounts closed by a lost SECRET_KEY", async () => {
    const { accounts, alarms } = await showOverview(await depsOf(randomBytes(48).toString("base64")));
    expect(new Set(accounts.map(({ health }) => health))).toEqual(new Set(["down"]));
    expect(alarms.filter(({ what }) => what === "account-unreadable")).toHaveLength(count);
  });
});

describe("However many institutions and records there are,", () => {
  /** Small collections, with at most one record for each LMS or account, which are read whole. */
  const small = ["registrations", "lmspauses", "connectiontests", "webhookarrivals", "classroomaccounts"];

  test("each read of the overview is a range of an index, and none reads the records of all LMSs", async () => {
    const seen = await seenQueries(world, () => showOverview(deps));
    expect(seen.length).toBeGreaterThan(count);
    const scans = seen.filter(
      ({ indexes, collection }) => indexes.length === 0 && !small.includes(collection),
    );
    expect(scans).toEqual([]);
  });

  test("the scores and launches of other LMSs cost one LMS nothing", async () => {
    const of = (seen: readonly SeenQuery[], collection: string) =>
      seen.filter((one) => one.collection === collection).reduce((sum, { read }) => sum + read, 0);
    const before = await seenQueries(world, () => showOverview(deps));
    const learners = Array.from({ length: 400 }, (_none, at) => ({
      personId: `many_${at}`,
      sub: "sub",
      seen: { regrade: 1, summary: 1 },
      left: false,
      scores: new Map([["attendance", { score: 50, maximum: 100, comment: null }]]),
    }));
    let made = 0;
    const newId = () => `many_${(made += 1)}`;
    await world.stores.deliveries.setDesired({ registrationId: "reg_5", courseId: "crs_5" }, learners, {
      now,
      newId,
    });
    const after = await seenQueries(world, () => showOverview(deps));
    expect(after.length).toBe(before.length);
    expect(of(after, "deliveries") - of(before, "deliveries")).toBeLessThanOrEqual(2 * learners.length);
    expect(of(after, "members")).toBe(of(before, "members"));
  });
});
