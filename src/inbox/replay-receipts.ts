import type { App } from "../app.ts";
import { type ReceiptState, receiptStates } from "./rules/receipt.ts";
import { refusal } from "../kernel/refusal.ts";
import { type AuditDeps, writeAudit } from "../modules/audit/write-audit.ts";
import { findReceipts, type ReceiptFilter } from "./find-receipts.ts";
import { inBatches, type BatchOptions, defaultBatchLimit } from "../modules/operations/in-batches.ts";
import { cursorOf } from "../modules/operations/page-cursor.ts";

export type ReplayReceiptsDeps = AuditDeps & Pick<App, "receipts" | "wake">;

/** How many fit and how many are processed again; `busy` ones were being processed. `next`: where to go on. */
export type Replayed = { matched: number; replayed: number; busy: number; next: string | null };

/** @returns false when it is being processed now @throws NamedError receipt-unknown */
export async function replayReceipt(deps: ReplayReceiptsDeps, id: string): Promise<boolean> {
  if ((await deps.receipts.find(id)) === null)
    throw refusal("receipt-unknown", { values: { id }, status: 404 });
  const done = await deps.receipts.processAgain([id], deps.clock.now());
  if (done === 0) return false;
  await writeAudit(deps, { what: "webhooks-replayed", registrationId: null, on: id });
  deps.wake("slow-receipts");
  return true;
}

/**
 * Processes all receipts that fit again, in batches, behind new ones; skips those being processed. May be repeated.
 * @param filter Without states: all.
 * @param go How many to read, and from where.
 */
export async function replayReceipts(
  deps: ReplayReceiptsDeps,
  filter: ReceiptFilter,
  go: BatchOptions = {},
): Promise<Replayed> {
  const sum: Replayed = { matched: 0, replayed: 0, busy: 0, next: null };
  try {
    await eachSlice(deps, filter, go, sum, async (ids) => {
      const replayed = ids.length === 0 ? 0 : await deps.receipts.processAgain(ids, deps.clock.now());
      sum.replayed += replayed;
      sum.busy += ids.length - replayed;
      if (replayed > 0) deps.wake("slow-receipts");
    });
  } finally {
    // Also after an error.
    if (sum.replayed > 0) {
      const on = [`${sum.replayed}:`, ...inWords(filter)].join(" ");
      await writeAudit(deps, { what: "webhooks-replayed", registrationId: null, on });
    }
  }
  return sum;
}

/** How many fit, of at most `most` that are read. */
export async function countReceipts(
  deps: Pick<ReplayReceiptsDeps, "receipts">,
  filter: ReceiptFilter,
  go: BatchOptions = {},
): Promise<Pick<Replayed, "matched" | "next">> {
  const sum = { matched: 0, next: null };
  await eachSlice(deps, filter, go, sum, () => Promise.resolve());
  return sum;
}

async function eachSlice(
  deps: Pick<ReplayReceiptsDeps, "receipts">,
  filter: ReceiptFilter,
  { most = defaultBatchLimit, from = null }: BatchOptions,
  sum: Pick<Replayed, "matched" | "next">,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const states: readonly ReceiptState[] = filter.states.length === 0 ? receiptStates : filter.states;
  await inBatches(findReceipts(deps, filter, states, cursorOf(from), most), most, sum, act);
}

/** A filter as typed on the command line. */
function inWords({ states, environment, family, since, until, code, text }: ReceiptFilter): string[] {
  const day = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const said = {
    state: states.length === 0 ? null : states.join(","),
    environment,
    family,
    since: day(since),
    until: day(until),
    reason: code,
    // It may be a person's id: the log does not show it.
    text: text === null ? null : "...",
  };
  return Object.entries(said).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
}
