/** Waits and sizes of presence that are decisions. */

/** Signals in one write. */
export const signalBatchSize = 25;

/** The longest delay of the webhook, which comes after the session was processed (interface 6.3). */
export const maxReportDelayMs = 3 * 3_600_000;

export const assumedSessionMs = 3_600_000;

export const maxEnds = 200;

/** More are counted, not named. */
export const maxNamed = 300;

/** After this silence a person without a reported leaving no longer counts as present. */
export const silenceMs = 4 * 3_600_000;

/** A shorter absence is none: pages are reloaded and connections break. */
export const reconnectMs = 60_000;

/** Presence this long before and after a session is shown with it. */
export const earlyMs = 15 * 60_000;

export const lateMs = 30 * 60_000;

/** A person who came this long before a session may still be there. */
export const maxEarlyMs = 12 * 3_600_000;

/** Presence is kept for a while only, so no page asks for more. */
export const maxSessions = 400;

/** Per person and session: two tab changes a minute for two hours. From here on only coming and going is kept. */
export const maxTabSigns = 500;

/** Coming and going included: some hundred visits in a session that lasts for days. */
export const maxSigns = 1_000;

/** Only the first stays are listed. */
export const maxStays = 4;

/** Kept with a session as evidence. */
export const maxKeptStays = 10;

/** How long after a session its presence is computed again (ms): presence is kept for 90 days after its report, so part of older ones may be gone. */
export const recomputedForMs = 60 * 24 * 3_600_000;

/** A shorter pause is a break within a class; a longer one parts two. */
export const breakMs = 15 * 60_000;
