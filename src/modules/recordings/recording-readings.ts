import { z } from "zod";
import { unfinishedSchema } from "../../tasks/unfinished-schema.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask, type Task } from "../../tasks/task-kind.ts";

const payload = z.object({ environment: z.string(), spaceId: z.string() });

const facts = z.object({
  /** When the list was last read (ms). */
  readAt: z.number().nullable().default(null),
  /** Whether the classroom has such a list; null while unknown. Without one there are webhooks only. */
  offered: z.boolean().nullable().default(null),
  /** Entries without a Space; nobody sees them until a webhook names it. */
  unplaced: z.number().default(0),
  /** The rest of the list when the last reading was interrupted. */
  unfinished: unfinishedSchema,
});

export type RecordingFacts = z.infer<typeof facts>;
export type RecordingReading = Task<z.infer<typeof payload>, RecordingFacts>;

export const recordingReadings = defineTask({
  name: "recording-readings",
  queue: "recordings",
  order: "person-first-in-scope",
  payload,
  facts,
  identityOf: ({ environment, spaceId }) => ({
    ...{ key: `${environment}:${spaceId}`, scope: environment },
    ...{ registrationId: null, courseId: null },
  }),
  retry: retryPolicies["recording-readings"],
  whileRunning: "again",
});
