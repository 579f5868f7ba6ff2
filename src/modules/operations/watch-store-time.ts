import type { App } from "../../app.ts";

export type WatchStoreTimeDeps = Pick<App, "dueTimes" | "storeTime" | "logger">;

/** Smaller changes are left to time. */
const noticedMs = 5_000;

/** Work was postponed by up to this, by the wrong time. */
const backOffMs = 15 * 60_000;

/** What was in hand is written with the former time for a while, so it is looked for again after these. */
const againAfterMs = [0, 15_000, 60_000] as const;

/**
 * Keeps to the store's time, and when that went back, since the last look or while the tool was stopped, makes due
 * what would wait for the wrong time. Called every few seconds.
 * @returns a look, which gives how many records it changed.
 */
export function watchStoreTime({ dueTimes, storeTime, logger }: WatchStoreTimeDeps): () => Promise<number> {
  let base: number | null = null;
  let pulls: { at: number; leadMs: number; endsClaims: boolean }[] = [];
  return async () => {
    await storeTime.look();
    const now = storeTime.now();
    const at = storeTime.elapsed();
    const before = base;
    base = now - at;
    const leadMs = before === null ? await dueTimes.clockLeadMs(now) : before - base;
    if (leadMs >= noticedMs) {
      // Those who hold claims have renewed them by the second time: the others' are a dead process's.
      pulls = againAfterMs.map((ms, index) => ({ at: at + ms, leadMs, endsClaims: index > 0 }));
      logger.warn(
        { seconds: Math.round(leadMs / 1000) },
        "the time went back; what was due by it is due now",
      );
    }
    let changed = 0;
    for (const pull of pulls.filter((one) => one.at <= at))
      changed += await dueTimes.pullBack(now, pull.leadMs + backOffMs, pull.endsClaims);
    // After a failure it is pulled again at the next look.
    pulls = pulls.filter((one) => one.at > at);
    return changed;
  };
}
