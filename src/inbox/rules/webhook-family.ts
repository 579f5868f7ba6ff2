/** The families of the interface's part 6. */
export const knownFamilies = [
  "ATTENDANCE",
  "SCHEDULE",
  "SPACE_USER",
  "SPACE_SESSION",
  "SPACE_RECORDING",
  "PROGRAM_AND_COHORT",
  "CONTROL_CENTER_ALERT",
] as const;

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
