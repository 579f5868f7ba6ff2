// Times and limits of joining.
import { dayMs, hourMs, minuteMs } from "../../../kernel/clock.ts";

/** The classroom takes a login for an hour, and the person still has to arrive. */
export const loginUsableMs = 55 * minuteMs;
/** A little below the throttle's limit of 4. */
export const queueCallsPerSecond = 3.9;
/** A person whose turn comes this soon sees no waiting page. */
export const noPageWaitMs = 2_000;
/** A new position counts as occupied this long before its page has reported. */
export const reservedPresentMs = 30_000;
/** A person counts as present this long after opening the page: without scripts it reloads every five seconds. */
export const pagePresentMs = 30_000;
/** After a page's script has asked: browsers let a background tab ask only once a minute. */
export const pollPresentMs = 75_000;
/** A watched position counts as occupied this long should this process die. */
export const watchedPresentMs = 90_000;
/** A person whose page is gone may come back within this: a reload, a tunnel. */
export const reloadGraceMs = 15_000;
export const queuePollMs = 1_000;
/** What another process read counts this long; a killed one's reading is then made by all. */
export const maxSummaryAgeMs = 5_000;
/** At most this many people who left are taken out of a queue together. */
export const maxLeftRows = 500;
/** After a local change the position is read immediately, but not more often than this. */
export const minQueuePollMs = 100;
/** A slow reading or a clock that jumped must not freeze pages. */
export const maxRestMs = 2_000;
/** When nobody has got in for this long, the classroom does not answer or asked for a pause. */
export const stalledAfterMs = 6_000;
/** While the classroom does not answer, an entry is retried this long before its person sees the problem. */
export const retryWindowMs = 60_000;
export const retryAfterMs = 3_000;
/** Recheck for people held by a lease or a pause. */
export const recheckMs = 1_000;
/** Positions are forgotten this long after arrival. */
export const positionLifetimeMs = 2 * hourMs;
/** A class moves at four a second; more would only wait for slow answers. */
export const maxParallelEntries = 16;
/** How long an entry under way may keep a process from ending. */
export const stopWaitMs = 3_000;
/** By then the person of a turn is in the queue and can be counted there. */
export const listedAfterMs = 10_000;
export const maxOrderedRows = 2_000;
/** Proxies cut silent streams, and the page notices a dead one. */
export const heartbeatMs = 15_000;
/** Tabs of one address that listen at the same time; the newest win, the others poll. */
export const maxTabs = 3;
/** About as many as a class of thousands causes while it enters. */
export const maxRecentEvents = 10_000;
/** A page that would wait longer does not reload: its session would have ended. */
export const maxSelfOpenMs = 6 * hourMs;
/** Without scripts the page reloads after this time. */
export const refreshSeconds = 5;
/** How often the timetable is read; a new session is planned immediately. */
export const timetableIntervalMs = 30_000;
/** How often courses are checked for people walking in, while people come. */
export const busyCheckIntervalMs = 5_000;
export const sessionBatchSize = 100;
export const maxSessionAgeMs = 12 * hourMs;
/** The whole class has its logins this long before the session: the first come early. */
export const readyLeadMs = 5 * minuteMs;
/** No login is fetched earlier: it lasts 55 minutes, so it is good a quarter of an hour into the session. */
export const maxLeadMs = 40 * minuteMs;
/** Calls a second planned with: half of the limit; entries and everything else use the rest. */
export const preparationCallsPerSecond = 2;
/** Nobody is expected later than this after a session's start. */
export const maxSessionMs = 12 * hourMs;
/** Fewer arrivals are no class. */
export const minArrivals = 5;
/** Entries within this time show whether people walk in. */
export const busyWindowMs = 2 * minuteMs;
/** A course stops being busy this long after the last sign of it. */
export const busyTtlMs = 5 * minuteMs;
/** A login is replaced this long before it runs out. */
export const renewLeadMs = minuteMs;
export const maxParallelLogins = 16;
/** A class is listed again after this time: people come, and others become more urgent. */
export const classListTtlMs = 60_000;
/** Pause for a class whose people may not enter at present. */
export const closedPauseMs = 10 * minuteMs;
/** How often a waiting call is rechecked. Nothing is checked at its turn: it would be sent later than planned. */
export const callRecheckMs = 1_000;
/** Plans are kept this long after their end, so they are not made again. */
export const planRetentionMs = dayMs;
export const memberPageSize = 500;
/** With so few accounts, asking which of them have work costs more than checking all. */
export const maxFewAccounts = 4;
/** A course that was not busy is checked again after this long. */
export const quietForMs = 30_000;
