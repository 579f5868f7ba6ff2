import { documentedTypes } from "./webhook-family.ts";
import type { Webhook } from "./webhook.ts";
import { cutTo } from "../../kernel/text.ts";

/** `known`: the document lists it; others are kept and counted. */
export type WebhookKind = { family: string; eventType: string; known: boolean };

const maxCharacters = 100;

/** Where kinds are counted together when there are too many names. */
export const otherNames = "(others)";

/**
 * The name under which a webhook is counted. Foreign names are cut, and only `known` ones become labels. The transcript's
 * eventType is not documented (6.4).
 */
export function webhookKind(webhook: Webhook): WebhookKind {
  if (webhook.family === "ATTENDANCE") return { family: "ATTENDANCE", eventType: "", known: true };
  if (webhook.family === "unreadable") return { family: "unreadable", eventType: "", known: true };
  const eventType = cutTo(webhook.eventType ?? "", maxCharacters);
  if (webhook.family === "other")
    return { family: cutTo(webhook.name, maxCharacters), eventType, known: false };
  const known = documentedTypes[webhook.family].includes(eventType);
  return { family: webhook.family, eventType, known };
}

/** Bounded by the document's names. */
export function kindLabels(webhook: Webhook): { family: string; event_type: string } {
  const { eventType, known } = webhookKind(webhook);
  return { family: webhook.family, event_type: known ? eventType || "none" : "other" };
}

/** Why an eventType has no effect; nothing when the document lists it. */
export function unknownType(webhook: Extract<Webhook, { eventType: string }>): {
  reason?: string;
  code?: string;
} {
  if (webhookKind(webhook).known) return {};
  const name = cutTo(webhook.eventType, maxCharacters);
  return {
    reason: `The eventType "${name}" of ${webhook.family} is not known; the webhook is kept as it came.`,
    code: "event-type-unknown",
  };
}
