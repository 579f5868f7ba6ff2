import { cutTo } from "../../kernel/text.ts";
import type { Webhook } from "./webhook.ts";

export type KnownFamily = Exclude<Webhook["family"], "other" | "unreadable">;

/** Interface part 6; attendance has no eventType. */
const documentedTypes: Readonly<Record<KnownFamily, readonly string[]>> = {
  ATTENDANCE: [],
  SCHEDULE: ["EVENT_CREATED", "EVENT_UPDATED", "EVENT_DELETED", "EVENT_CANCELLED"],
  SPACE_USER: ["joinSpace", "leaveSpace", "hideTab", "unhideTab"],
  SPACE_SESSION: ["SESSION_ENDED"],
  SPACE_RECORDING: ["RECORDING_AVAILABLE"],
  PROGRAM_AND_COHORT: ["COHORT_CREATED", "COHORT_UPDATED", "COHORT_DELETED"],
  CONTROL_CENTER_ALERT: ["CREATE_ALERT", "UPDATE_ALERT"],
};

export const knownFamilies: readonly string[] = Object.keys(documentedTypes);

/** Family of a webhook that names none. */
export const noFamily = "none";

const maxCharacters = 64;

/** A webhook's `_type`, at most 64 characters. Attendance has none (interface 6.6) and is known by its fields. */
export function familyOf(json: unknown): string {
  if (typeof json !== "object" || json === null) return noFamily;
  if ("currentStatus" in json) return "ATTENDANCE";
  if (!("_type" in json) || typeof json._type !== "string" || json._type === "") return noFamily;
  return cutTo(json._type, maxCharacters);
}

const maxNameCharacters = 100;

/** Where kinds are counted together when there are too many names. */
export const otherNames = "(others)";

/**
 * The name under which a webhook is counted. Foreign names are cut, and only `known` ones become labels. The transcript's
 * eventType is not documented (6.4).
 */
export function webhookKind(webhook: Webhook) {
  if (webhook.family === "ATTENDANCE") return { family: "ATTENDANCE", eventType: "", known: true };
  if (webhook.family === "unreadable") return { family: "unreadable", eventType: "", known: true };
  const eventType = cutTo(webhook.eventType ?? "", maxNameCharacters);
  if (webhook.family === "other")
    return { family: cutTo(webhook.name, maxNameCharacters), eventType, known: false };
  const known = documentedTypes[webhook.family].includes(eventType);
  return { family: webhook.family, eventType, known };
}

/** Bounded by the document's names. */
export function kindLabels(webhook: Webhook): { family: string; event_type: string } {
  const { eventType, known } = webhookKind(webhook);
  return { family: webhook.family, event_type: known ? eventType || "none" : "other" };
}

/** Why an eventType has no effect; nothing when the document lists it. */
export function unknownType(webhook: Extract<Webhook, { eventType: string }>) {
  if (webhookKind(webhook).known) return {};
  const name = cutTo(webhook.eventType, maxNameCharacters);
  return {
    reason: `The eventType "${name}" of ${webhook.family} is not known; the webhook is kept as it came.`,
    code: "event-type-unknown",
  };
}
