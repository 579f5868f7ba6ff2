import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { beginComparing, detectRestore } from "../../../src/modules/operations/upkeep.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { backUp, restore } from "../../../src/storage/embedded/back-up.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores } from "../../../src/open-stores.ts";
import { newCourse, launchedCourse } from "../../support/builders/launched-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { folderForTest } from "../../support/folders.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const logger = createLogger("silent");
const hour = 3_600_000;
const backupAt = Date.UTC(2026, 10, 20);
const now = backupAt + 5 * hour;
const clock = { now: () => now, sleep: () => Promise.resolve() };
let root: string;
let file: string;

beforeEach(async () => {
  root = await folderForTest();
  file = join(root, "backup.sqlite");
});

async function open(folder: string) {
  const database = closedAfterTest(await openDatabase({ url: `file:${folder}`, logger }));
  return { database, stores: await openStores(database.connection) };
}

/** A database with two courses of one delivered score each, and its backup. */
async function backedUp(): Promise<string> {
  const folder = join(root, "first");
  const { database, stores } = await open(folder);
  await stores.registrations.insert(registrationOf({ clientId: "client" }));
  for (const courseId of ["crs_1", "crs_2"]) {
    await stores.courses.record(
      { registrationId: "reg_1", deploymentId: "1", contextId: courseId },
      launchedCourse(),
      newCourse(courseId),
    );
    await stores.deliveries.setDesired(
      { registrationId: "reg_1", courseId },
      [
        {
          personId: "per_1",
          sub: "11",
          left: false,
          seen: { regrade: 0, summary: 1 },
          scores: new Map([["attendance", { score: 80, maximum: 100, comment: null }]]),
        },
      ],
      { now: backupAt, newId: () => `dlv_${courseId}` },
    );
    const claimed = await stores.deliveries.claimDue("one", backupAt, backupAt + 10_000);
    if (claimed?.desired == null) throw new Error("nothing to deliver");
    const accepted = { score: 80, maximum: 100, comment: null, at: backupAt };
    await stores.deliveries.settle(claimed.id, "one", claimed.desired.revision, {
      state: "delivered",
      accepted,
    });
  }
  await backUp(folder, file, backupAt);
  await database.close();
  return folder;
}

const scoreOf = (stores: Awaited<ReturnType<typeof open>>["stores"], courseId: string) =>
  stores.deliveries.find({ registrationId: "reg_1", courseId, columnKey: "attendance", personId: "per_1" });

describe("a start on a restored database", () => {
  test("by the command: every score waits to be compared, once", async () => {
    const folder = await backedUp();
    restore(file, folder, { replace: true, mark: "now", now });
    const { database, stores } = await open(folder);
    await detectRestore({ ...stores, clock, logger }, database);
    expect(await scoreOf(stores, "crs_1")).toMatchObject({ state: "waiting", restoredAt: now });
    expect(await stores.restores.latest()).toMatchObject({ restoredAt: now, backupAt, begun: true });
    expect(database.backup()).toBeNull();
    expect(await beginComparing({ ...stores, clock, logger }), "a second start").toMatchObject({ scores: 0 });
  });

  test("is noticed even if somebody copied the backup there by hand", async () => {
    await backedUp();
    const folder = join(root, "by-hand");
    await mkdir(folder);
    await copyFile(file, join(folder, "spaces.sqlite"));
    const { database, stores } = await open(folder);
    await detectRestore({ ...stores, clock, logger }, database);
    expect(await scoreOf(stores, "crs_2")).toMatchObject({ state: "waiting", restoredAt: now });
    expect(await stores.restores.latest()).toMatchObject({ restoredAt: now, backupAt });
  });

  test("continues what a killed one began", async () => {
    const folder = await backedUp();
    restore(file, folder, { replace: true, mark: "now", now });
    const { database, stores } = await open(folder);
    const killed = {
      ...stores,
      clock,
      logger,
      deliveries: {
        ...stores.deliveries,
        compareCourse: async (...given: Parameters<typeof stores.deliveries.compareCourse>) => {
          if (given[0].courseId === "crs_2") throw new Error("killed");
          return stores.deliveries.compareCourse(...given);
        },
      },
    };
    await expect(detectRestore(killed, database)).rejects.toThrow("killed");
    await beginComparing({ ...stores, clock, logger });
    expect(await scoreOf(stores, "crs_2")).toMatchObject({ state: "waiting", restoredAt: now });
    expect(await stores.restores.listToBegin()).toEqual([]);
  });

  test("changes nothing if it was never restored", async () => {
    const folder = await backedUp();
    const { database, stores } = await open(folder);
    await detectRestore({ ...stores, clock, logger }, database);
    expect(await scoreOf(stores, "crs_1")).toMatchObject({ state: "delivered" });
    expect(await stores.restores.latest()).toBeNull();
  });
});

test("sessions that ended recently are read in the classroom again after a restore", async () => {
  const folder = await backedUp();
  restore(file, folder, { replace: true, mark: "now", now });
  const { database, stores } = await open(folder);
  const of = (eventId: string, endedAt: number) => ({
    ...({ environment: "production", eventId, registrationId: "reg_1", courseId: "crs_1", endedAt } as const),
  });
  await stores.attendanceReadings.plan(of("late", backupAt - hour), () => now + 24 * hour);
  await stores.attendanceReadings.plan(of("long-ago", backupAt - 30 * 24 * hour), () => now + 24 * hour);
  await detectRestore({ ...stores, clock, logger }, database);
  expect((await stores.attendanceReadings.find("production", "late"))?.dueAt).toBe(now);
  expect((await stores.attendanceReadings.find("production", "long-ago"))?.dueAt).toBe(now + 24 * hour);
});
