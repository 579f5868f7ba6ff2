import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type WaitForScoresDeps = Pick<App, "clock"> & {
  deliveries: Pick<DeliveryStore, "countDue">;
};

/** How long somebody who pressed a button waits for the gradebook at most, and how often is looked (ms). */
const patience = 3_000;
const lookEvery = 100;

/**
 * Waits until every score of a course that is due now has been tried once, so that the page which comes next says
 * how it went. A gradebook that takes longer is not waited for: its scores are shown as on their way.
 */
export async function waitForScores(
  deps: WaitForScoresDeps,
  course: Pick<Course, "id" | "registrationId">,
): Promise<void> {
  const { deliveries, clock } = deps;
  const begun = clock.now();
  while ((await deliveries.countDue(course.registrationId, course.id, begun)) > 0) {
    if (clock.now() - begun >= patience) return;
    await clock.sleep(lookEvery);
  }
}
