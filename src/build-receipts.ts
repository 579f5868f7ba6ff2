import type { Matchable } from "./inbox/rules/receipt.ts";
import { processReceipts, type ProcessReceiptsDeps, processSlowReceipts } from "./inbox/process-receipts.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";

/** What lets webhooks take effect. */
export type Receipts = {
  worker: Worker;
  /** Wakes those who process what may take longer, and what is to be processed once more. */
  wakeSlow: () => void;
  /** Something that webhooks may have waited for has appeared: those are looked at again. */
  onMatchable: (what: Matchable) => Promise<void>;
};

/**
 * Puts together the two workers of webhooks: one for all that need nothing but the store, and one for those about which the
 * classroom may have to be asked, which takes a few calls a second. So no webhook waits behind a slow one.
 */
export function buildReceipts(deps: Omit<ProcessReceiptsDeps, "onAsking">): Receipts {
  const slow: Worker = createWorker(deps, {
    name: "slow receipts",
    lanes: 2,
    idleMs: untilWoken,
    step: () => processSlowReceipts(processing),
  });
  const processing = { ...deps, onAsking: slow.wake };
  const fresh = createWorker(deps, {
    name: "receipts",
    lanes: 2,
    idleMs: untilWoken,
    // Webhooks are stored before any of them is processed: the classroom is answered first.
    gather: { quietMs: 40, atMostMs: 2_000 },
    step: () => processReceipts(processing),
  });
  return {
    worker: {
      start: () => {
        fresh.start();
        slow.start();
      },
      wake: fresh.wake,
      stop: async () => {
        await Promise.all([fresh.stop(), slow.stop()]);
      },
    },
    wakeSlow: slow.wake,
    onMatchable: async (what) => {
      await deps.receipts.retryWaiting(what, deps.clock.now());
      slow.wake();
    },
  };
}
