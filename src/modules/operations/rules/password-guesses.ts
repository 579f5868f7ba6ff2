/** How often a password was tried in vain lately. */
export type PasswordGuesses = {
  /** Tries that are not known to be right. */
  count: number;
  /** Nobody may try before this moment (ms). */
  blockedUntil: number;
  /** From this moment on (ms) all of this is forgotten. */
  forgottenAt: number;
};

/** Whether a try may be made, and what is to be remembered of it if so. */
export type GuessVerdict =
  { allowed: true; next: PasswordGuesses } | { allowed: false; blockedUntil: number };

const minuteMs = 60_000;
/** Tries are forgotten this long after the latest one, or after the wait that it caused. */
const memory = 15 * minuteMs;
const freeGuesses = 5;
const firstWait = minuteMs / 2;
const longestWait = 15 * minuteMs;

/**
 * Judges a try before the password is compared, and counts it as wrong: a right one clears the count afterwards.
 * So a thousand tries at the same moment get no more than five answers. After five, each wrong try makes everybody
 * wait twice as long as the one before: half a minute, one, two, ... at most a quarter of an hour.
 * @param known What was remembered; null when nothing was.
 */
export function judgeGuess(known: PasswordGuesses | null, now: number): GuessVerdict {
  const current = known !== null && known.forgottenAt > now ? known : { count: 0, blockedUntil: 0 };
  if (current.blockedUntil > now) return { allowed: false, blockedUntil: current.blockedUntil };
  const count = current.count + 1;
  const wait = count < freeGuesses ? 0 : Math.min(longestWait, firstWait * 2 ** (count - freeGuesses));
  return { allowed: true, next: { count, blockedUntil: now + wait, forgottenAt: now + wait + memory } };
}
