/** Waiting times and sizes of the embedded engine. */

/** How long after a commit the length of the log is noted. */
export const logMarkDelayMs = 100;

/** When SQLite starts the log again, its file is cut to this. A long reader, such as a backup, lets it grow. */
export const maxIdleLogBytes = 8 * 1024 * 1024;

/** For how long a commit proves that the file is writable. */
export const writeProofMs = 3_000;

/** The size of a probe after the disk refused something. */
export const probeBytes = 512 * 1024;

/** With less free space, the next write may not fit. */
export const minFreeBytes = 2 * 1024 * 1024;

/** Rows in one slice of a large write. A commit takes several slices. */
export const rowBatchSize = 2;

/** How far an update may stretch an array; MongoDB's limit. */
export const maxPaddingLength = 1_500_000;

/** How long opening waits for other processes that open, close or copy the file. */
export const openBusyMs = 10_000;

/** How long a read waits for them. The event loop is blocked during that time. */
export const busyMs = 2_000;

/** How many prepared statements are kept. A program has a few dozen shapes of queries. */
export const maxStatements = 400;

/** How many plans are kept for a collection, and how many LIMITs for a plan. */
export const maxPlans = 100;

/** After a request used the database, others are expected for this long. */
export const nearMs = 50;

/** The same for people, who read a page before they open the next. */
export const peopleNearMs = 1_000;

/** While a person waits, other work is held back for this long. */
export const holdMs = 40;

/** If a person still waits then, others may continue for this long in between. */
export const sliceMs = 10;

/** Most writes in one commit, so that a turn of the event loop stays short. */
export const maxBatchWrites = 256;

/** How long a write waits for the lock; longer while this process rewrites the file. */
export const busyLimitMs = 5_000;

export const longBusyLimitMs = 60_000;

/** If a mixed $in has more values, the matcher decides. */
export const maxListedValues = 200;

/** A file up to this size is rewritten immediately (a second for 40 MB, while writes wait); a bigger one at night. */
export const maxScrubbedBytes = 128 * 1024 * 1024;

export const lockWaitMs = 5_000;

/** How long a checkpoint waits for readers, with writers behind it, and how often it is tried. */
export const readersWaitMs = 200;

export const scrubAttempts = 10;

export const scrubRetryMs = 100;

/** MongoDB's limit for a document, as BSON. */
export const maxDocumentBytes = 16 * 1024 * 1024;

/** As often as MongoDB handles its expiry indexes. */
export const sweepIntervalMs = 60_000;

/** Most rows deleted in one transaction, so many expired documents don't hold others up. */
export const maxSweptDocuments = 1_000;

export const maxExpressions = 1_000;
