/** Waits and sizes below the stores that are decisions; of the embedded engine: embedded/limits.ts. */

export const copyBatchSize = 500;

/** Documents that expire within this are not copied: they could go while they are compared. */
export const copyExpirySkipMs = 15 * 60_000;

/** A process writes its changes no later than this. */
export const tallyDelayMs = 500;

/** How long a start waits for a database server that comes up, elects a primary or is busy. */
export const startWaitMs = 5 * 60_000;

export const firstRetryMs = 1_000;

export const maxRetryMs = 15_000;

export const maxParallelIndexes = 4;

/** A start that waits longer for the indexes of one kind of records says so. */
export const slowIndexesMs = 10_000;

/** Failed tasks whose scopes are looked up together; there are far fewer scopes than tasks. */
export const maxRetriedTasks = 2_000;

export const schemaLeaseMs = 10_000;

/** How often a process looks whether another one has finished. */
export const schemaPollMs = 250;

/** The longest claim without renewal. */
export const maxClaimMs = 60_000;

/** Heads read in one search; the first that may be taken is nearly always among them. */
export const headPageSize = 20;

/** Due heads read to find the kinds that are due; with more, every kind counts as due. */
export const maxHeadsRead = 500;

/** A head that this process brought forward within this is not written again. */
export const announcementTtlMs = 1_000;

/** Pauses after empty searches, until an announcement is believed to be over. */
export const emptySearchPausesMs = [1_000, 14_000] as const;

/** Due work that could not be claimed is tried again after this (ms). */
export const passedOverMs = 1_000;

/** A claim without renewal ends within this. */
export const claimLeaseMs = 10_000;

/** At one reading the store's time follows a clock that agrees by this, one that was set by up to a minute by `creepMs`. */
export const driftMs = 200;
export const creepMs = 2_000;
export const creepUpToMs = 60_000;

/** A changed clock is followed after this long: usually it is soon set right again. */
export const stepHoldMs = 3 * 60_000;

/** A process on a folder whose clock agrees says so at least this often. */
export const storeTimeReportMs = 20_000;

/** Longer than any process takes to look again. */
export const switchMs = 15_000;
