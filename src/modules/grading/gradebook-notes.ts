import type { Column } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { GradebookTraits } from "../../domain/lms-product.ts";
import type { Scores } from "../../lms/scores.ts";

export type GradebookNotes = {
  /** Whose grades are read before sending; "nobody" without the right to. */
  checked: "everybody" | "graded-only" | "nobody";
  /** Sending a score removes "Excused". */
  endsExcused: boolean;
  /** Takes our score but goes on showing the teacher's. */
  keepsTeachersGrade: boolean;
  /** The points a teacher set; scores are converted. Null also for 0. */
  otherPoints: number | null;
};

/** What instructors should know about their gradebook. @param column The page's column; null while there is none. */
export function gradebookNotes(
  deps: { scores: Pick<Scores, "canReadResults"> },
  gradebook: GradebookTraits,
  course: Pick<Course, "gradeScopes" | "policy">,
  column: Pick<Column, "points"> | null,
): GradebookNotes {
  const { resultsInclude, sendingEndsExcused, keepsTeachersGrade } = gradebook;
  const checked = deps.scores.canReadResults(course.gradeScopes) ? resultsInclude : "nobody";
  const points = column?.points || null;
  const wanted = course.policy.kind === "no-grades" ? null : course.policy.points;
  const otherPoints = points === null || wanted === null || points === wanted ? null : points;
  return { checked, endsExcused: sendingEndsExcused, keepsTeachersGrade, otherPoints };
}
