/** One thing the doctor looked at. */
export type Finding = {
  /** What was looked at: "service", "key", or an operation's name. */
  about: string;
  /** "wrong": something of the tool does not work like this. "note": worth knowing, or could not be found out. */
  level: "fine" | "note" | "wrong";
  /** What was seen, in one sentence; never a value from a reply. */
  message: string;
  /** What to do about it; null when there is nothing to do. */
  todo: string | null;
  /** The redacted shape of the reply, where it helps; null otherwise. */
  shape: unknown;
  /** A part of the dialect that mends it; null when none can be suggested. */
  dialect: object | null;
};

/** A finding with only what differs from "nothing to add". */
export function finding(
  level: Finding["level"],
  about: string,
  message: string,
  more: { todo?: string; shape?: unknown; dialect?: object } = {},
): Finding {
  return {
    about,
    level,
    message,
    todo: more.todo ?? null,
    shape: more.shape ?? null,
    dialect: more.dialect ?? null,
  };
}
