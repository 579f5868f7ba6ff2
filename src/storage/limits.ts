/** Waiting times and sizes below the stores that somebody chose. Those of the embedded engine: embedded/limits.ts. */

export const copyBatchSize = 500;

/** Documents that expire within this time aren't copied, because they could disappear during the comparison. */
export const copyExpirySkipMs = 15 * 60_000;

/** A process writes its changes of counts after this time at the latest. */
export const tallyDelayMs = 500;

/** How long a start waits for a database server that is starting, electing a primary or busy. */
export const startWaitMs = 5 * 60_000;

export const firstRetryMs = 1_000;

export const maxRetryMs = 15_000;

export const maxParallelIndexes = 4;

/** If a start waits longer than this for the indexes of one kind of record, the log says so. */
export const slowIndexesMs = 10_000;

/** How many failed tasks are read at once to find their scopes, of which there are far fewer. */
export const maxRetriedTasks = 2_000;

export const schemaLeaseMs = 10_000;

/** How often a process checks whether another one has finished. */
export const schemaPollMs = 250;

/** The longest claim without renewal. */
export const maxClaimMs = 60_000;

/** Heads read in one search. The first one that can be taken is nearly always among them. */
export const headPageSize = 20;

/** Due heads read to find which kinds are due. If there are more, every kind counts as due. */
export const maxHeadsRead = 500;

/** A head that this process lowered within this time isn't written again. */
export const announcementTtlMs = 1_000;

/** Pauses after empty searches, until an announcement counts as over. */
export const emptySearchPausesMs = [1_000, 14_000] as const;

/** Due work that couldn't be claimed is tried again after this (ms). */
export const passedOverMs = 1_000;

/** A claim without renewal ends within this time. */
export const claimLeaseMs = 10_000;

/** How the store's time follows a clock at one reading: by up to this if the clock agrees, by up to `creepMs` if it is off by up to a minute. */
export const driftMs = 200;
export const creepMs = 2_000;
export const creepUpToMs = 60_000;

/** A clock that was set is followed after this time, because usually it is corrected soon. */
export const stepHoldMs = 3 * 60_000;

/** A process on a folder whose clock agrees reports that at least this often. */
export const storeTimeReportMs = 20_000;

/** Longer than any process takes until it looks again. */
export const switchMs = 15_000;
