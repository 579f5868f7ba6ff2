import type { Delivery } from "../grading/rules/delivery.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { DeliveryStore } from "../grading/store/delivery-store.ts";
import type { PageCursor } from "../../storage/latest-first.ts";

/** Which scores somebody looks for; null leaves everything in. */
export type DeliveryFilter = {
  state: Exclude<Delivery["state"], "idle">;
  registrationId: string | null;
  /** Many are sent again only with `registrationId`. */
  courseId: string | null;
  /** The code of why it was refused, or waits. */
  reason: string | null;
};

/** Some scores that were looked at, those that fit, and where the next page begins. */
export type DeliveriesLookedAt = { found: Delivery[]; looked: number; cursor: PageCursor };

const batchSize = 500;

/** Why a score is where it is, as a code; null when there is nothing to say. */
export function reasonOf({
  state,
  refusal,
  reason,
}: Pick<Delivery, "state" | "refusal" | "reason">): string | null {
  return state === "refused" ? refusal : state === "waiting" ? (reason ?? null) : null;
}

/**
 * Goes through the scores of one state, those first that were tried last, a slice at a time.
 * @param after Where to go on; null for the beginning.
 * @param most A slice is never larger.
 */
export async function* findDeliveries(
  { deliveries }: { deliveries: Pick<DeliveryStore, "queue"> },
  { state, registrationId, courseId, reason }: DeliveryFilter,
  after: PageCursor | null = null,
  most = batchSize,
): AsyncGenerator<DeliveriesLookedAt> {
  const within =
    registrationId === null ? null : { registrationId, ...(courseId === null ? {} : { courseId }) };
  const fits = (one: Delivery) =>
    (courseId === null || one.courseId === courseId) && (reason === null || reasonOf(one) === reason);
  const limit = Math.min(batchSize, most);
  for (let cursor = after; ;) {
    const some = await deliveries.queue(state, within, cursor, limit);
    const last = some.at(-1);
    if (last === undefined) return;
    cursor = { at: last.nextTryAt, id: last.id };
    yield { found: some.filter(fits), looked: some.length, cursor };
    if (some.length < limit) return;
    await letOthersRun();
  }
}
