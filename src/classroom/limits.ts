/** Waits and sizes of the wall to the classroom that are decisions; those of the throttle are in throttle-limits.ts. */

/** Attempts of a repeatable call that does not say otherwise. */
export const defaultAttempts = 4;

/** The longest Retry-After that makes all calls wait. */
export const maxPauseMs = 60_000;

/** Work of a paused account is checked again after this: an operator decides when it continues. */
export const pausedCheckMs = 600_000;

/** Failures in a row after which an account's background calls rest, where other accounts share the workers. */
export const maxFailuresBeforeRest = 2;

/** The first rest (ms), and the longest it grows to. */
export const backgroundRestMs = { first: 15_000, longest: 300_000 };

/** Background calls of one account at a time in one process, where other accounts share the workers; more come back after the wait (ms). */
export const maxBackgroundCalls = 2;
export const backgroundBusyMs = 1_000;

/** Attempts of such a call. */
export const maxBackgroundAttempts = 2;

/** A background call waits no longer for its turn (ms), where other accounts share the workers. */
export const maxBackgroundWaitMs = 10_000;

/** A 429 pauses calls for at least this long, even with Retry-After: 0. */
export const minPauseMs = 250;

/** How often the success of an address is recorded. */
export const successRecordMs = 24 * 3_600_000;

/** How long a 404 with a web page counts as "does not exist" after all other addresses failed. */
export const plainGoneTtlMs = 600_000;

/** A list that changes meanwhile may give one page without anything new; two mean that pages repeat. */
export const maxBarrenPages = 2;

/** Idle connections are closed after this, before the usual five seconds of servers. */
export const idleConnectionMs = 4_000;

/** The longest wait for this tool's own address. */
export const ownAddressTimeoutMs = 8_000;

/** Times the doctor asks while the answer is 429; a longer Retry-After (ms) is not waited for. */
export const keyAttempts = 3;

export const maxDoctorPauseMs = 15_000;

/** Of what the doctor shows of a reply (characters). */
export const maxRawReplyLength = 2_000;
