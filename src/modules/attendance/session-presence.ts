import { z } from "zod";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask } from "../../tasks/task-kind.ts";

const payload = z.object({
  environment: z.string(),
  eventId: z.string(),
  registrationId: z.string(),
  courseId: z.string(),
});

/** Keeps who was in the Space during a planned session, one task for each (account, event). */
export const sessionPresence = defineTask({
  name: "session-presence",
  order: "person-first-in-scope",
  payload,
  facts: z.object({}),
  identityOf: ({ environment, eventId, registrationId, courseId }) => ({
    ...{ key: `${environment}:${eventId}`, scope: registrationId, registrationId, courseId },
  }),
  retry: retryPolicies["session-presence"],
  whileRunning: "again",
});

export type WantPresenceDeps = Pick<App, "tasks" | "wake" | "clock">;

/** Something is known of a session or of who was there. @param dueAt Milliseconds; now when left out. */
export async function wantSessionPresence(
  { tasks, wake, clock }: WantPresenceDeps,
  of: { environment: AccountId; eventId: string; registrationId: string; courseId: string },
  dueAt?: number,
): Promise<void> {
  const { environment, eventId, registrationId, courseId } = of;
  const now = clock.now();
  const key = { environment, eventId, registrationId, courseId };
  await tasks.enqueue(sessionPresence, key, { now, dueAt: Math.max(now, dueAt ?? now) });
  wake(sessionPresence);
}
