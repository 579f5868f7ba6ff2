import { z } from "zod";
import { formerProblem, type FormerQueue, formerWork } from "./former-row.ts";

const reading = z.object({
  ...formerWork.shape,
  ...{ environment: z.string(), spaceId: z.string(), urgency: z.string() },
  readAt: z.number().nullish(),
  offered: z.boolean().nullish(),
  unplaced: z.number(),
  wants: z.number(),
  unfinished: z.unknown(),
});

/** One record for each (environment, Space). */
export const recordingReadingQueue: FormerQueue = {
  collection: "recordingreadings",
  kind: "recording-readings",
  toTask: (row) => {
    const known = reading.parse(row);
    const { environment, spaceId, readAt = null, offered = null, unplaced, unfinished = null } = known;
    return {
      ...{ key: `${environment}:${spaceId}`, scope: environment, payload: { environment, spaceId } },
      ...{ dueAt: known.dueAt, attempts: known.attempts, begun: known.attempts, wishes: known.wants },
      priority: known.urgency === "person" ? "person" : "background",
      ...{ leaseHolder: known.leaseHolder, leaseUntil: known.leaseUntil },
      problem: formerProblem(known),
      facts: { readAt, offered, unplaced, unfinished },
      ...{ doneAt: readAt, endedAt: readAt ?? 0 },
    };
  },
};
