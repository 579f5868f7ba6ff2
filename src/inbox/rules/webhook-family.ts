import type { Webhook } from "./webhook.ts";

/** A family of webhooks that the document names. */
export type KnownFamily = Exclude<Webhook["family"], "other" | "unreadable">;

/** The families of the document with their eventTypes (interface part 6); attendance has none. */
export const documentedTypes: Readonly<Record<KnownFamily, readonly string[]>> = {
  ATTENDANCE: [],
  SCHEDULE: ["EVENT_CREATED", "EVENT_UPDATED", "EVENT_DELETED", "EVENT_CANCELLED"],
  SPACE_USER: ["joinSpace", "leaveSpace", "hideTab", "unhideTab"],
  SPACE_SESSION: ["SESSION_ENDED"],
  SPACE_RECORDING: ["RECORDING_AVAILABLE"],
  PROGRAM_AND_COHORT: ["COHORT_CREATED", "COHORT_UPDATED", "COHORT_DELETED"],
  CONTROL_CENTER_ALERT: ["CREATE_ALERT", "UPDATE_ALERT"],
};

/** The names of these families. */
export const knownFamilies: readonly string[] = Object.keys(documentedTypes);

/** What a webhook is filed under that names no family. */
export const noFamily = "none";

const longest = 64;

/**
 * What a webhook is filed under: its `_type` as the classroom wrote it, at most 64 characters of it. Attendance has no type
 * marker (interface 6.6) and is known by its fields.
 */
export function familyOf(json: unknown): string {
  if (typeof json !== "object" || json === null) return noFamily;
  if ("currentStatus" in json) return "ATTENDANCE";
  if (!("_type" in json) || typeof json._type !== "string" || json._type === "") return noFamily;
  return json._type.slice(0, longest);
}
