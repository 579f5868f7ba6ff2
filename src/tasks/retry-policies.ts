import { NamedError } from "../kernel/errors.ts";
import { hourMs, minuteMs, secondMs } from "../kernel/clock.ts";

export type RetryPolicy = {
  firstMs: number;
  /** Each pause is the one before times this. */
  factor: number;
  /** No pause is longer (ms), unless the other side asked for it. */
  longestMs: number;
  /** Failures in a row that are retried; after one more the task is given up until it is enqueued again. */
  tries: number;
  /** "give-up": only what is said to be temporary is tried again. "retry": everything is. */
  lasting: "give-up" | "retry";
};

/** The one table of what is retried, and when. */
export const retryPolicies = {
  /** From the classroom: the next reading of the session's timetable follows in any case. */
  "attendance-readings": { firstMs: minuteMs, factor: 2, longestMs: 6 * hourMs, tries: 9, lasting: "retry" },
  /** From the classroom: the next webhook or session asks for it again. */
  "recording-readings": { firstMs: 15 * secondMs, factor: 4, longestMs: hourMs, tries: 5, lasting: "retry" },
  /** From the classroom, by its slow budget; many have none. */
  "session-analytics": { firstMs: minuteMs, factor: 4, longestMs: 6 * hourMs, tries: 6, lasting: "give-up" },
  /** Only our own records are read: whatever fails is tried again. */
  "space-visits": { firstMs: 15 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  "session-presence": { firstMs: 5 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  "unplanned-sessions": { firstMs: 5 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  /** To the mail server, which does not answer; each mail says itself how long it is of use. */
  mails: { firstMs: 10 * secondMs, factor: 2, longestMs: 10 * minuteMs, tries: 200, lasting: "retry" },
  /** From the LMS: the nightly round asks for it again. */
  rosters: { firstMs: 5 * secondMs, factor: 2, longestMs: 10 * minuteMs, tries: 10, lasting: "give-up" },
} as const satisfies Record<string, RetryPolicy>;

/**
 * The wait after a failure (ms), or what the other side asked for (`retryAfterMs`, from Retry-After).
 * @param attempts Failures in a row, this one included.
 * @returns null when it is given up.
 */
export function retryAfter(policy: RetryPolicy, attempts: number, thrown: unknown): number | null {
  if (attempts > policy.tries) return null;
  if (policy.lasting === "give-up" && thrown instanceof NamedError && !thrown.temporary) return null;
  const pause = policy.firstMs * policy.factor ** Math.max(0, attempts - 1);
  return Math.max(Math.min(pause, policy.longestMs), askedFor(thrown) ?? 0);
}

function askedFor(thrown: unknown): number | null {
  const wait = thrown instanceof NamedError ? thrown.details["retryAfterMs"] : null;
  return typeof wait === "number" ? wait : null;
}
