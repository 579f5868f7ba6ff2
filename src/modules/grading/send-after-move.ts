import type { App } from "../../app.ts";
import type { Column } from "./rules/column.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type SendAfterMoveDeps = Pick<App, "wake" | "clock"> & {
  deliveries: Pick<DeliveryStore, "retryColumn">;
};

/** Scores wait so long (ms) for a column's new place: one tried before would become idle again. */
const waitMs = 2_000;

/**
 * Sends a column's scores to its new place. They are due before it moves and again after, so that a crash loses none.
 * @returns false when it did not move
 */
export async function sendAfterMove(
  deps: SendAfterMoveDeps,
  { registrationId, courseId, key: columnKey }: Pick<Column, "registrationId" | "courseId" | "key">,
  move: () => Promise<boolean>,
): Promise<boolean> {
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + waitMs);
  if (!(await move())) return false;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now);
  deps.wake("deliveries");
  return true;
}
