/** The times of one of our signing keys (ms). */
export type ToolKeyTimes = { usedFrom: number; retiredAt: number | null };

/**
 * Where a key is in its life: "published" so that LMSs can learn it, not used yet; "signing"; "retiring", no longer
 * used but still published for what was signed with it; "over", no longer published.
 */
export type ToolKeyState = "published" | "signing" | "retiring" | "over";

/**
 * The state of every key of one registration at a moment; the newest key that may sign does.
 * @param keys Newest first.
 */
export function toolKeyStates(keys: readonly ToolKeyTimes[], now: number): ToolKeyState[] {
  const isOver = ({ retiredAt }: ToolKeyTimes) => retiredAt !== null && retiredAt <= now;
  const signing = keys.find((key) => key.usedFrom <= now && !isOver(key));
  return keys.map((key) => {
    if (isOver(key)) return "over";
    if (key.usedFrom > now) return "published";
    return key === signing ? "signing" : "retiring";
  });
}
