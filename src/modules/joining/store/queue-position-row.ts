import type { RowOf } from "../../../domain/record.ts";
import type { queuePositionRecord } from "../rules/queue-position.ts";

/** A place as it is stored. */
export type QueuePositionRow = RowOf<typeof queuePositionRecord>;
