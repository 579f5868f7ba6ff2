/** Recent wrong tries of a password. */
export type PasswordGuesses = {
  /** Tries that are not known to be right. */
  count: number;
  /** No tries before (ms). */
  blockedUntil: number;
  /** All of this is forgotten from here on (ms). */
  forgottenAt: number;
};

/** Whether a try may be made, and what is then stored. */
export type GuessVerdict =
  { allowed: true; next: PasswordGuesses } | { allowed: false; blockedUntil: number };

const minuteMs = 60_000;
/** Tries are forgotten this long after the latest one, or after the wait that it caused. */
const memoryMs = 15 * minuteMs;
const maxFreeGuesses = 5;
const firstWaitMs = minuteMs / 2;
const maxWaitMs = 15 * minuteMs;

/**
 * Judges a try before the comparison and counts it as wrong (a right one clears the count), so that a thousand
 * simultaneous tries get at most five answers. After five, each wrong try doubles the wait for all: from half a minute
 * to a quarter of an hour.
 * @param known What is stored; null for nothing.
 */
export function judgeGuess(known: PasswordGuesses | null, now: number): GuessVerdict {
  const current = known !== null && known.forgottenAt > now ? known : { count: 0, blockedUntil: 0 };
  if (current.blockedUntil > now) return { allowed: false, blockedUntil: current.blockedUntil };
  const count = current.count + 1;
  const wait = count < maxFreeGuesses ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (count - maxFreeGuesses));
  return { allowed: true, next: { count, blockedUntil: now + wait, forgottenAt: now + wait + memoryMs } };
}
