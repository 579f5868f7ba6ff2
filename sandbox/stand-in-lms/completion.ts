// From: measured; context_module.rb (min_score).
import { findGrade } from "./gradebook.ts";
import type { LmsWorld } from "./lms-records.ts";

/**
 * Whether a learner has completed an activity by its grade: Moodle's condition "Receive a grade" (measured on 4.5: a 0 is a grade, a
 * cleared one is none, and only the activity's own column counts), or with `atLeast` Canvas's requirement "Score at least"
 * (context_module.rb, `min_score`), in points of the column.
 */
export function isCompletedByGrade(
  world: LmsWorld,
  linkId: string,
  personId: string,
  atLeast: number | null,
): boolean {
  const own = [...world.columns.values()].find(
    ({ coupledLinkId, deleted }) => coupledLinkId === linkId && deleted !== true,
  );
  const value = own === undefined ? null : (findGrade(world, own.id, personId)?.final ?? null);
  return value !== null && (atLeast === null || value >= atLeast);
}
