export type Finding = {
  /** "service", "key", or an operation's name. */
  about: string;
  /** "wrong": something of the tool does not work. "note": worth knowing, or unknown. */
  level: "fine" | "note" | "wrong";
  /** What was seen, in one sentence; never a value from a reply. */
  message: string;
  todo: string | null;
  /** The redacted shape of the reply, where it helps; else null. */
  shape: unknown;
  /** A part of the dialect that mends it, or null. */
  dialect: object | null;
};

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
