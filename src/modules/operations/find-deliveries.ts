import type { Delivery } from "../grading/rules/delivery.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { DeliveryStore } from "../grading/store/delivery-store.ts";
import type { PageCursor } from "../../storage/latest-first.ts";

/** Null leaves everything in. */
export type DeliveryFilter = {
  state: Exclude<Delivery["state"], "idle">;
  registrationId: string | null;
  /** Sending many again needs `registrationId`, too. */
  courseId: string | null;
  /** The code of why it was refused, or waits. */
  reason: string | null;
};

/** `looked`: rows read; `found`: those that fit; `cursor`: where the next page begins. */
export type DeliveriesLookedAt = { found: Delivery[]; looked: number; cursor: PageCursor };

const batchSize = 500;

/** Why a score is in its state, as a code; null for nothing to say. */
export function reasonOf({
  state,
  refusal,
  reason,
}: Pick<Delivery, "state" | "refusal" | "reason">): string | null {
  return state === "refused" ? refusal : state === "waiting" ? (reason ?? null) : null;
}

/**
 * The scores of one state in batches of at most `most`, latest tried first.
 * @param after Where to continue; null for the beginning.
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
