import { dayMs, weekMs } from "../kernel/clock.ts";

/** Waits and sizes of `lms` that are decisions. Seconds are used where a standard counts in them. */

export const answerLifetimeSeconds = 300;

export const maxAnswerLabelLength = 255;

/**
 * How much earlier `iat` is than now (Security 1.0, 4.1): an LMS may refuse one that its clock has not reached
 * (Moodle's, and PyJWT in Open edX, have no leeway).
 */
export const backdatedSeconds = 30;

/** Known products have at most fifteen characters. */
export const maxProductLength = 64;

/** An id_token with a large custom claim is far smaller. */
export const maxParameterLength = 96 * 1024;

/** More than fit into a set of the size we read; further ones are ignored. */
export const maxPublishedKeys = 1_000;

/**
 * Below this, calls go one by one, with waits. Canvas holds 50 for each running call
 * (app/middleware/request_throttle.rb, `up_front_cost`): ten scores on their way leave this of its default 600.
 */
export const minQuota = 100;

/** Canvas's default (`outflow`); an institution may have another. */
export const quotaPerSecond = 10;

export const maxPacedLms = 1_000;

/** From login to return: people may have to log in at the LMS first. */
export const launchLifetimeMs = 10 * 60_000;

/** A token is not used in its last minute (or last half, when it is short): it would expire on the way. */
export const tokenMarginMs = 60_000;

export const maxTokenLifeMs = dayMs;

export const assertionLifetimeSeconds = 300;

export const maxPages = 2_000;

/** Characters and entries of all pages together; fifty thousand members stay below. */
export const maxListLength = 32 * 1024 * 1024;
export const maxListEntries = 100_000;

/** Source courses in one notice; further ones are not stored. */
export const maxOrigins = 100;

/** Allowed difference of two clocks. */
export const clockToleranceSeconds = 60;

/** Longer lives of tokens count as this. */
export const maxTokenLifeSeconds = 24 * 60 * 60;

/** Between a key's publication and its first signature, where an operator asks for it. */
export const keyLeadMs = 60 * 60_000;

/** How long a key signs before it is renewed. */
export const keyAgeMs = 30 * dayMs;

/** Keys that began to sign on one day are renewed on several days before that age. */
export const renewalSpreadMs = 5 * dayMs;

/** As `keyLeadMs`, for renewals, which nobody waits for: longer than LMSs keep a key set. */
export const renewalLeadMs = dayMs;

export const keyOverlapMs = dayMs;

/** Long enough to look into a mistaken withdrawal. */
export const withdrawnRetentionMs = weekMs;

export const maxOpenedKeys = 500;

export const rosterBatchSize = 250;

export const maxReturnLength = 1_000;

/** How long a process remembers that an LMS has (mostly) no pause. */
export const pauseTtlMs = 1_000;

export const maxPauses = 1_000;

/** Characters of an address of ours, with what an LMS adds to it. */
export const maxTargetLength = 4_096;

/** While the LMS does not answer, known keys work this much longer: usually an hour in all. */
export const staleKeysMs = 50 * 60_000;

/** An unknown `kid`, or an LMS that is down, causes at most one request in this time. */
export const keyFetchPauseMs = 5_000;

export const maxKeySets = 2_000;

export const maxBodyBytes = 100 * 1024;

/** A nonce is kept this much longer than its login counts: processes' clocks may differ. */
export const clockDifferenceMs = 2 * 60_000;

/** The longest name of a person or a thing (UTF-16 units); Moodle's activities have at most 1,333. */
export const maxNameLength = 2_000;

/** An id number of a person; Moodle's have at most 255 characters, Canvas's as well. */
export const maxIdNumberLength = 255;
