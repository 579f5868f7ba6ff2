export type ToolKeyTimes = { usedFrom: number; retiredAt: number | null };

/** "published": LMSs can learn it; "signing"; "retiring": still published for what was signed with it; "over". */
export type ToolKeyState = "published" | "signing" | "retiring" | "over";

/** The states of one registration's keys: of those that may sign, the newest does. @param keys Newest first. */
export function toolKeyStates(keys: readonly ToolKeyTimes[], now: number): ToolKeyState[] {
  const isOver = ({ retiredAt }: ToolKeyTimes) => retiredAt !== null && retiredAt <= now;
  const signing = keys.find((key) => key.usedFrom <= now && !isOver(key));
  return keys.map((key) => {
    if (isOver(key)) return "over";
    if (key.usedFrom > now) return "published";
    return key === signing ? "signing" : "retiring";
  });
}
