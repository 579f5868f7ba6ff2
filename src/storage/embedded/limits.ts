/** Waits and sizes of the embedded engine. */

/** How soon after a commit the length of the log is noted. */
export const logMarkDelayMs = 100;

/** The log's file is cut to this when it is begun again; a long reader, such as a backup, lets it grow. */
export const maxIdleLogBytes = 8 * 1024 * 1024;

/** How long a commit proves that the file can be written. */
export const writeProofMs = 3_000;

/** A probe after the disk has refused something. */
export const probeBytes = 512 * 1024;

/** With less free space the next write may not fit. */
export const minFreeBytes = 2 * 1024 * 1024;

/** Rows in one slice of a large write; a commit takes several slices. */
export const rowBatchSize = 2;

/** MongoDB's limit for stretching an array by an update. */
export const maxPaddingLength = 1_500_000;

/** How long opening waits for other processes that open, close or copy the file. */
export const openBusyMs = 10_000;

/** How long a read waits for the same; the event loop is blocked for as long. */
export const busyMs = 2_000;

/** Prepared statements kept; a program has a few dozen shapes of queries. */
export const maxStatements = 400;

/** Plans kept of a collection, and ends of one. */
export const maxPlans = 100;

/** After a request used the database, others are expected for this long. */
export const nearMs = 50;

/** The same for people, who read a page before they open the next. */
export const peopleNearMs = 1_000;

/** While a person waits, other work is held back for this long. */
export const holdMs = 40;

/** Where a person still waits after that, others continue for this long in between. */
export const sliceMs = 10;

/** Writes in one commit, so one turn of the event loop is short. */
export const maxBatchWrites = 256;

/** How long a write waits for the lock; the longer one while this process rewrites the file. */
export const busyLimitMs = 5_000;

export const longBusyLimitMs = 60_000;

/** More values in a mixed $in are left to the matcher. */
export const maxListedValues = 200;

/** Up to this size a file is rewritten immediately (a second for 40 MB, writes wait); a bigger one at night. */
export const maxScrubbedBytes = 128 * 1024 * 1024;

export const lockWaitMs = 5_000;

/** How long a checkpoint waits for readers, with writers behind it, and how often it is tried. */
export const readersWaitMs = 200;

export const scrubAttempts = 10;

export const scrubRetryMs = 100;

/** MongoDB's limit of a document, as BSON. */
export const maxDocumentBytes = 16 * 1024 * 1024;

/** MongoDB's own rhythm for its expiry indexes. */
export const sweepIntervalMs = 60_000;

/** Rows deleted in one transaction, so many expired documents do not hold others up. */
export const maxSweptDocuments = 1_000;

export const maxExpressions = 1_000;
