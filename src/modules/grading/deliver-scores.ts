import type { Delivery } from "./rules/delivery.ts";
import { withClaim } from "../../kernel/with-claim.ts";
import { deliverScore, type DeliverScoreDeps, type DeliveryAttempt } from "./deliver-score.ts";
import { readGradebook } from "./read-gradebook.ts";

/** Of one column, one by one. When the LMS fails or asks to wait, the rest is released unchanged. */
export async function deliverScores(
  deps: DeliverScoreDeps,
  claimed: readonly Delivery[],
  holder: string,
): Promise<Pick<DeliveryAttempt, "pauseFor">> {
  const left = new Set(claimed.map(({ id }) => id));
  const reading = readGradebook(deps, claimed.length);
  return withClaim(
    deps,
    { until: 0, extend: (until) => deps.deliveries.extend([...left], holder, until) },
    async () => {
      for (const delivery of claimed) {
        const { pauseFor, trouble, paused } = await deliverScore(deps, delivery, holder, reading);
        left.delete(delivery.id);
        if (paused !== null) {
          await deps.deliveries.waitForLms([...left], holder, paused);
          return { pauseFor };
        }
        if (!trouble) continue;
        await deps.deliveries.release([...left], holder);
        return { pauseFor };
      }
      return { pauseFor: 0 };
    },
  );
}
