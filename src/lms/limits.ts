import { dayMs, weekMs } from "../kernel/clock.ts";

/** Waiting times and sizes that somebody chose. In seconds where the standard uses seconds. */

export const answerLifetimeSeconds = 300;

export const maxAnswerLabelLength = 255;

/**
 * How far `iat` is set back (Security 1.0, 4.1), because an LMS may refuse a token from the future of its own clock (Moodle and
 * PyJWT in Open edX have no leeway).
 */
export const backdatedSeconds = 30;

/** Product codes that we know have at most fifteen characters. */
export const maxProductLength = 64;

/** Even an id_token with a large custom claim is far smaller. */
export const maxParameterLength = 96 * 1024;

/** More keys than fit into a set of the size we read; further keys are ignored. */
export const maxPublishedKeys = 1_000;

/**
 * With less quota left, calls go one at a time, with waits. Canvas reserves 50 for each running call
 * (app/middleware/request_throttle.rb, `up_front_cost`): ten scores on their way leave this much of its default 600.
 */
export const minQuota = 100;

/** Canvas's default (`outflow`). An institution may have another rate. */
export const quotaPerSecond = 10;

export const maxPacedLms = 1_000;

/** From login to launch; people may have to log in at the LMS first. */
export const launchLifetimeMs = 10 * 60_000;

/** We don't use a token in its last minute (or last half, if it is short-lived), because it could expire on the way. */
export const tokenMarginMs = 60_000;

export const maxTokenLifeMs = dayMs;

export const assertionLifetimeSeconds = 300;

export const maxPages = 2_000;

/** Few lists are read at the same time, so slow LMSs must not hold up the others for hours. */
export const maxListMs = 20 * 60_000;

/** Characters and entries of all pages of a list together. Fifty thousand members are below this. */
export const maxListLength = 32 * 1024 * 1024;
export const maxListEntries = 100_000;

/** Source courses of one notice; we don't store more. */
export const maxOrigins = 100;

/** How much two clocks may differ. */
export const clockToleranceSeconds = 60;

/** A longer lifetime of a token is cut to this. */
export const maxTokenLifeSeconds = 24 * 60 * 60;

/** Time between publishing a key and signing with it, if an operator rotates keys. */
export const keyLeadMs = 60 * 60_000;

/** How long a key signs before the next one replaces it. */
export const keyAgeMs = 30 * dayMs;

/** Keys that started on the same day are renewed on different days, up to this long before that age. */
export const renewalSpreadMs = 5 * dayMs;

/** As `keyLeadMs`, for automatic renewal, which nobody waits for: longer than LMSs cache a key set. */
export const renewalLeadMs = dayMs;

export const keyOverlapMs = dayMs;

/** Long enough to find a key that was withdrawn by mistake. */
export const withdrawnRetentionMs = weekMs;

export const maxOpenedKeys = 500;

export const rosterBatchSize = 250;

export const maxReturnLength = 1_000;

/** How long a process remembers an LMS's pauses, usually that there is none. */
export const pauseTtlMs = 1_000;

export const maxPauses = 1_000;

/** The longest address of ours, including what an LMS adds to it (characters). */
export const maxTargetLength = 4_096;

/** If the LMS doesn't answer, known keys work this much longer; together usually an hour. */
export const staleKeysMs = 50 * 60_000;

/** An unknown `kid`, or an LMS that is down, causes at most one request in this time. */
export const keyFetchPauseMs = 5_000;

export const maxKeySets = 2_000;

export const maxBodyBytes = 100 * 1024;

/** A nonce is stored this much longer than its login is valid, because processes' clocks may differ. */
export const clockDifferenceMs = 2 * 60_000;

/** The longest name of a person or thing (UTF-16 units); names of Moodle's activities have at most 1,333. */
export const maxNameLength = 2_000;

/** The longest ID number of a person; Moodle's and Canvas's have at most 255 characters. */
export const maxIdNumberLength = 255;
