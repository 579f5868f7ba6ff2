import { dayMs } from "../kernel/clock.ts";
import { serviceLimits } from "../domain/account.ts";

/** Waits and sizes of the wall to the classroom that are decisions. */

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

/** How often the success of an address is recorded. */
export const successRecordMs = dayMs;

/** How long a 404 with a web page counts as "does not exist" after all other addresses failed. */
export const plainGoneTtlMs = 600_000;

/** The longest text in a reply (UTF-16 units), such as a title or an address. Transcripts have their own limit. */
export const maxTextLength = 8_000;

/** After `ofReading` entries a reading pauses and continues later; after `ofList` the rest of a list is left out. */
export const maxEntries = { ofReading: 5_000, ofList: 100_000 };

/** A list that changes while it is read may give one page without anything new; two mean that pages repeat. */
export const maxBarrenPages = 2;

/** Idle connections are closed after this, before the usual five seconds of servers. */
export const idleConnectionMs = 4_000;

/** The longest wait for this tool's own address. */
export const ownAddressTimeoutMs = 8_000;

/** Times the doctor asks while the answer is 429; a longer Retry-After (ms) is not waited for. */
export const keyAttempts = 3;

export const maxDoctorPauseMs = 15_000;

/** How much of a reply the doctor shows (characters). */
export const maxRawReplyLength = 2_000;

// What the throttle is tuned with. Times are in ms, of a steady clock.

/** "Fewer than 5 queries per second" (document part 8). */
export const defaultCallsPerWindow = serviceLimits.callsPerSecond;

/** Rounding of times, and clocks that run a little fast. */
export const marginMs = 3;

/** A call goes to its caller this long before its moment, to prepare the connection. */
export const headStartMs = 10;

/** A call's bytes may leave this long after its moment; others assume so until they know better. */
export const slackMs = 250;

/** How long a permit is left to a process that goes first before it counts as dead. */
export const graceMs = 150;

/** For each process that goes first, the next reading can wait longer; four are served in a second. */
export const readLaterMs = 60;

/** A reading this recent is good enough to write after it. */
export const freshReadMs = 10;

/** Times of day of machines that share a key may differ by this; only used to tell an old record from a fresh one. */
export const clockToleranceMs = 5_000;

/** Steady clocks of two machines diverge by no more (ms in a ms). */
export const clockDriftRatio = 0.001;

export const maxClocks = 500;

/** One permit in this many goes to the longest waiting caller, whatever the priority: no caller starves. */
export const permitsPerOldest = 20;

/** More permits than the limit, since a late one counts longer than later ones. */
export const maxPermits = 12;

/** After another process's call this one watches the record this long. */
export const watchOthersMs = 3_000;

/** A smaller improvement is not worth a write. */
export const worthReportingMs = 15;

/** Others plan the call that depends on it later than this after a call; until then several can be written together. */
export const reportAfterMs = 450;

/**
 * Calls are planned at most this far ahead; a later moment comes from a clock that was set back. It bounds a write to
 * a slow database, since a call is planned for the end of its write.
 */
export const maxPlanAheadMs = 5_000;

/** Longer pauses come from a clock that was set back. */
export const maxRecordedPauseMs = 600_000;

/** A permit given back is put so far into the past that it does not count. */
export const givenBackAgeMs = 60_000;

/** A process that cannot take the open permit within this is not waited for. */
export const ableWithinMs = 50;

/** After this long without a 429 all processes are less careful by one step. */
export const careStepMs = 900_000;

/** 429 answers this soon after the last one come from the same moment. */
export const sameRefusalMs = 2_000;

/** Ways to the service may differ by this for single calls, whatever else is known (ms). */
export const unevennessMs = 25;

/**
 * Calls may be counted this much later than their bytes left, on average (ms). With 4 calls in 1,000 ms, more would mean
 * less than 3.8 a second.
 */
export const latenessBudgetMs = 33;

/** A later answer is useless: by then the next call is planned. */
export const usefulUntilMs = 850;

/** More calls than are made while everything is slow for some seconds. */
export const maxTrips = 200;

/** How many of them are used to keep to the budget. */
export const budgetTripCount = 80;

/** Minimum of calls before the fastest is used as the least a call takes. */
export const minTrips = 20;

export const maxCare = 3;

/** A waiter of this age may take one of the rare permits that ignore priority. */
export const agedAfterMs = 10_000;

/** Waiting is recorded again within this time; older entries have ended. */
export const waitingTtlMs = 10_000;

/** How long before its moment a call is planned, alone and with other processes; twice a write is added, up to `max`. */
export const leadMs = { alone: 30, contended: 130, max: 400 };

/** How often to read the record: when one's turn may come any moment, and at least and at most before. */
export const readEveryMs = { near: 40, soon: 80, far: 2_000 };

/** The longest assumed way of a call (ms); after 429 answers longer. */
export const longestWayMs = { usually: 400, afterRefusals: 2_000 };
