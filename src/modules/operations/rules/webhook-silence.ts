/** What tells whether webhooks still arrive from one environment. */
export type WebhookSigns = {
  /** When one came last (ms), also one that we knew already; null when none ever did. */
  lastAt: number | null;
  /** When sessions of courses ended since then (ms), the earliest first; a few are enough. */
  endedSince: readonly number[];
};

/** So many sessions must have ended without a word: one alone may have been held by nobody. */
export const sessionsUntilSilence = 3;

/**
 * Since when webhooks have been missing (ms): the end of the first session that should have brought some. Null while
 * nothing is missing: in holidays no session ends, and nothing is expected.
 * @param patience How long (ms) after a session's end nothing need have come yet.
 */
export function silentSince(signs: WebhookSigns, patience: number, now: number): number | null {
  const owed = signs.endedSince.filter((end) => end > (signs.lastAt ?? 0) && now - end >= patience);
  return owed.length >= sessionsUntilSilence ? Math.min(...owed) : null;
}
