import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type WaitForScoresDeps = Pick<App, "clock"> & {
  deliveries: Pick<DeliveryStore, "countDue">;
};

/** Of a page (ms), and how often it looks. */
const waitMs = 3_000;
const pollMs = 100;

/** Once each, so that the next page shows the outcome; those of a slow gradebook are shown as on their way. */
export async function waitForScores(
  deps: WaitForScoresDeps,
  course: Pick<Course, "id" | "registrationId">,
): Promise<void> {
  const { deliveries, clock } = deps;
  const begun = clock.now();
  while ((await deliveries.countDue(course.registrationId, course.id, begun)) > 0) {
    if (clock.now() - begun >= waitMs) return;
    await clock.sleep(pollMs);
  }
}
