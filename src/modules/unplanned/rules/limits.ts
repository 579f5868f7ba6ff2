/** Sizes and waits of unplanned classes that are decisions. */

const minute = 60_000;
const day = 24 * 60 * minute;

/** A shorter time together is no class. */
export const minClassMs = 10 * minute;

/** A shorter time of one learner with their teacher is a question, no lesson. */
export const minLessonMs = 20 * minute;

/** A visit no longer than this is not counted: somebody looked in. */
export const minVisitMs = minute;

/** Who came no longer than this before a planned session, or left no longer after it, came for it. */
export const earlyMs = 15 * minute;
export const lateMs = 30 * minute;

/** Of a planned session without an end. */
export const assumedSessionMs = 2 * 60 * minute;

/** How long a class is asked about: longer ago nobody remembers. */
export const askedForMs = 30 * day;

/** People in a Space within the time of a look. */
export const maxPresences = 5_000;

/** Sessions of Spaces in which one user was. */
export const maxVisitsOfUser = 500;

/** Classes of a course that are listed. */
export const maxListed = 50;

/** Classes in which strangers are looked for. */
export const maxStrangersClasses = 10;
