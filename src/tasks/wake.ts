import type { DueKind } from "../storage/due-heads.ts";
import type { TaskQueues } from "../storage/task-row.ts";

/**
 * Work that somebody may have just made: the queues of stores, kinds of tasks, and two that only this process hears of.
 * "upcoming": a session became known or changed, so classes that begin soon are looked for. "arrivals": people come to the
 * door, which may be busy soon.
 */
export type WakeKind = DueKind | TaskQueues | "upcoming" | "arrivals";

/** Tells the workers of a kind that there may be something to do. A hint: what it misses is found by looking, soon after. */
export type Wake = (kind: WakeKind) => void;
