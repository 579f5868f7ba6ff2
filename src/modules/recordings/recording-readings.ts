import { z } from "zod";
import { unfinishedSchema } from "../../tasks/unfinished-schema.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask, type Task } from "../../tasks/task-kind.ts";

const payload = z.object({ environment: z.enum(["production", "staging"]), spaceId: z.string() });

const facts = z.object({
  /** When the list was read last (ms); null when it never was. */
  readAt: z.number().nullable().default(null),
  /** Whether the classroom has such a list; null while nobody knows. Where it has none, webhooks alone tell. */
  offered: z.boolean().nullable().default(null),
  /** Entries of the list that did not say of which Space they are. They are nobody's until a webhook tells. */
  unplaced: z.number().default(0),
  /** What is left of the list when the last reading did not come to its end. */
  unfinished: unfinishedSchema,
});

/** What is known of a Space's list of recordings. */
export type RecordingFacts = z.infer<typeof facts>;
/** The reading of a Space's list of recordings from the classroom, and what came of it the last time. */
export type RecordingReading = Task<z.infer<typeof payload>, RecordingFacts>;

/** Reads the classroom's list of a Space's recordings. */
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
