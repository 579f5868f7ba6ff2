/** Sizes and waits of mail that are decisions. */

const minute = 60_000;
const hour = 60 * minute;

/** A course causes no more mails than this in a day; what is above is not sent, and the log says so. */
export const maxPerCourseDay = 5_000;

/** The server puts a mail off: the pauses before the next attempts (ms). After the last it is given up. */
export const pausesMs = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour];

/** One run of the task sends at most so many; the next run continues. */
export const maxPerRun = 50;

/** One mail must be handed over in this time, from its first word to the server's answer (ms). */
export const maxSendMs = 60_000;

/** A session is looked at again after this, where its course sends no reminders (ms): an institution may switch them on. */
export const lookAgainMs = 15 * minute;

/** A mail about a new time is a reminder as well, if it was made at most so long before the reminder would be (ms). */
export const changeRemindsMs = hour;

/** Sessions that one run looks at. */
export const maxSessionsPerRun = 500;

/** Percent of attended sessions below which attendance is called low where a course sends no warnings. */
export const usualLowShare = 75;

/** A learner with fewer recorded sessions has no share worth a warning. */
export const minRecordedSessions = 3;

/** A learner is warned at most so often in a course (ms). */
export const warningRestMs = 27 * 24 * hour;

/** So long after its week a weekly mail says nothing new (ms). */
export const weeklyUsefulMs = 3 * 24 * hour;

/** An alarm that comes and goes is mailed at most so often (ms). */
export const alarmRestMs = hour;

/** Alarms that begin in one look and are mailed. */
export const maxAlarmsMailed = 20;

/** So long after an alarm began its mail says nothing new (ms). */
export const alarmUsefulMs = 24 * hour;
