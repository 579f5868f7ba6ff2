import { z } from "zod";
import { formerProblem, type FormerQueue, formerWork } from "./former-row.ts";

const reading = z.object({
  ...formerWork.shape,
  ...{ registrationId: z.string(), courseId: z.string(), state: z.string(), urgency: z.string() },
  ...{ listed: z.number(), written: z.number(), finishedAt: z.number(), activeAt: z.number() },
  total: z.number().nullish(),
  startedAt: z.number().nullish(),
  doneAt: z.number().nullish(),
});

/** One record for each course. */
export const rosterQueue: FormerQueue = {
  collection: "rostersyncs",
  kind: "rosters",
  toTask: (row) => {
    const known = reading.parse(row);
    const { registrationId, courseId, dueAt, attempts, leaseHolder, leaseUntil } = known;
    const { listed, written, total = null, startedAt = null, doneAt = null } = known;
    return {
      ...{ key: courseId, scope: registrationId, registrationId, courseId },
      payload: { registrationId, courseId },
      ...{ dueAt, attempts, begun: attempts, leaseHolder, leaseUntil },
      priority: known.urgency === "person" ? "person" : "background",
      // A repeated request kept the problem of before. Early records have a sentence without a code.
      problem: known.state === "failed" ? formerProblem({ problemCode: "", ...known }) : null,
      facts: { listed, written, total },
      ...{ startedAt, endedAt: known.finishedAt, doneAt, activeAt: known.activeAt },
    };
  },
};
