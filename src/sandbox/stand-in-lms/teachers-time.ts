import type { Lms } from "./lms.ts";

/**
 * The time that a teacher's grade leaves behind, which later scores must exceed (ms); null in Canvas, where it leaves
 * that of the tool's last score.
 */
export function teachersTime({ manners, clock }: Pick<Lms, "manners" | "clock">): number | null {
  return manners.name === "canvas" ? null : clock.now();
}
