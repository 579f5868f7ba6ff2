/** Waits and sizes of the wall to LMSs that are decisions. Seconds are said where a standard counts in them. */

export const answerLifetimeSeconds = 300;

export const maxAnswerLabelLength = 255;

/**
 * Security 1.0, 4.1: `iat` is when the JWT was generated. It is earlier on purpose: an LMS may refuse one that its clock has not
 * reached yet (Moodle's and PyJWT, which Open edX uses, have no leeway).
 */
export const backdatedSeconds = 30;

/** What is kept of a product's name; those that are known have at most fifteen characters. */
export const maxProductLength = 64;

/** Longest accepted value: an id_token with a large custom claim stays far below. */
export const maxParameterLength = 96 * 1024;

/** More keys than fit into a set of the size we read; what comes after them is not looked at. */
export const maxPublishedKeys = 1_000;

/**
 * Below this much quota calls go one by one, with waits in between. Canvas holds 50 for each running call until it is done
 * (app/middleware/request_throttle.rb, `up_front_cost`), so this is room for those of one process that are under way.
 */
export const lowQuota = 200;

/** How fast Canvas gives quota back, a second (`outflow`); an institution may have set another rate. */
export const quotaPerSecond = 10;

export const maxPacedLms = 1_000;

/** Lifetime of a launch from login to return (ms): people may have to log in at the LMS first. */
export const launchLifetimeMs = 10 * 60_000;

/** A token is not used in its last minute (or last half, when it is short): it would expire on the way. */
export const tokenMarginMs = 60_000;

export const maxTokenLifeMs = 24 * 60 * 60_000;

export const assertionLifetimeSeconds = 300;

export const maxPages = 2_000;

/** Characters of all pages together; a hundred thousand members stay below. */
export const maxListLength = 64 * 1024 * 1024;

/** More source courses than this in one notice are not remembered. */
export const maxOrigins = 100;

/** Clocks of two machines may differ by this much (seconds). */
export const clockToleranceSeconds = 60;

/** What a token's life counts for at most (seconds). */
export const maxTokenLifeSeconds = 24 * 60 * 60;

export const keyLeadMs = 60 * 60_000;

export const keyOverlapMs = 24 * 60 * 60_000;

/** A withdrawn key is kept this long, so that a mistaken withdrawal can still be looked into. */
export const withdrawnKeptMs = 7 * 24 * 60 * 60_000;

export const maxOpenedKeys = 500;

export const rosterBatchSize = 250;

export const maxReturnLength = 1_000;

/** How long a process believes what it read of an LMS's pauses (ms): hardly ever is there one. */
export const pauseTtlMs = 1_000;

export const maxPauses = 1_000;

/** Of an address of ours, with whatever an LMS adds to it (characters). */
export const maxTargetLength = 4_096;

/** Known keys go on working this much longer while the LMS does not answer: usually an hour in all. */
export const staleKeysMs = 50 * 60_000;

/** An unknown `kid`, or an LMS that is down, causes at most one request in this time. */
export const keyFetchPauseMs = 5_000;

export const maxKeySets = 2_000;

export const maxBodyBytes = 100 * 1024;

/** A nonce is remembered this much longer than its login counts (ms): instances' clocks may differ. */
export const clockDifferenceMs = 2 * 60_000;
