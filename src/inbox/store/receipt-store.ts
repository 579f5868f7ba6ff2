import { readerOf } from "../../domain/record.ts";
import { recordModel } from "../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type Matchable, type Receipt, waitKey, receiptRecord } from "../rules/receipt.ts";
import { type DueRange, dueHeadsOf, everything } from "../../storage/due-heads.ts";
import { isDuplicateKey } from "../../storage/duplicate-key.ts";
import { released } from "../../storage/lease.ts";
import { receiptLists } from "./receipt-lists.ts";
import type { ReceiptRow } from "./receipt-row.ts";
import { talliesOf } from "../../storage/tally-store.ts";

/** Filter for receipts that may be claimed. */
type Due = Pick<Receipt, "state"> & Record<"nextTryAt" | "leaseUntil", { $lte: number }>;

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** What is still to do with a receipt after it was looked at; what is left out of what it waits for is nothing. */
export type ReceiptOutcome = Pick<
  Receipt,
  "state" | "reason" | "code" | "nextTryAt" | "waitsFor" | "waitsForUser"
> & {
  /** In the place of a body that names somebody who was erased. */
  body?: string;
};

/** A receipt about which the classroom may have to be asked, and whom it is about: equal texts for the same person. */
export type Asking = { id: string; about: string | null };

/** Webhooks as they arrived; identity is environment + digest of the body. */
export function createReceiptStore(connection: Connection) {
  const model = recordModel(connection, receiptRecord);
  const tallyOf = (state: "done" | "kept") =>
    talliesOf(connection).of(`receipts ${state}`, () => model.countDocuments({ state }).exec());
  const tallies = { done: tallyOf("done"), kept: tallyOf("kept") };
  const firstOf = async (state: Receipt["state"], nextTryAt: DueRange) => {
    const row = await model.findOne({ state, nextTryAt }).sort({ nextTryAt: 1 }).lean();
    return row === null ? null : { dueAt: row.nextTryAt, leaseUntil: row.leaseUntil };
  };
  // Nothing is passed over here: a webhook belongs to nobody before it is processed.
  const heads = dueHeadsOf(connection);
  const queues = {
    fresh: heads.queue("receipts", (_scope, range) => firstOf("waiting", range)),
    slow: heads.queue("slow-receipts", async (_scope, range) => {
      const first = [];
      for (const state of slowStates) first.push((await firstOf(state, range)) ?? []);
      return first.flat().sort((a, b) => a.dueAt - b.dueAt)[0] ?? null;
    }),
  };
  const claim = async (ids: readonly string[], due: Due, holder: string, until: number) => {
    await model.updateMany(
      { _id: { $in: [...ids] }, ...due },
      { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
    );
    return model.find({ _id: { $in: [...ids] }, leaseHolder: holder }).lean();
  };
  /** Of one state: an index then gives the oldest at once, where a list of states would be sorted. */
  const claimDue = async (
    state: Receipt["state"],
    holder: string,
    { now, until, most }: { now: number; until: number; most: number },
  ): Promise<Receipt[]> => {
    for (let found = most; found === most;) {
      const due = { state, nextTryAt: { $lte: now }, leaseUntil: { $lte: now } };
      const some = await model.find(due, { _id: 1 }).sort({ nextTryAt: 1 }).limit(most).lean();
      const ids = some.map(({ _id }) => _id);
      const rows = ids.length === 0 ? [] : await claim(ids, due, holder, until);
      if (rows.length > 0) return rows.map(toReceipt);
      // Somebody else was faster: there may be more behind those.
      found = ids.length;
    }
    return [];
  };
  /** Mostly nothing waits, and a write would wait for its turn. */
  const retry = async (waiting: Record<string, unknown>, now: number): Promise<void> => {
    if ((await model.findOne(waiting, { _id: 1 }).lean()) === null) return;
    await queues.slow.announced(everything, now, () => model.updateMany(waiting, { $set: dueAgain(now) }));
  };
  const countPending = async (filter: { nextTryAt?: { $lte: number }; receivedAt?: { $lte: number } }) =>
    (await model.countDocuments({ state: "waiting", ...filter })) +
    (await model.countDocuments({ state: "asking", ...filter })) +
    (await model.countDocuments({ state: "again", ...filter }));

  return {
    ...receiptLists(model, queues, tallies, toReceipt),
    /** Stores a webhook durably. @returns false when the same body was stored before. */
    insert: async (receipt: Receipt): Promise<boolean> => {
      const { id, ...rest } = receipt;
      const row: Record<string, unknown> = { _id: id, ...rest, ...released } satisfies ReceiptRow;
      try {
        // Past mongoose's documents: of a burst, making and checking those was a tenth of all the work.
        const queue = slowStates.some((state) => state === receipt.state) ? queues.slow : queues.fresh;
        await queue.announced(everything, receipt.nextTryAt, () => model.collection.insertOne(row));
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** Takes the fresh receipts that are due longest until `until`; at most so many, none when none is due. */
    claimDue: async (holder: string, now: number, until: number, most: number): Promise<Receipt[]> => {
      const take = async () => someOrNull(await claimDue("waiting", holder, { now, until, most }));
      return (await queues.fresh.claim(now, { take })) ?? [];
    },
    /**
     * As `claimDue`, of those about which the classroom may have to be asked, behind them of those that an operator wants
     * processed once more, and at last of unmatched ones.
     */
    claimSlow: async (holder: string, now: number, until: number, most: number): Promise<Receipt[]> => {
      const take = async () => {
        for (const state of slowStates) {
          const due = await claimDue(state, holder, { now, until, most });
          if (due.length > 0) return due;
        }
        return null;
      };
      return (await queues.slow.claim(now, { take })) ?? [];
    },
    /** Leaves claimed receipts to those who ask the classroom; as if they had not been taken. */
    handOver: async (asking: readonly Asking[], holder: string, now: number): Promise<void> => {
      const byPerson = Map.groupBy(asking, ({ about }) => about);
      await queues.slow.announced(everything, now, () =>
        model.bulkWrite(
          [...byPerson].map(([about, some]) => ({
            updateMany: {
              filter: { _id: { $in: some.map(({ id }) => id) }, leaseHolder: holder },
              update: {
                $set: { state: "asking", nextTryAt: now, about, ...released },
                $inc: { attempts: -1 },
              },
            },
          })),
          { ordered: false },
        ),
      );
    },
    /**
     * About whom something may become known in a moment, of some people: the classroom is asked soon, or what it had no answer to came
     * lately, and another one may be asking.
     * @param by When it is asked at the latest (ms). @param since When the others came at the earliest (ms).
     * @param but Receipts that are left out.
     */
    stillAskedAbout: async (
      people: readonly string[],
      { by, since }: { by: number; since: number },
      but: readonly string[],
    ): Promise<Set<string>> => {
      if (people.length === 0) return new Set();
      // The embedded engine finds it by the index only when the index's own condition is repeated.
      const about = { about: { $in: [...people], $gt: "" }, _id: { $nin: [...but] } };
      const rows = await model.find(about, { about: 1, nextTryAt: 1, receivedAt: 1 }).lean();
      return new Set(
        rows.flatMap((row) => (row.nextTryAt <= by || row.receivedAt >= since ? (row.about ?? []) : [])),
      );
    },
    /** Lengthens claims; without effect on those that were lost. */
    extend: async (ids: readonly string[], holder: string, until: number): Promise<void> => {
      await model.updateMany(
        { _id: { $in: [...ids] }, leaseHolder: holder },
        { $set: { leaseUntil: until } },
      );
    },
    /** Writes down what became of claimed receipts, the same of all; without effect where the claim was lost. */
    settle: async (ids: readonly string[], holder: string, outcome: ReceiptOutcome): Promise<void> => {
      const settle = () =>
        model.updateMany(
          { _id: { $in: [...ids] }, leaseHolder: holder },
          {
            $set: {
              ...{ code: null, waitsFor: null, waitsForUser: null },
              ...(outcome.state === "asking" || outcome.state === "unmatched" ? {} : { about: null }),
              ...outcome,
              ...released,
            },
            // The bytes say what another body must not.
            ...(outcome.body === undefined ? {} : { $unset: { bytes: "" } }),
          },
        );
      const { state, nextTryAt } = outcome;
      const isSlow = slowStates.some((one) => one === state);
      if (isSlow) await queues.slow.announced(everything, nextTryAt, settle);
      else if (state === "waiting") await queues.fresh.announced(everything, nextTryAt, settle);
      else {
        const { matchedCount } = await settle();
        if (state === "done" || state === "kept") tallies[state].moved(matchedCount);
      }
    },
    /**
     * Deletes receipts that arrived before a moment (ms) and took effect, are of no use to us, or were given up because
     * nobody could be named for them, at most so many; what failed or waits is kept. @returns how many were deleted.
     */
    purge: async (before: number, limit: number): Promise<number> => {
      let deleted = 0;
      const unmatched = { $or: [{ waitsFor: { $gt: "" } }, { waitsForUser: { $gt: "" } }] };
      for (const served of [
        { state: "done" },
        { state: "kept" },
        { state: "failed", ...unmatched },
      ] as const) {
        const old = { ...served, receivedAt: { $lt: before } };
        const some = await model
          .find(old, { _id: 1 })
          .limit(limit - deleted)
          .lean();
        if (some.length === 0) continue;
        const { deletedCount } = await model.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
        if (served.state !== "failed") tallies[served.state].moved(-deletedCount);
        deleted += some.length;
        if (deleted >= limit) break;
      }
      return deleted;
    },
    /**
     * What receipts waited for has appeared: they are due at once, also those that were given up. Whoever is looking at one
     * of them may have looked too early, so their claims end.
     */
    retryWaiting: async (what: Matchable, now: number): Promise<void> => {
      const field = what.kind === "user" ? "waitsForUser" : "waitsFor";
      await retry({ [field]: waitKey(what) }, now);
    },
    /** As `retryWaiting`, by what a receipt wrote down; those that somebody is looking at are left alone. */
    retryWaitingFor: async (waitsFor: string, now: number): Promise<void> => {
      await retry({ waitsFor, leaseUntil: { $lte: now } }, now);
    },
    /** Whether webhooks have come that nobody has looked at. */
    isReceiving: async (): Promise<boolean> =>
      (await model.findOne({ state: "waiting" }, { _id: 1 }).lean()) !== null,
    /** Arrival of the oldest receipt that is still to be processed (unmatched ones wait for people). */
    oldestWaiting: async (): Promise<number | null> => {
      const oldest: number[] = [];
      for (const state of ["waiting", "asking"] as const) {
        const row = await model.findOne({ state }).sort({ receivedAt: 1 }).lean();
        if (row !== null) oldest.push(row.receivedAt);
      }
      return oldest.length === 0 ? null : Math.min(...oldest);
    },
    /** How many were due at a moment (ms) and were not processed since; unmatched ones are left out. */
    countDue: (at: number): Promise<number> => countPending({ nextTryAt: { $lte: at } }),
    /** How many of those that had arrived at a moment (ms) are still to be processed; unmatched ones are left out. */
    countLeft: (at: number): Promise<number> => countPending({ receivedAt: { $lte: at } }),
    /** How many are in which state. Those that took effect are not counted but kept count of, and may be some seconds behind. */
    countByState: async (): Promise<Record<Receipt["state"], number>> => ({
      waiting: await model.countDocuments({ state: "waiting" }),
      asking: await model.countDocuments({ state: "asking" }),
      again: await model.countDocuments({ state: "again" }),
      unmatched: await model.countDocuments({ state: "unmatched" }),
      done: await tallies.done.read(),
      kept: await tallies.kept.read(),
      failed: await model.countDocuments({ state: "failed" }),
    }),
  };
}

/** In the order in which they are processed. */
const slowStates = ["asking", "again", "unmatched"] as const;

function someOrNull(receipts: Receipt[]): Receipt[] | null {
  return receipts.length === 0 ? null : receipts;
}

function dueAgain(now: number) {
  return { state: "unmatched", nextTryAt: now, ...released } as const;
}

const toReceipt = readerOf(receiptRecord);
