import type { Clock } from "../../kernel/clock.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { ReceiptStore } from "../../storage/receipt-store.ts";

export type PurgeDeps = { receipts: Pick<ReceiptStore, "purge">; clock: Clock };

/** Webhooks that have taken effect, or that we do not act on, are kept so long (ms); what failed is kept for a replay. */
export const receiptsKeptFor = 90 * 24 * 3_600_000;

/** So many in one go, so that nobody waits for the store. */
const slice = 500;

/**
 * Deletes what has served: old webhooks that took effect. What they said stands in attendance, with its history; the same
 * body delivered once more changes nothing there.
 * @returns how many records were deleted.
 */
export async function purge(deps: PurgeDeps): Promise<number> {
  const before = deps.clock.now() - receiptsKeptFor;
  let deleted = 0;
  for (;;) {
    const some = await deps.receipts.purge(before, slice);
    deleted += some;
    if (some < slice) return deleted;
    await letOthersRun();
  }
}
