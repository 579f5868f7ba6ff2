import type { RowOf } from "../../../domain/record.ts";
import type { queuePositionRecord } from "../rules/queue-position.ts";

export type QueuePositionRow = RowOf<typeof queuePositionRecord>;
