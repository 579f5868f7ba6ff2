/** Waits and sizes of analytics that are decisions. */

/** A session that is not in the list yet, though its end said that analytics are complete, is asked for again (ms). */
export const lookAgainMs = 10 * 60_000;
export const maxLooks = 4;

/** The end of what people did in a session comes at most so long (ms) after its scheduled end. */
export const saidWithinMs = 24 * 3_600_000;
