import type { AccountId } from "../../domain/account.ts";
import type { RowOf } from "../../domain/record.ts";
import { type Receipt, type receiptRecord, type ReceiptState, receiptStates } from "../rules/receipt.ts";
import { type DueQueue, everything } from "../../storage/due-heads.ts";
import { latestFirst, type PageCursor, type TimeRange, type Records } from "../../storage/records.ts";
import { released } from "../../storage/due-queue.ts";
import type { Tally } from "../../storage/tally-store.ts";
import { compareText } from "../../kernel/lists.ts";

export type ReceiptRow = RowOf<typeof receiptRecord>;

/** Arrival time (ms); both ends are included. Null for no limit. */
type Arrived = { since: number | null; until: number | null };

/** The lists that operators see and replay. */
export function receiptLists(
  records: Records<typeof receiptRecord>,
  queues: Record<"fresh" | "slow", DueQueue>,
  tallies: Record<"done" | "kept", Tally>,
) {
  const ofState = (
    state: ReceiptState,
    { since, until }: Arrived,
    after: PageCursor | null,
    limit: number,
  ) => {
    const within = (range: TimeRange) => {
      const from = since === null ? {} : { $gte: since };
      if ("at" in range) {
        const later = range.after === null ? {} : { _id: { $gt: range.after } };
        return { state, receivedAt: { $eq: range.at, ...from }, ...later };
      }
      const end = until === null ? { $lt: range.before } : { $lt: Math.min(range.before, until + 1) };
      return { state, receivedAt: { ...end, ...from } };
    };
    return latestFirst(
      (range, max) =>
        records.rows(within(range), { sort: "at" in range ? { _id: 1 } : { receivedAt: -1 }, limit: max }),
      ({ receivedAt }) => receivedAt,
      after,
      limit,
    );
  };

  return {
    find: (id: string): Promise<Receipt | null> => records.find({ _id: id }),
    /** Latest first. @param after Where the previous page ended. */
    page: async (
      states: readonly ReceiptState[],
      arrived: Arrived,
      after: PageCursor | null,
      limit: number,
    ): Promise<Receipt[]> => {
      const rows = await Promise.all(states.map((state) => ofState(state, arrived, after, limit)));
      return rows
        .flat()
        .sort((one, other) => other.receivedAt - one.receivedAt || compareText(one._id, other._id))
        .slice(0, limit)
        .map(records.read);
    },
    /** Counts up to a limit. @param before Only receipts that arrived before this moment (ms). */
    countUpTo: (state: ReceiptState, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      records.count({ state, receivedAt: { $lt: before } }, limit),
    /** Counts receipts that arrived between two moments (ms), up to a limit. */
    countArrived: (since: number, before: number, limit: number) =>
      records.count({ state: { $in: [...receiptStates] }, receivedAt: { $gte: since, $lt: before } }, limit),
    /** Counts failed receipts that arrived since a moment (ms), by account, among the latest `limit`. */
    failedSince: async (since: number, limit: number): Promise<Map<AccountId, number>> => {
      const rows = await records.some(
        ["environment"],
        { state: "failed", receivedAt: { $gte: since } },
        { sort: { receivedAt: -1 }, limit },
      );
      const by = Map.groupBy(rows, ({ environment }) => environment);
      return new Map([...by].map(([account, some]) => [account, some.length]));
    },
    /** When the first receipt of a state arrived (ms), or null. */
    oldestOf: async (state: ReceiptState) =>
      (await records.row({ state }, { sort: { receivedAt: 1 } }))?.receivedAt ?? null,
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
      return queues.fresh.announced(everything, now, () => queues.slow.announced(everything, now, makeDue));
    },
  };
}
