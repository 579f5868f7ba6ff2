/** Waits and sizes of spaces that are decisions. */

/** Instructors whose user is made first: all people who enter wait for each call. */
export const maxHostsMadeFirst = 3;

/** Hosts and participants in one request, so that services take its body. */
export const maxPeople = { instructor: 100, learner: 1_000 };

/** Rows of each list; decisions bring up the next ones. */
export const maxRows = 100;

/** Open requests of one course: ids can be typed without end. */
export const maxOpenRequests = 20;

export const maxIdLength = 200;

export const maxRights = 500;

export const rightBatchSize = 200;

/** The time one process has to pass on a change of Space; then another does it. */
export const changeLeaseMs = 20_000;

export const maxShown = { hosts: 1_000, instructors: 100, failed: 20 };
