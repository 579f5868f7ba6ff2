/** A reader sees what an operator sees and changes nothing. */
export type ConsoleRole = "operator" | "reader";

/** Entries as `readRights` gives them. */
export type ConsoleRights = { operators: readonly string[]; readers: readonly string[] };

/** What a provider says about whoever logged in there. */
export type ProvenIdentity = {
  /** Lower case; null when the provider does not say that it is theirs. */
  email: string | null;
  groups: readonly string[];
};

const group = "group:";

/** E-mail addresses in lower case and groups as `group:NAME`. @returns null when an entry is neither. */
export function readRights(text: string): string[] | null {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) =>
      entry.startsWith(group) ? group + entry.slice(group.length).trim() : entry.toLowerCase(),
    );
  const isRight = (entry: string) =>
    entry.startsWith(group) ? entry.length > group.length : /^[^@\s]+@[^@\s]+$/.test(entry);
  return entries.every(isRight) ? entries : null;
}

/** The entry by which somebody may enter, an operator's before a reader's; null when none names them. */
export function rightOf(
  { operators, readers }: ConsoleRights,
  { email, groups }: ProvenIdentity,
): string | null {
  const names = (entry: string) =>
    entry.startsWith(group) ? groups.includes(entry.slice(group.length)) : entry === email;
  return [...operators, ...readers].find(names) ?? null;
}

/** What an entry allows now; null once it is in neither list. */
export function roleOf({ operators, readers }: ConsoleRights, right: string): ConsoleRole | null {
  if (operators.includes(right)) return "operator";
  return readers.includes(right) ? "reader" : null;
}

export function namesGroups({ operators, readers }: ConsoleRights): boolean {
  return [...operators, ...readers].some((entry) => entry.startsWith(group));
}
