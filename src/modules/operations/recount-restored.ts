import type { App } from "../../app.ts";
import type { RestoredCourse } from "./rules/restore.ts";
import { countCompared, type CountComparedDeps } from "../grading/restored-scores.ts";

export type RecountRestoredDeps = CountComparedDeps & Pick<App, "restores">;

export const maxRestored = 200;

/** Counts open scores again, as some have been settled. @returns courses that had any, with their counts now. */
export async function recountRestored(deps: RecountRestoredDeps) {
  const counted: (RestoredCourse & Awaited<ReturnType<typeof countCompared>>)[] = [];
  for (const course of await deps.restores.listOpen(maxRestored))
    counted.push({ ...course, ...(await countCompared(deps, course)) });
  return counted;
}
