import type { AccountId } from "../../domain/account.ts";
import { type Receipt, type receiptRecord, type ReceiptState, receiptStates } from "../rules/receipt.ts";
import { latestFirst, type PageCursor, type TimeRange, type Records } from "../../storage/records.ts";
import { compareText } from "../../kernel/lists.ts";

/** Arrival time (ms); both ends are included. Null for no limit. */
type Arrived = { since: number | null; until: number | null };

/** The lists that operators see. */
export function receiptLists(records: Records<typeof receiptRecord>) {
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
  };
}
