import { kindLabels, webhookKind } from "../../inbox/rules/webhook-family.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { UnknownWebhooks, UnknownWebhookStore } from "../operations/store/unknown-webhook-store.ts";
import type { ReadReceipt } from "../../inbox/receipt-effect.ts";

/** Settled webhooks for the metrics, undocumented ones for operators. A kill may lose a few. Never throws. */
export async function countKinds(
  deps: {
    unknownWebhooks: Pick<UnknownWebhookStore, "add">;
    onKind?: (labels: ReturnType<typeof kindLabels>, count: number) => void;
    logger: Logger;
  },
  settled: readonly ReadReceipt[],
): Promise<void> {
  const kinds = Map.groupBy(settled, ({ webhook }) => JSON.stringify(kindLabels(webhook)));
  for (const alike of kinds.values())
    for (const { webhook } of alike.slice(0, 1)) deps.onKind?.(kindLabels(webhook), alike.length);
  try {
    for (const more of unknownIn(settled)) await deps.unknownWebhooks.add(more);
  } catch (thrown) {
    deps.logger.warn({ error: messageOf(thrown) }, "unknown webhooks could not be counted");
  }
}

function unknownIn(settled: readonly ReadReceipt[]): UnknownWebhooks[] {
  const counts = new Map<string, UnknownWebhooks>();
  for (const { receipt, webhook } of settled) {
    const { family, eventType, known } = webhookKind(webhook);
    if (known) continue;
    const { environment, receivedAt: at } = receipt;
    const key = JSON.stringify([environment, family, eventType]);
    const before = counts.get(key) ?? { environment, family, eventType, count: 0, firstAt: at, lastAt: at };
    const { count, firstAt, lastAt } = before;
    counts.set(key, {
      ...before,
      count: count + 1,
      firstAt: Math.min(firstAt, at),
      lastAt: Math.max(lastAt, at),
    });
  }
  return [...counts.values()];
}
