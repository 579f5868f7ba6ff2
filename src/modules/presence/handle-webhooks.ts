import { unknownType } from "../../inbox/rules/webhook-family.ts";
import {
  type WebhookBatch,
  type WebhookHandler,
  webhookHandler,
  type WebhookOf,
} from "../../inbox/webhook-handlers.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { recordSignals, type RecordSignalsDeps } from "./record-signals.ts";
import { createVisitWishes, type VisitWishDeps } from "./space-visits.ts";

type Received = { receipt: Receipt; webhook: WebhookOf<"SPACE_USER"> };

/** SPACE_USER (interface 6.2): who joined or left a Space or hid its tab, as evidence. */
export function presenceWebhooks(
  deps: Omit<RecordSignalsDeps, "isOfCourse" | "visits"> & VisitWishDeps,
): WebhookHandler {
  const visits = createVisitWishes(deps);
  const handleTogether = async (received: readonly Received[], { isOfCourse }: WebhookBatch) => {
    const [first] = received;
    if (first === undefined) return [];
    const signs = received.map(({ webhook }) => webhook);
    const states = await recordSignals({ ...deps, isOfCourse, visits }, first.receipt.environment, signs);
    return received.map(({ webhook }, at) => ({ state: states[at] ?? "kept", ...unknownType(webhook) }));
  };
  return webhookHandler("SPACE_USER", {
    asksClassroom: false,
    subjectOf: ({ spaceId, sessionId, userId }) => [spaceId, sessionId, userId],
    handleTogether,
    handle: async (received, batch) => (await handleTogether([received], batch))[0] ?? { state: "kept" },
  });
}
