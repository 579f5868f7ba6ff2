import { dayMs } from "../../kernel/clock.ts";
import { openRecords } from "../../storage/records.ts";
import type { Connection } from "mongoose";
import { type Matchable, type Receipt, type ReceiptState, waitKey, receiptRecord } from "../rules/receipt.ts";
import { type DueRange, dueHeadsOf, everything } from "../../storage/due-heads.ts";
import { released } from "../../storage/due-queue.ts";
import { receiptLists } from "./receipt-lists.ts";
import { talliesOf } from "../../storage/tally-store.ts";

type Due = WhichQueue & Record<"nextTryAt" | "leaseUntil", { $lte: number }>;
type WhichQueue = Pick<Receipt, "state"> & Partial<Pick<Receipt, "environment">>;

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** Without `waitsFor` and `waitsForUser`, the receipt waits for nothing. */
export type ReceiptOutcome = Pick<
  Receipt,
  "state" | "reason" | "code" | "nextTryAt" | "waitsFor" | "waitsForUser"
> & {
  /** Replaces a body that names an erased person. */
  body?: string;
  /** Nothing was tried, so this wasn't an attempt. */
  uncounted?: boolean;
};

/** A receipt that must ask the classroom. `about`: the same for receipts about one person. */
type Asking = { id: string; about: string | null };

/** How many to claim together with their bodies; requests can run in between. */
const maxRead = 25;
/** The most bytes of bodies to claim together. A usual batch has a twentieth of this. */
const maxClaimedBytes = 4 * 1024 * 1024;
/** Webhooks of a Space that gets a course take effect from this long ago (ms): the class that is going on. */
const linkedLateMs = dayMs;

/** Receipts, identified by environment and digest of the body. */
export function createReceiptStore(connection: Connection) {
  const records = openRecords(connection, receiptRecord);
  const tallyOf = (state: "done" | "kept") =>
    talliesOf(connection).of(`receipts ${state}`, () => records.count({ state }));
  const tallies = { done: tallyOf("done"), kept: tallyOf("kept") };
  const firstOf = async (of: WhichQueue, nextTryAt: DueRange) => {
    const row = await records.row({ ...of, nextTryAt }, { sort: { nextTryAt: 1 } });
    return row === null ? null : { dueAt: row.nextTryAt, leaseUntil: row.leaseUntil };
  };
  // Fresh ones form a single queue, because none of them waits for a classroom. For the others, accounts take turns.
  const heads = dueHeadsOf(connection);
  const queues = {
    fresh: heads.queue("receipts", (_scope, range) => firstOf({ state: "waiting" }, range)),
    slow: heads.queue("slow-receipts", async (environment, range) => {
      const first = [];
      for (const state of slowStates) first.push((await firstOf({ state, environment }, range)) ?? []);
      return first.flat().sort((a, b) => a.dueAt - b.dueAt)[0] ?? null;
    }),
  };
  /** Announces to the accounts of some receipts that these will be slow and due, then writes it. @returns null if there are none */
  const becomeSlow = async <T>(which: Record<string, unknown>, at: number, write: () => Promise<T>) => {
    const accounts = await records.distinct("environment", which);
    if (accounts.length === 0) return null;
    return accounts.reduce((next, account) => () => queues.slow.announced(account, at, next), write)();
  };
  const giveBack = (ids: readonly string[], holder: string) =>
    records.changeAll({ _id: { $in: ids }, leaseHolder: holder }, { $set: released, $inc: { attempts: -1 } });
  /** Reads a few receipts with their bodies. If nobody else claimed any of them meanwhile, the rows read are still current. */
  const claimFew = async (due: Due, holder: string, { until, max }: { until: number; max: number }) => {
    const limit = Math.min(maxRead, max);
    const found = await records.rows(due, { sort: { nextTryAt: 1 }, limit });
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return { rows: [], ids };
    if (ids.length === limit) return null;
    const isMine = (await lease(ids, due, holder, until)) === ids.length;
    const mine = found.map((row) => ({ ...row, attempts: row.attempts + 1 }));
    return { rows: isMine ? mine : await records.rows({ _id: { $in: ids }, leaseHolder: holder }), ids };
  };
  const lease = (ids: readonly string[], due: Due, holder: string, until: number) =>
    records.changeAll(
      { _id: { $in: ids }, ...due },
      { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
    );
  const claim = async (ids: readonly string[], due: Due, holder: string, until: number) => {
    await lease(ids, due, holder, until);
    const rows = [];
    let bytes = 0;
    for (let from = 0; from < ids.length; from += maxRead) {
      if (bytes > maxClaimedBytes) {
        await giveBack(ids.slice(from), holder);
        break;
      }
      const mine = { _id: { $in: ids.slice(from, from + maxRead) }, leaseHolder: holder };
      for (const row of await records.rows(mine)) {
        rows.push(row);
        bytes += row.body.length;
      }
    }
    return rows;
  };
  /** Claims from a single state, because the index gives its oldest; a list of states would need sorting. */
  const claimDue = async (
    of: WhichQueue,
    holder: string,
    { now, until, max }: { now: number; until: number; max: number },
  ): Promise<Receipt[]> => {
    for (let found = max; found === max;) {
      const due = { ...of, nextTryAt: { $lte: now }, leaseUntil: { $lte: now } };
      const few = await claimFew(due, holder, { until, max });
      const some =
        few === null ? await records.some(["_id"], due, { sort: { nextTryAt: 1 }, limit: max }) : [];
      const ids = few?.ids ?? some.map(({ _id }) => _id);
      const rows = few?.rows ?? (await claim(ids, due, holder, until));
      if (rows.length > 0) return rows.map(records.read);
      // Other processes were faster, so there may be more.
      found = ids.length;
    }
    return [];
  };
  const retry = (waiting: Record<string, unknown>, now: number) =>
    becomeSlow(waiting, now, async () => {
      const due = { nextTryAt: now, ...released };
      const others = { ...waiting, state: { $ne: "kept" } } as const;
      await records.changeAll(others, { $set: { state: "unmatched", ...due } });
      const recent = { ...waiting, state: "kept", receivedAt: { $gte: now - linkedLateMs } } as const;
      tallies.kept.moved(-(await records.changeAll(recent, { $set: { state: "again", ...due } })));
    });
  const countPending = (filter: { nextTryAt?: { $lte: number }; receivedAt?: { $lte: number } }) =>
    records.count({ state: { $in: ["waiting", "asking", "again"] }, ...filter });

  return {
    ...receiptLists(records),
    /** @returns false if the same body is stored already. */
    insert: ({ id, ...rest }: Receipt): Promise<boolean> => {
      const insert = () => records.insert({ _id: id, ...rest, ...released });
      return slowStates.some((state) => state === rest.state)
        ? queues.slow.announced(rest.environment, rest.nextTryAt, insert)
        : queues.fresh.announced(everything, rest.nextTryAt, insert);
    },
    /** Claims fresh receipts until `until`, those that have been due longest first. */
    claimDue: async (holder: string, now: number, until: number, max: number): Promise<Receipt[]> => {
      const take = async () => {
        const due = await claimDue({ state: "waiting" }, holder, { now, until, max });
        return due.length === 0 ? null : due;
      };
      return (await queues.fresh.claim(now, { take })) ?? [];
    },
    /** As `claimDue`, for an account's receipts that may ask the classroom, then replayed ones, then unmatched ones. Accounts take turns. */
    claimSlow: async (holder: string, now: number, until: number, max: number): Promise<Receipt[]> => {
      const take = async (environment: string) => {
        for (const state of slowStates) {
          const due = await claimDue({ state, environment }, holder, { now, until, max });
          if (due.length > 0) return due;
        }
        return null;
      };
      return (await queues.slow.claim(now, { take })) ?? [];
    },
    /** Moves claimed receipts to the slow queue, as if they hadn't been claimed. */
    handOver: async (asking: readonly Asking[], holder: string, now: number): Promise<void> => {
      const byPerson = Map.groupBy(asking, ({ about }) => about);
      await becomeSlow({ _id: { $in: asking.map(({ id }) => id) } }, now, () =>
        records.model.bulkWrite(
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
     * Which of these people may soon become known, because the classroom is being asked or hasn't answered lately.
     * @param by Counts receipts whose next try is due by then (ms).
     * @param since Counts receipts that arrived from then on (ms).
     * @param but Receipts to leave out.
     */
    stillAskedAbout: async (
      people: readonly string[],
      { by, since }: { by: number; since: number },
      but: readonly string[],
    ): Promise<Set<string>> => {
      if (people.length === 0) return new Set();
      const about = { about: { $in: [...people] }, _id: { $nin: [...but] } };
      const rows = await records.some(["about", "nextTryAt", "receivedAt"], about);
      return new Set(
        rows.flatMap((row) => (row.nextTryAt <= by || row.receivedAt >= since ? (row.about ?? []) : [])),
      );
    },
    /** Skips receipts that are being processed. Waiting ones become due now, others after new ones. @returns how many */
    processAgain: async (ids: readonly string[], now: number): Promise<number> => {
      const free = { _id: { $in: ids }, leaseUntil: { $lte: now } };
      const due = { nextTryAt: now, attempts: 0 };
      const waits: ReceiptState[] = ["waiting", "asking", "again"];
      const ended: ReceiptState[] = ["failed", "unmatched"];
      const again = { ...due, state: "again", reason: null, code: null, ...released } as const;
      const makeDue = async () => {
        const waiting = await records.changeAll({ ...free, state: { $in: waits } }, { $set: due });
        const others = await records.changeAll({ ...free, state: { $in: ended } }, { $set: again });
        let served = 0;
        for (const state of ["done", "kept"] as const) {
          const some = await records.changeAll({ ...free, state }, { $set: again });
          tallies[state].moved(-some);
          served += some;
        }
        return waiting + others + served;
      };
      const announced = becomeSlow(free, now, () => queues.fresh.announced(everything, now, makeDue));
      return (await announced) ?? 0;
    },
    /** Extends the claims that are still held. @returns false if none is */
    extend: async (ids: readonly string[], holder: string, until: number): Promise<boolean> => {
      const claimed = { _id: { $in: ids }, leaseHolder: holder };
      return (await records.changeAll(claimed, { $set: { leaseUntil: until } })) > 0;
    },
    /** Stores the same outcome for all receipts. Has no effect on lost claims. */
    settle: async (ids: readonly string[], holder: string, given: ReceiptOutcome): Promise<void> => {
      const { uncounted = false, ...outcome } = given;
      const settle = () =>
        records.changeAll(
          { _id: { $in: ids }, leaseHolder: holder },
          {
            $set: {
              code: null,
              waitsFor: null,
              waitsForUser: null,
              ...(outcome.state === "asking" || outcome.state === "unmatched" ? {} : { about: null }),
              ...outcome,
              ...released,
            },
            // The bytes would still contain what the new body hides.
            ...(outcome.body === undefined ? {} : { $unset: { bytes: "" } }),
            ...(uncounted ? { $inc: { attempts: -1 } } : {}),
          },
        );
      const { state, nextTryAt } = outcome;
      const isSlow = slowStates.some((one) => one === state);
      if (isSlow) await becomeSlow({ _id: { $in: ids } }, nextTryAt, settle);
      else if (state === "waiting") await queues.fresh.announced(everything, nextTryAt, settle);
      else {
        const settled = await settle();
        if (state === "done" || state === "kept") tallies[state].moved(settled);
      }
    },
    /** Deletes receipts that are done, kept, or given up unmatched. @param before Arrival (ms). @returns how many */
    purge: async (before: number, limit: number): Promise<number> => {
      let deleted = 0;
      const unmatched = { $or: [{ waitsFor: { $gt: "" } }, { waitsForUser: { $gt: "" } }] };
      for (const served of [
        { state: "done" },
        { state: "kept" },
        { state: "failed", ...unmatched },
      ] as const) {
        const old = { ...served, receivedAt: { $lt: before } };
        const some = await records.some(["_id"], old, { limit: limit - deleted });
        if (some.length === 0) continue;
        const deletedNow = await records.remove({ _id: { $in: some.map(({ _id }) => _id) } });
        if (served.state !== "failed") tallies[served.state].moved(-deletedNow);
        deleted += some.length;
        if (deleted >= limit) break;
      }
      return deleted;
    },
    /** Makes receipts due that wait for this, even given-up ones. Ends their claims, since the holders may have looked too early. */
    retryWaiting: async (what: Matchable, now: number): Promise<void> => {
      const field = what.kind === "user" ? "waitsForUser" : "waitsFor";
      await retry({ [field]: waitKey(what) }, now);
    },
    /** As `retryWaiting`, by key; claimed receipts aren't changed. */
    retryWaitingFor: async (waitsFor: string, now: number): Promise<void> => {
      await retry({ waitsFor, leaseUntil: { $lte: now } }, now);
    },
    isReceiving: (): Promise<boolean> => records.exists({ state: "waiting" }),
    /** When the oldest receipt to be processed arrived. Unmatched ones don't count, because they wait for people. */
    oldestWaiting: async (): Promise<number | null> => {
      const oldest: number[] = [];
      for (const state of ["waiting", "asking"] as const) {
        const row = await records.row({ state }, { sort: { receivedAt: 1 } });
        if (row !== null) oldest.push(row.receivedAt);
      }
      return oldest.length === 0 ? null : Math.min(...oldest);
    },
    /** How many became due by a moment (ms) and haven't been processed, without unmatched ones. */
    countDue: (at: number): Promise<number> => countPending({ nextTryAt: { $lte: at } }),
    /** How many arrived by a moment (ms) and haven't been processed, without unmatched ones. */
    countLeft: (at: number): Promise<number> => countPending({ receivedAt: { $lte: at } }),
    /** "done" and "kept" are running totals, some seconds old. */
    countByState: async (): Promise<Record<Receipt["state"], number>> => ({
      waiting: await records.count({ state: "waiting" }),
      asking: await records.count({ state: "asking" }),
      again: await records.count({ state: "again" }),
      unmatched: await records.count({ state: "unmatched" }),
      done: await tallies.done.read(),
      kept: await tallies.kept.read(),
      failed: await records.count({ state: "failed" }),
    }),
  };
}

/** In the order in which they are processed. */
const slowStates = ["asking", "again", "unmatched"] as const;
