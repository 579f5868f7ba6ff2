import { dayMs } from "../kernel/clock.ts";
import { serviceLimits } from "../domain/account.ts";

/** Waiting times and sizes of the wall to the classroom that somebody chose. */

/** How often a repeatable call is attempted by default. */
export const defaultAttempts = 4;

/** The longest Retry-After for which all calls wait (ms). */
export const maxPauseMs = 60_000;

/** How long until work of a paused account is checked again (ms). An operator decides when it continues. */
export const pausedCheckMs = 600_000;

/** After this many failures in a row, an account's background calls rest, if other accounts share the workers. */
export const maxFailuresBeforeRest = 2;

/** The first rest (ms), and the longest. */
export const backgroundRestMs = { first: 15_000, longest: 300_000 };

/** Most background calls of one account at a time in one process, if other accounts share the workers. Others return after the wait (ms). */
export const maxBackgroundCalls = 2;
export const backgroundBusyMs = 1_000;

/** How often such a call is attempted. */
export const maxBackgroundAttempts = 2;

/** A background call waits at most this long for its turn (ms), if other accounts share the workers. */
export const maxBackgroundWaitMs = 10_000;

/** How often we record that an address still works (ms). */
export const successRecordMs = dayMs;

/** How long a 404 with a web page counts as "does not exist" after all other addresses failed (ms). */
export const plainGoneTtlMs = 600_000;

/** The longest text we read from a reply (UTF-16 units), such as a title or an address. Transcripts have a separate limit. */
export const maxTextLength = 8_000;

/** After `ofReading` entries, a reading pauses and continues later. After `ofList`, the rest of the list is left out. */
export const maxEntries = { ofReading: 5_000, ofList: 100_000 };

/** A list that changes while we read it may bring one page without new entries. Two such pages mean that pages repeat. */
export const maxBarrenPages = 2;

/** We close idle connections after this (ms), sooner than the five seconds that servers usually wait. */
export const idleConnectionMs = 4_000;

/** The longest wait for an answer from this tool's own address (ms). */
export const ownAddressTimeoutMs = 8_000;

/** How often the doctor asks while the answer is 429. It doesn't wait for a longer Retry-After (ms). */
export const keyAttempts = 3;

export const maxDoctorPauseMs = 15_000;

/** How much of a reply the doctor shows (characters). */
export const maxRawReplyLength = 2_000;

// Settings of the throttle. Times are in ms of a steady clock.

/** "Fewer than 5 queries per second" (document part 8). */
export const defaultCallsPerWindow = serviceLimits.callsPerSecond;

/** Allows for rounding of times, and for clocks that run a little fast. */
export const marginMs = 3;

/** How long before its moment a call goes to its caller, so the connection can be prepared. */
export const headStartMs = 10;

/** How long after its moment a call's bytes may leave. Other processes assume this much until they know better. */
export const slackMs = 250;

/** How long a permit is left to a process that goes first, before that process counts as dead. */
export const graceMs = 150;

/** For each process that goes first, the next reading may wait this much longer; four are served in a second. */
export const readLaterMs = 60;

/** If the last reading is this recent, we may write without reading again. */
export const freshReadMs = 10;

/** How much the times of day of machines that share a key may differ. Only used to tell an old record from a fresh one. */
export const clockToleranceMs = 5_000;

/** The most by which steady clocks of two machines diverge (ms per ms). */
export const clockDriftRatio = 0.001;

export const maxClocks = 500;

/** One permit in this many goes to the longest-waiting caller, whatever its priority, so no caller starves. */
export const permitsPerOldest = 20;

/** More permits than the limit, because a late permit still counts when later ones are over. */
export const maxPermits = 12;

/** How long a process watches the record after another process's call. */
export const watchOthersMs = 3_000;

/** A smaller improvement isn't worth a write. */
export const worthReportingMs = 15;

/** Others plan the call that depends on a call later than this after it, so until then several reports can be written together. */
export const reportAfterMs = 450;

/**
 * How far ahead calls are planned at most. A moment further ahead comes from a clock that was set back. It also limits how long a
 * write to a slow database may take, since a call is planned for the end of its write.
 */
export const maxPlanAheadMs = 5_000;

/** A longer pause comes from a clock that was set back. */
export const maxRecordedPauseMs = 600_000;

/** A returned permit is moved this far into the past, so it doesn't count. */
export const givenBackAgeMs = 60_000;

/** We don't wait for a process that can't take the open permit within this. */
export const ableWithinMs = 50;

/** After this long without a 429, all processes become one step less careful. */
export const careStepMs = 900_000;

/** If 429 answers come this soon after the last one, they have the same cause. */
export const sameRefusalMs = 2_000;

/** How much the way to the service may vary for single calls, whatever else we know (ms). */
export const unevennessMs = 25;

/**
 * How much later than its bytes left a call may be counted, on average (ms). With 4 calls in 1,000 ms, more would mean less than 3.8
 * calls a second.
 */
export const latenessBudgetMs = 33;

/** An answer after this is useless, because the next call is planned by then. */
export const usefulUntilMs = 850;

/** More calls than we make while everything is slow for some seconds. */
export const maxTrips = 200;

/** How many of them we use to keep to the budget. */
export const budgetTripCount = 80;

/** How many calls we need before the fastest one counts as the least that a call takes. */
export const minTrips = 20;

export const maxCare = 3;

/** A waiting caller of this age may take one of the rare permits that ignore priority. */
export const agedAfterMs = 10_000;

/** A process reports within this time that it still waits. Older entries are over. */
export const waitingTtlMs = 10_000;

/** How long before its moment a call is planned: alone, and with other processes. Twice a write's duration is added, up to `max`. */
export const leadMs = { alone: 30, contended: 130, max: 400 };

/** How often to read the record: when our turn may come any moment, and at least and at most before that. */
export const readEveryMs = { near: 40, soon: 80, far: 2_000 };

/** The longest time that we assume a call is on its way (ms); longer after 429 answers. */
export const longestWayMs = { usually: 400, afterRefusals: 2_000 };
