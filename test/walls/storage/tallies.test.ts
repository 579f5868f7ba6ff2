import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/storage/open-database.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";
import { eachEngine } from "./open-engine.ts";

const now = 1_000_000;
const place = { registrationId: "reg_1", courseId: "crs_1" };

describe.each(await eachEngine())("Counts that are kept up to date:", (engine) => {
  let database: Database;
  let stores: Stores;
  beforeEach(async () => {
    database = await engine.open();
    stores = await openStores(database.connection);
  });
  afterEach(async () => {
    await database.connection.dropDatabase();
    await database.close();
  });
  afterAll(() => engine.discard());

  /** The counted number, which the kept number must equal. */
  const counted = async (collection: string, state: string) =>
    database.connection.collection(collection).countDocuments({ state });
  const expectRight = async () => {
    const receipts = await stores.receipts.countByState();
    const scores = await stores.deliveries.countByState();
    expect({ done: receipts.done, kept: receipts.kept, delivered: scores.delivered }).toEqual({
      done: await counted("receipts", "done"),
      kept: await counted("receipts", "kept"),
      delivered: await counted("deliveries", "delivered"),
    });
  };

  async function arrive(count: number): Promise<string[]> {
    for (let number = 0; number < count; number += 1)
      await stores.receipts.insert(waitingReceipt({ number, at: Math.random() }, now));
    return (await stores.receipts.claimDue("me", now, now + 1_000, 100)).map(({ id }) => id);
  }
  const outcome = (state: "done" | "kept") => ({ state, reason: null, nextTryAt: now });
  let summary = 0;
  async function want(score: number | null): Promise<void> {
    summary += 1;
    const learner = {
      personId: "per_1",
      sub: "1",
      left: false,
      seen: { regrade: 0, summary },
      scores: new Map([["attendance", { score, maximum: 100, comment: null }]]),
    };
    await stores.deliveries.setDesired(place, [learner], { now, newId: () => "dlv_1" });
  }
  async function deliver(): Promise<void> {
    const delivery = await stores.deliveries.claimDue("me", now, now + 1_000);
    if (delivery?.desired == null) throw new Error("nothing is due");
    const { revision, ...score } = delivery.desired;
    const accepted = { ...score, at: now };
    await stores.deliveries.settle(delivery.id, "me", revision, { state: "delivered", accepted });
  }

  test("webhooks that took effect, were processed again, and were deleted", async () => {
    await expectRight();
    const ids = await arrive(6);
    await stores.receipts.settle(ids.slice(0, 4), "me", outcome("done"));
    await stores.receipts.settle(ids.slice(4), "me", outcome("kept"));
    await expectRight();
    await stores.receipts.processAgain(ids.slice(3, 5), now);
    await expectRight();
    await stores.receipts.purge(now + 1, 2);
    await expectRight();
    expect((await stores.receipts.countByState()).done).toBe(1);
  });

  test("scores that were delivered, changed, and were sent again", async () => {
    await expectRight();
    await want(80);
    await deliver();
    await expectRight();
    await want(90);
    await expectRight();
    await want(80);
    await expectRight();
    expect((await stores.deliveries.countByState()).delivered).toBe(1);
    for (const again of [
      () => stores.deliveries.resendCourse(place, now),
      () => stores.deliveries.resend(place, ["dlv_1"], now),
      () => stores.deliveries.sendAgain(["dlv_1"], now),
      () => stores.deliveries.resendColumn({ ...place, columnKey: "attendance" }, now),
      () => stores.deliveries.retryColumn({ ...place, columnKey: "attendance" }, now),
      () => stores.deliveries.compareCourse(place, now, now),
    ]) {
      await again();
      expect((await stores.deliveries.countByState()).delivered).toBe(0);
      await expectRight();
      await deliver();
      await expectRight();
    }
  });

  test("what a killed process had not stored is corrected by the next count", async () => {
    await expectRight();
    const ids = await arrive(3);
    // Killed: it is in the store, but its arrival was not counted.
    await database.connection
      .collection<{ _id: string }>("receipts")
      .updateMany({ _id: { $in: ids } }, { $set: { state: "done" } });
    expect((await stores.receipts.countByState()).done).toBe(0);
    expect(await stores.tallies.recount()).toBe(3);
    await expectRight();
    expect(await stores.tallies.recount()).toBe(0);
  });

  test("a change counts while it is being stored", async () => {
    await expectRight();
    const ids = await arrive(12);
    for (const [index, id] of ids.entries()) {
      await stores.receipts.settle([id], "me", outcome("done"));
      const writing = stores.tallies.flush();
      expect((await stores.receipts.countByState()).done).toBe(index + 1);
      await writing;
    }
  });

  test("a stored number is available to other processes, and is read without counting", async () => {
    await stores.receipts.countByState();
    const ids = await arrive(2);
    await stores.receipts.settle(ids, "me", outcome("done"));
    await stores.tallies.flush();
    const rows = await database.connection.collection<{ _id: string }>("tallies").find({}).toArray();
    expect(rows.find(({ _id }) => _id === "receipts done")).toMatchObject({ count: 2, counted: true });
    const seen = await seenQueries(database, () => stores.receipts.countByState());
    expect(seen.filter(({ collection }) => collection === "tallies")).toHaveLength(2);
    expect(seen.filter(({ collection }) => collection === "receipts")).toHaveLength(5);
  });
});
