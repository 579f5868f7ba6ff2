/** Whether webhooks still arrive from one environment. */
export type WebhookSigns = {
  /** The last one (ms), known ones included; null for never. */
  lastAt: number | null;
  /** Ends of courses' sessions since then (ms), earliest first; a few are enough. */
  endedSince: readonly number[];
};

/** Sessions that must have ended without a webhook: one alone may have been held by nobody. */
export const minSilentSessions = 3;

/**
 * Since when webhooks are missing (ms): the end of the first session that should have brought some; null for none.
 * @param toleranceMs How long after a session's end webhooks may take (ms).
 */
export function silentSince(signs: WebhookSigns, toleranceMs: number, now: number): number | null {
  const missed = signs.endedSince.filter((end) => end > (signs.lastAt ?? 0) && now - end >= toleranceMs);
  return missed.length >= minSilentSessions ? Math.min(...missed) : null;
}
