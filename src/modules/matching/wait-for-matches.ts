import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type WaitForMatchesDeps = Pick<App, "userMatches" | "unassignedEvents" | "clock">;

const waitMs = 3_000;
const lookIntervalMs = 50;

/** Waits a moment for answers to be applied. @returns false when it goes on without the page. */
export async function waitForMatches(
  { userMatches, unassignedEvents, clock }: WaitForMatchesDeps,
  { registrationId, id }: Pick<Course, "registrationId" | "id">,
): Promise<boolean> {
  for (let waited = 0; ; waited += lookIntervalMs) {
    const left =
      (await userMatches.countToApply(registrationId, id)) +
      (await unassignedEvents.countToApply(registrationId, id));
    if (left === 0) return true;
    if (waited >= waitMs) return false;
    await clock.sleep(lookIntervalMs);
  }
}
