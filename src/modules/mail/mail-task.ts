import { z } from "zod";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask } from "../../tasks/task-kind.ts";

const payload = z.object({
  /** Null for operators. */
  registrationId: z.string().nullable(),
});

/** Sends what waits of one LMS's mails, or of operators': one task each, so that one process at a time sends them. */
export const mailTask = defineTask({
  name: "mails",
  order: "person-first-in-scope",
  payload,
  facts: z.object({}),
  identityOf: ({ registrationId }) => ({
    ...{ key: registrationId ?? "operators", scope: registrationId ?? "operators" },
    ...{ registrationId, courseId: null },
  }),
  retry: retryPolicies.mails,
  whileRunning: "again",
});
