// Times and limits of joining.
import { dayMs, hourMs, minuteMs } from "../../../kernel/clock.ts";

/** The classroom accepts a login for an hour, and the person still has to arrive. */
export const loginUsableMs = 55 * minuteMs;
/** A little below the throttle's limit of 4 a second. */
export const queueCallsPerSecond = 3.9;
/** A person whose turn comes this soon sees no waiting page. */
export const noPageWaitMs = 2_000;
/** How long a new position counts as occupied before its page has reported. */
export const reservedPresentMs = 30_000;
/** A person counts as present this long after opening the page, which reloads every five seconds if scripts are off. */
export const pagePresentMs = 30_000;
/** The same after a page's script has asked: browsers let a background tab ask only once a minute. */
export const pollPresentMs = 75_000;
/** If this process dies, a watched position still counts as occupied this long. */
export const watchedPresentMs = 90_000;
/** A person whose page is gone can come back within this time, for example after a reload or a tunnel. */
export const reloadGraceMs = 15_000;
export const queuePollMs = 1_000;
/** Another process's reading counts this long. If that process was killed, all others then read the queue. */
export const maxSummaryAgeMs = 5_000;
/** At most this many absent people are taken out of a queue at once. */
export const maxLeftRows = 500;
/** After a local change the position is read immediately, but not more often than this. */
export const minQueuePollMs = 100;
/** The longest rest, so a slow reading or a clock that jumped can't freeze pages. */
export const maxRestMs = 2_000;
/** If nobody has got in for this long, the classroom doesn't answer or has asked for a pause. */
export const stalledAfterMs = 6_000;
/** While the classroom doesn't answer, an entry is retried this long before the person sees the problem. */
export const retryWindowMs = 60_000;
export const retryAfterMs = 3_000;
/** How often people held by a lease or a pause are checked again. */
export const recheckMs = 1_000;
/** Positions are forgotten this long after the arrival. */
export const positionLifetimeMs = 2 * hourMs;
/** A class moves at four entries a second. More in parallel would only wait for slow answers. */
export const maxParallelEntries = 16;
/** How long an entry under way may keep a process from ending. */
export const stopWaitMs = 3_000;
/** By then, the person who got a turn is in the queue and can be counted there. */
export const listedAfterMs = 10_000;
export const maxOrderedRows = 2_000;
/** Proxies cut silent streams, and a page notices a dead stream by the missing heartbeat. */
export const heartbeatMs = 15_000;
/** How many tabs of one address can listen at the same time. The newest win, the others poll. */
export const maxTabs = 3;
/** About as many events as a class of thousands causes while it enters. */
export const maxRecentEvents = 10_000;
/** A page that would wait longer doesn't reload, because its session would have ended. */
export const maxSelfOpenMs = 6 * hourMs;
/** Without scripts, the page reloads after this time. */
export const refreshSeconds = 5;
/** How often the timetable is read. A new session is planned immediately. */
export const timetableIntervalMs = 30_000;
/** How often courses are checked for people walking in, while people come. */
export const busyCheckIntervalMs = 5_000;
export const sessionBatchSize = 100;
export const maxSessionAgeMs = 12 * hourMs;
/** The whole class has its logins this long before the session, because the first people come early. */
export const readyLeadMs = 5 * minuteMs;
/** No login is fetched earlier. It lasts 55 minutes, so it's good for the first quarter of an hour of the session. */
export const maxLeadMs = 40 * minuteMs;
/** Planned calls per second: half of the limit. Entries and everything else use the rest. */
export const preparationCallsPerSecond = 2;
/** Nobody is expected later than this after a session's start. */
export const maxSessionMs = 12 * hourMs;
/** Fewer arrivals don't count as a class. */
export const minArrivals = 5;
/** Entries within this time show whether people walk in. */
export const busyWindowMs = 2 * minuteMs;
/** A course stops being busy this long after the last sign of it. */
export const busyTtlMs = 5 * minuteMs;
/** A login is replaced this long before it expires. */
export const renewLeadMs = minuteMs;
export const maxParallelLogins = 16;
/** After this time a class is listed again, because people come and others become more urgent. */
export const classListTtlMs = 60_000;
/** The pause for a class whose people may not enter at present. */
export const closedPauseMs = 10 * minuteMs;
/** How often a waiting call is checked again. At its turn nothing is checked, because the call would be sent late. */
export const callRecheckMs = 1_000;
/** Plans are kept this long after their end, so they aren't made again. */
export const planRetentionMs = dayMs;
export const memberPageSize = 500;
/** With so few accounts, asking which of them have work costs more than checking them all. */
export const maxFewAccounts = 4;
/** A course that wasn't busy is checked again after this time. */
export const quietForMs = 30_000;
