import { beforeEach, describe, expect, test } from "vitest";
import type { NewQueuePosition } from "../../../src/modules/joining/store/queue-position-store.ts";
import { createWaitingQueue } from "../../../src/modules/joining/waiting-queue.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { openOnEachEngine } from "./open-engine.ts";

const minute = 60_000;

/** A long line costs what it must, read from the engines' own counts. */
describe.each(await openOnEachEngine())("A long line", ({ database, stores }) => {
  let now = 1_000_000;
  let made = 0;

  beforeEach(async () => {
    for (const name of ["places", "doorturns", "dueheads", "queuesummaries"])
      await database.connection.collection(name).deleteMany({});
    now += 60 * minute;
  });

  const places = () => database.connection.collection<{ _id: string }>("places");
  const positionOf = (presentMs: number): NewQueuePosition => {
    made += 1;
    now += 1;
    return {
      ...{ id: `place ${made}`, ticket: `ticket ${made}`, environment: "production", registrationId: "lms" },
      ...{
        courseId: "course",
        personId: `person ${made}`,
        courseLinkId: null,
        role: "learner",
        locale: null,
      },
      ...{ mobile: false, shown: "tab", calls: 1, arrivedAt: now, seenUntil: now + presentMs },
    };
  };
  /** As many come; their pages are open for so long. */
  const come = async (people: number, presentMs: number): Promise<string[]> => {
    const first = await stores.queuePositions.join(positionOf(presentMs));
    const row = await places().findOne({ _id: first.id });
    // A launch for each would take a minute.
    const rows = Array.from({ length: people - 1 }, () => {
      const { id, ...position } = positionOf(presentMs);
      return { ...row, ...position, _id: id, turn: first.turn + made };
    });
    for (let at = 0; at < rows.length; at += 500) await places().insertMany(rows.slice(at, at + 500));
    return [first.id, ...rows.map(({ _id }) => _id)];
  };
  const readOf = async (collection: string, work: () => Promise<unknown>): Promise<number> =>
    (await seenQueries(database, work))
      .filter((query) => query.collection === collection)
      .reduce((sum, { read }) => sum + read, 0);
  const openProcess = () =>
    createWaitingQueue({
      ...stores,
      clock: { now: () => now, sleep: () => new Promise(() => undefined) },
      logger: createLogger("silent"),
    });
  /** Their pages ask, as those do whose streams are held back. */
  const look = async (process: ReturnType<typeof openProcess>, ids: readonly string[]) => {
    for (const position of await stores.queuePositions.findMany(ids)) await process.currentView(position, 0);
  };

  test("of two thousand is read by one of two instances; the other reads its own people", async () => {
    const ids = await come(2_000, 10 * minute);
    const [one, other] = [openProcess(), openProcess()];
    const [ofOne, ofOther] = [ids.slice(0, 50), ids.slice(1_950)];
    expect(await readOf("places", () => look(one, ofOne))).toBeGreaterThanOrEqual(2_000);
    expect(await readOf("places", () => look(other, ofOther))).toBeLessThanOrEqual(100);
    const [last] = await stores.queuePositions.findMany(ids.slice(-1));
    if (last === undefined) throw new Error("nobody came");
    expect(await other.currentView(last, 0)).toMatchObject({ state: "waiting", peopleBefore: 1_999 });
    one.stop();
    other.stop();
  }, 60_000);

  test("of people who left is passed over once: the second claim reads none of them", async () => {
    await come(2_000, minute);
    now += 2 * minute;
    const [present] = await come(1, 10 * minute);
    const claim = async () => {
      const claimed = await stores.queuePositions.claimNext("production", "me", now, now + 1);
      expect(claimed?.id).toBe(present);
      now += 1_000;
    };
    expect(await readOf("places", claim)).toBeGreaterThan(1_000);
    for (let batch = 0; batch < 4; batch += 1) await claim();
    expect(await readOf("places", claim)).toBeLessThanOrEqual(20);
  }, 60_000);

  test("keeps the turn of who left: with their page open again they go first, as before", async () => {
    const [first = "", second] = await come(2, minute);
    now += 2 * minute;
    await stores.queuePositions.seen([second ?? ""], now + minute);
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(second);
    expect(await stores.queuePositions.findMany([first])).toMatchObject([{ state: "left" }]);
    now += 1_000;
    await stores.queuePositions.seen([first], now + minute);
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(first);
  });

  test("keeps the turn of who left and presses the button again", async () => {
    const [first = "", second = ""] = await come(2, minute);
    now += 2 * minute;
    await stores.queuePositions.seen([second], now + minute);
    await stores.queuePositions.claimNext("production", "me", now, now + 1);
    const [left] = await stores.queuePositions.findMany([first]);
    if (left === undefined) throw new Error("the position is lost");
    now += 1_000;
    const again = { ...left, id: "another", ticket: "a new ticket", arrivedAt: now, seenUntil: now + minute };
    expect(await stores.queuePositions.join(again)).toMatchObject({
      id: first,
      turn: left.turn,
      state: "waiting",
    });
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(first);
  });

  test("lets in who was seen in the moment they were taken for gone", async () => {
    const [only = ""] = await come(1, minute);
    await places().updateOne({ _id: only }, { $set: { state: "left" } });
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(only);
  });
});
