import type { App } from "../../app.ts";

export type WatchOwnClockDeps = Pick<App, "dueTimes" | "clock" | "logger"> & {
  /** Milliseconds that have passed in this process, whatever the clock says. */
  elapsed: () => number;
};

/** Less than this (ms) is left to time: NTP moves clocks by little things all the time. */
const noticedMs = 5_000;

/** By the wrong clock, things were put off for so long (ms) besides. */
const backOffMs = 15 * 60_000;

/**
 * Looks whether the machine's clock has been set back, since the look before or while the tool was stopped, and if so makes
 * due what would otherwise wait until the wrong time comes once more. To be called every few seconds.
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
    const ahead = before === null ? await dueTimes.aheadBy(now) : before - offset;
    if (ahead < noticedMs) return 0;
    try {
      const changed = await dueTimes.pullBack(now, ahead + backOffMs);
      logger.warn(
        { seconds: Math.round(ahead / 1000), changed },
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
