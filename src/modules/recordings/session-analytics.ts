import { z } from "zod";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask } from "../../tasks/task-kind.ts";

const payload = z.object({
  environment: z.string(),
  spaceId: z.string(),
  sessionId: z.string(),
  /** From the webhook (ms). */
  endedAt: z.number(),
});

const facts = z.object({
  /** How often the session was not in the list. */
  looks: z.number().default(0),
});

export type AnalyticsFacts = z.infer<typeof facts>;

/** Reads what the classroom says of a session that is over, one task for each: its end says that analytics are complete (interface 6.3). */
export const sessionAnalytics = defineTask({
  name: "session-analytics",
  order: "person-first-in-scope",
  payload,
  facts,
  identityOf: ({ environment, sessionId }) => ({
    ...{ key: `${environment}:${sessionId}`, scope: environment },
    ...{ registrationId: null, courseId: null },
  }),
  retry: retryPolicies["session-analytics"],
  whileRunning: "serves",
});
