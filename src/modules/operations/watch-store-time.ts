import type { App } from "../../app.ts";

export type WatchOwnClockDeps = Pick<App, "dueTimes" | "clock" | "logger"> & {
  /** Milliseconds that have passed in this process, whatever the clock says. */
  elapsed: () => number;
};

/** Smaller changes are left to time: NTP moves clocks a little all the time. */
const noticedMs = 5_000;

/** Work was postponed by up to this, by the wrong clock. */
const backOffMs = 15 * 60_000;

/**
 * Detects that the machine's clock has been set back, since the last look or while the tool was stopped, and makes due
 * what would wait for the wrong time. Called every few seconds.
 * @returns a look, which gives how many records it changed.
 */
export function watchOwnClock({
  dueTimes,
  clock,
  elapsed,
  logger,
}: WatchOwnClockDeps): () => Promise<number> {
  let offset: number | null = null;
  return async () => {
    const now = clock.now();
    const before = offset;
    offset = now - elapsed();
    const leadMs = before === null ? await dueTimes.clockLeadMs(now) : before - offset;
    if (leadMs < noticedMs) return 0;
    try {
      const changed = await dueTimes.pullBack(now, leadMs + backOffMs);
      logger.warn(
        { seconds: Math.round(leadMs / 1000), changed },
        "the clock was set back; what was due by it is due now",
      );
      return changed;
    } catch (thrown) {
      // Seen again at the next look.
      offset = before;
      throw thrown;
    }
  };
}
