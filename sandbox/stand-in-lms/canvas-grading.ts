// From: scores_controller.rb, abstract_assignment.rb (`save_grade_to_submission`).
import { submissionExtension } from "./canvas-score.ts";
import type { CanvasScore } from "./canvas-score.ts";
import { toFiveDecimals } from "./gradebook.ts";
import type { Column, Grade } from "./lms-records.ts";

/** No `scoreGiven`, or a progress other than FullyGraded and PendingManual, empties the cell; any score un-excuses; comments pile up. */
export function canvasGradeAfter(
  score: CanvasScore,
  column: Column,
  personId: string,
  earlier: Grade | undefined,
): Grade {
  const before = earlier ?? emptyGrade(column.id, personId);
  const after: Grade = {
    ...before,
    feedback: joined(before.feedback, score.comment ?? null),
    attempts: before.attempts + (makesAttempt(score) ? 1 : 0),
    modifiedAt: Date.parse(score.timestamp) / 1000,
    listedWhenEmpty: true,
  };
  const { preserve_score: preserve, prioritize_non_tool_grade: yieldToOthers } = score[submissionExtension];
  if (preserve || (yieldToOthers && before.final !== null)) return after;
  const graded = score.gradingProgress === "FullyGraded" || score.gradingProgress === "PendingManual";
  const value = graded ? scaled(score, column) : null;
  // Neither a teacher's grade nor "excused" is protected: this score replaces them.
  const { scoreGiven: given, scoreMaximum: maximum } = score;
  const sent = given == null || maximum == null ? {} : { sent: { given, maximum } };
  return { ...after, ...sent, raw: value, final: value, overridden: false, excused: false };
}

function emptyGrade(columnId: string, personId: string): Grade {
  return {
    columnId,
    personId,
    raw: null,
    final: null,
    feedback: null,
    overridden: false,
    attempts: 0,
    modifiedAt: 0,
    listedWhenEmpty: true,
  };
}

/** By default every score hands in a new submission. */
export function makesAttempt(score: CanvasScore): boolean {
  const { new_submission: wanted, submission_type: type } = score[submissionExtension];
  return wanted && type !== "none" && score.activityProgress !== "Initialized";
}

/** Comments pile up; the same one twice is there twice. */
function joined(earlier: string | null, comment: string | null): string | null {
  if (comment === null || comment === "") return earlier;
  return earlier === null ? comment : `${earlier}\n${comment}`;
}

/** scores_controller.rb, `line_item_score_maximum_scale`: 0 in a column of 0 points; as it is where it names a maximum of 0. */
function scaled(score: CanvasScore, column: Column): number | null {
  const { scoreGiven, scoreMaximum } = score;
  if (scoreGiven == null || scoreMaximum == null) return null;
  return scoreMaximum === 0 ? scoreGiven : toFiveDecimals((scoreGiven * column.scoreMaximum) / scoreMaximum);
}
