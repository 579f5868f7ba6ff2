import { z } from "zod";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask } from "../../tasks/task-kind.ts";

const payload = z.object({ id: z.string(), registrationId: z.string(), courseId: z.string() });

/** Makes sessions and attendance as the answer about a class says, one task for each class. */
export const unplannedSessions = defineTask({
  name: "unplanned-sessions",
  order: "person-first-in-scope",
  payload,
  facts: z.object({}),
  identityOf: ({ id, registrationId, courseId }) => ({
    ...{ key: id, scope: registrationId, registrationId, courseId },
  }),
  retry: retryPolicies["unplanned-sessions"],
  whileRunning: "again",
});
