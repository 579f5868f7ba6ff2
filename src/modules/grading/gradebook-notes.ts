import type { Column } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { GradebookTraits } from "../../domain/lms-product.ts";
import type { Scores } from "../../lms/scores.ts";

/** What a page about grades says of this course's gradebook. */
export type GradebookNotes = {
  /** Whose grades are looked at before anything is sent over them; "nobody" when the LMS gave no right to look. */
  checked: "everybody" | "graded-only" | "nobody";
  /** Sending a score takes "Excused" off the person. */
  endsExcused: boolean;
  /** Goes on showing a teacher's grade although it takes ours. */
  keepsTeachersGrade: boolean;
  /** The points a teacher gave the column, where they are not the policy's: scores are shown in proportion. */
  otherPoints: number | null;
};

/**
 * What an instructor should know about their gradebook before scores are sent.
 * @param column The one that the page is about; null when there is none yet.
 */
export function gradebookNotes(
  deps: { scores: Pick<Scores, "canReadResults"> },
  gradebook: GradebookTraits,
  course: Pick<Course, "gradeScopes" | "policy">,
  column: Pick<Column, "points"> | null,
): GradebookNotes {
  const { resultsInclude, sendingEndsExcused, keepsTeachersGrade } = gradebook;
  const checked = deps.scores.canReadResults(course.gradeScopes) ? resultsInclude : "nobody";
  const points = column?.points ?? null;
  const wanted = course.policy.kind === "no-grades" ? null : course.policy.points;
  const otherPoints = points === null || wanted === null || points === wanted ? null : points;
  return { checked, endsExcused: sendingEndsExcused, keepsTeachersGrade, otherPoints };
}
