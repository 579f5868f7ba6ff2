import type { createMetrics } from "./create-metrics.ts";
import type { ProcessReceiptsDeps } from "./inbox/process-receipts.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Logger } from "./kernel/logger.ts";
import { watchPreviousSecret } from "./inbox/watch-previous-secret.ts";

type OnSecret = ReturnType<typeof watchPreviousSecret>;

/** What the metrics want to know of webhooks: their kinds, and whether they still come with the previous secret. */
export function countWebhooks(
  metrics: Pick<ReturnType<typeof createMetrics>, "webhookKinds" | "previousSecret">,
  deps: { clock: Clock; logger: Logger; noteSecret: OnSecret },
): { onKind: NonNullable<ProcessReceiptsDeps["onKind"]>; onSecret: OnSecret } {
  const watch = watchPreviousSecret({
    ...deps,
    onUse: (environment) => {
      metrics.previousSecret.inc({ environment });
    },
  });
  return {
    onKind: (labels, count) => {
      metrics.webhookKinds.inc(labels, count);
    },
    onSecret: (environment, secret) => {
      deps.noteSecret(environment, secret);
      watch(environment, secret);
    },
  };
}
