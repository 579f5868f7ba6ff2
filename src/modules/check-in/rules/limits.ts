/** Sizes and times of checking in that are decisions. */

const minute = 60_000;

/** So long a code is the newest; the one before it is still taken, for whoever was typing. */
export const codeMs = 30_000;

/** How long learners may check in: what an instructor chooses from, in minutes. */
export const openMinutes = [2, 5, 10, 15, 30, 60] as const;
export const usualMinutes = 10;

/** People sit down before a session begins (ms). */
export const earlyMs = 15 * minute;

/** Of a session without an end (ms). */
export const assumedSessionMs = 2 * 60 * minute;

/** Wrong codes within ten minutes: of one learner, and of all learners of a session together. */
export const maxWrongOfPerson = 10;
export const maxWrongOfSession = 1_000;

/** The address that a scanned code opens, before its id. */
export const scannedAt = "/check-in";

/** Sessions of one course in which learners check in at once. */
export const maxOpen = 20;
