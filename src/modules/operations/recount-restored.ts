import type { App } from "../../app.ts";
import type { RestoredCourse } from "./rules/restore.ts";
import { countCompared, type CountComparedDeps } from "../grading/restored-scores.ts";

export type RecountRestoredDeps = CountComparedDeps & Pick<App, "restores">;

/** So many courses are counted at a time. */
export const maxRestored = 200;

/**
 * Counts the open scores of courses anew: also what attendance has settled meanwhile, or a teacher's answer.
 * @returns courses that had open scores, with how they stand now.
 */
export async function recountRestored(deps: RecountRestoredDeps) {
  const counted: (RestoredCourse & Awaited<ReturnType<typeof countCompared>>)[] = [];
  for (const course of await deps.restores.listOpen(maxRestored))
    counted.push({ ...course, ...(await countCompared(deps, course)) });
  return counted;
}
