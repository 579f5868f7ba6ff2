import type { Webhook } from "./webhook.ts";
import { cutTo } from "../../kernel/text.ts";

export type KnownFamily = Exclude<Webhook["family"], "other" | "unreadable">;

/** Interface part 6; attendance has no eventType. */
export const documentedTypes: Readonly<Record<KnownFamily, readonly string[]>> = {
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
