import type { GradebookTraits } from "../../../domain/lms-product.ts";
import {
  type Delivery,
  type DesiredScore,
  inPoints,
  isInProgress,
  isSameGrade,
  isSameScore,
  type SentScore,
} from "./delivery.ts";

export type GradebookGrade = { score: number | null; maximum: number; comment: string | null };

/** as-wanted: the desired grade is there · ours: an earlier grade of ours, to be replaced · foreign: somebody else's grade. */
type Judgement = "as-wanted" | "ours" | "foreign";

type SentSoFar = Pick<Delivery, "accepted" | "unconfirmed" | "overruled">;

/** One person's cell in a gradebook. `points` are the column's; null if unknown. */
type Cell = { lineItemUrl: string; traits: GradebookTraits; points: number | null };

type Share = Pick<SentScore, "score" | "maximum" | "points">;

/**
 * Distinguishes our grade from a teacher's. Ours was accepted, or sent without an answer: it has the same share of the maximum, or the same
 * points if a teacher changed the column's. An empty cell needs no protection, except in Canvas, where a teacher emptied it or excused the
 * person. Some Moodle versions show nothing for a grade of 0.
 * @param read Null if the LMS has nothing about this person.
 */
export function compareWithGradebook(
  cell: Cell,
  sent: SentSoFar,
  desired: DesiredScore,
  read: GradebookGrade | null,
): Judgement {
  if (read === null || read.score === null) return judgeEmpty(cell, sent, desired);
  const reported = inColumnsPoints(cell, read);
  const last = sentScores(sent).at(-1);
  if (isSameGrade(reported, desired) && isUpToDate(cell, last))
    return saysAsDesired(last, desired, reported) ? "as-wanted" : "ours";
  const replaceable = replaceableGrades(sent);
  if (replaceable.some((one) => isReportedAs(cell, one, reported))) return "ours";
  if (replaceable.length > 0) return "foreign";
  return reported.score === 0 && !cell.traits.reportsZero ? "ours" : "foreign";
}

/**
 * After a restore, a grade that is neither in the backup nor wanted now may be ours or a teacher's. If a cell is empty but the backup says
 * that it had a grade, a person emptied it.
 */
export function judgeRestored(
  cell: Cell,
  sent: SentSoFar,
  desired: DesiredScore,
  read: GradebookGrade | null,
): Judgement {
  if (read !== null && read.score !== null) return compareWithGradebook(cell, sent, desired, read);
  if (desired.score === null) return "as-wanted";
  const { accepted } = sent;
  const filled = accepted !== null && accepted.score !== null;
  if (!filled || (accepted.lineItemUrl ?? cell.lineItemUrl) !== cell.lineItemUrl)
    return compareWithGradebook(cell, sent, desired, read);
  if (accepted.score !== 0 || cell.traits.reportsZero) return "foreign";
  return isSameScore(accepted, desired) ? "as-wanted" : "ours";
}

/**
 * Whether a gradebook has lost all our grades: none of the people whose grade arrived has one. Some gradebooks don't show 0, and one that we
 * removed may be gone although no answer came.
 */
export function wasEmptied(
  arrived: readonly { sub: string; accepted: SentScore; unconfirmed: readonly SentScore[] }[],
  results: readonly (GradebookGrade & { sub: string })[],
): boolean {
  const seen = arrived.filter(({ accepted, unconfirmed }) =>
    [accepted, ...unconfirmed].every(({ score }) => score !== null && score !== 0),
  );
  const graded = new Set(results.flatMap(({ sub, score }) => (score === null ? [] : [sub])));
  return seen.length > 0 && seen.every(({ sub }) => !graded.has(sub));
}

export function inColumnsPoints({ traits, points }: Omit<Cell, "lineItemUrl">, read: GradebookGrade) {
  return traits.resultsIn === "column" && points !== null && points > 0 ? { ...read, maximum: points } : read;
}

/** A result that repeats what was sent doesn't show whether the column's points have changed. Nor does any result if the points are 0. */
function isUpToDate({ traits, points }: Cell, last: SentScore | undefined): boolean {
  const before = last?.points ?? points;
  if (points === null || before === points) return true;
  return traits.resultsIn !== "as-sent" && points !== 0 && before !== 0;
}

function judgeEmpty({ lineItemUrl, traits }: Cell, sent: SentSoFar, desired: DesiredScore): Judgement {
  const { accepted, unconfirmed } = sent;
  // Never sends a clearing that isn't needed.
  const cleared = accepted?.score === null && unconfirmed.length === 0;
  if (desired.score === null && cleared) return "as-wanted";
  const taken = accepted?.lineItemUrl === lineItemUrl;
  const full = replaceableGrades(sent).every((one) => one.score !== null);
  return traits.emptyMeansCleared && taken && full ? "foreign" : "ours";
}

function sentScores({ accepted, unconfirmed }: SentSoFar): SentScore[] {
  return [...(accepted === null ? [] : [accepted]), ...unconfirmed];
}

/** Grades that may be replaced: ours, and a teacher's that an instructor chose to replace. */
function replaceableGrades(sent: SentSoFar): Share[] {
  return [...sentScores(sent), ...(sent.overruled === null ? [] : [sent.overruled])];
}

/** The score alone doesn't show the comment, nor whether it counts as completed. */
function saysAsDesired(last: SentScore | undefined, desired: DesiredScore, reported: GradebookGrade) {
  if (last !== undefined && isSameScore(last, desired)) return true;
  if (isInProgress(desired) !== isInProgress(last ?? {})) return false;
  if (desired.comment === null) return (last?.comment ?? null) === null;
  return reported.comment === desired.comment;
}

/** Moodle cuts scores at the maximum, and may show a cleared grade as 0. */
function isReportedAs(cell: Cell, { score, maximum, points = maximum }: Share, reported: GradebookGrade) {
  if (score === null) return reported.score === 0;
  const cut = Math.min(score, maximum);
  if (isSameGrade(reported, { score, maximum }) || isSameGrade(reported, { score: cut, maximum }))
    return true;
  // A column of 0 points shows 0, whatever was sent.
  if (cell.points === 0 && reported.score === 0) return true;
  // The same points, in a column that had another maximum then.
  if (cell.points !== reported.maximum) return false;
  return isSameGrade(reported, { ...inPoints({ score: cut, maximum }, points), maximum: reported.maximum });
}
