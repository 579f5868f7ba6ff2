import { documentedTypes } from "./webhook-family.ts";
import type { Webhook } from "./webhook.ts";

/** What a webhook calls itself. `known`: whether the document lists it; what it does not list is kept and counted. */
export type WebhookKind = { family: string; eventType: string; known: boolean };

const longest = 100;

/** The family under which kinds are counted together when too many names have come to count each for itself. */
export const otherNames = "(others)";

/**
 * Under which name a webhook is counted. Names come from outside: they are cut, and only `known` ones may become labels.
 * The transcript's eventType is not shown (6.4), so what a recording tells beside its own is not known either.
 */
export function webhookKind(webhook: Webhook): WebhookKind {
  if (webhook.family === "ATTENDANCE") return { family: "ATTENDANCE", eventType: "", known: true };
  if (webhook.family === "unreadable") return { family: "unreadable", eventType: "", known: true };
  const eventType = (webhook.eventType ?? "").slice(0, longest);
  if (webhook.family === "other") return { family: webhook.name.slice(0, longest), eventType, known: false };
  const known = documentedTypes[webhook.family].includes(eventType);
  return { family: webhook.family, eventType, known };
}

/** The labels of a metric: as many as the document has names, whatever comes. */
export function kindLabels(webhook: Webhook): { family: string; event_type: string } {
  const { eventType, known } = webhookKind(webhook);
  return { family: webhook.family, event_type: known ? eventType || "none" : "other" };
}

/** Why a webhook has no effect when its eventType is the reason; nothing when the document lists it. */
export function unknownType(webhook: Extract<Webhook, { eventType: string }>): {
  reason?: string;
  code?: string;
} {
  if (webhookKind(webhook).known) return {};
  const name = webhook.eventType.slice(0, longest);
  return {
    reason: `The eventType "${name}" of ${webhook.family} is not known; the webhook is kept as it came.`,
    code: "event-type-unknown",
  };
}
