/** Waits and sizes of analytics that are decisions. */

/** A session that is not in the list yet, though its end said that analytics are complete, is asked for again (ms). */
export const lookAgainMs = 10 * 60_000;
export const maxLooks = 4;

/** So long (ms) a process remembers of an account that it answers 404 for analytics, or that it has them. */
export const offerKnownMs = 24 * 3_600_000;

/** Of a course, latest first. */
export const maxSessions = 100;
/** Shown of a session. */
export const maxPeople = 300;
