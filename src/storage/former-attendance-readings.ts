import { z } from "zod";
import { formerProblem, type FormerQueue, formerWork } from "./former-row.ts";

const reading = z.object({
  ...formerWork.shape,
  ...{ environment: z.string(), eventId: z.string(), registrationId: z.string(), courseId: z.string() },
  ...{ endedAt: z.number(), urgency: z.string(), runs: z.number(), listed: z.number(), news: z.number() },
  readAt: z.number().nullish(),
  triedAt: z.number().nullish(),
  gapSeenAt: z.number().nullish(),
  unfinished: z.unknown(),
});

/** One record for each (environment, event). */
export const attendanceReadingQueue: FormerQueue = {
  collection: "attendancereadings",
  kind: "attendance-readings",
  toTask: (row) => {
    const known = reading.parse(row);
    const { environment, eventId, registrationId, courseId, endedAt, readAt = null } = known;
    const { runs, listed, news, gapSeenAt = null, unfinished = null } = known;
    return {
      ...{ key: `${environment}:${eventId}`, scope: registrationId, registrationId, courseId },
      payload: { environment, eventId, registrationId, courseId, endedAt },
      ...{ dueAt: known.dueAt, attempts: known.attempts, begun: known.attempts },
      priority: known.urgency === "person" ? "person" : "background",
      ...{ leaseHolder: known.leaseHolder, leaseUntil: known.leaseUntil },
      problem: formerProblem(known),
      facts: { runs, readAt, listed, news, gapSeenAt, unfinished },
      ...{ doneAt: readAt, endedAt: known.triedAt ?? 0 },
    };
  },
};
