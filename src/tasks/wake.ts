import type { DueKind } from "../storage/due-heads.ts";
import type { TaskQueues } from "../storage/task-lists.ts";

/**
 * Work that may have come: stores' queues, kinds of tasks, and two signals within this process. "upcoming": a session
 * became known or changed. "arrivals": people are entering.
 */
export type WakeKind = DueKind | TaskQueues | "upcoming" | "arrivals";

/** Wakes the workers of a kind. A hint: what it misses is found by looking, soon after. */
export type Wake = (kind: WakeKind) => void;
