import {
  type Delivery,
  type DesiredScore,
  inPoints,
  isSameGrade,
  isSameScore,
  type SentScore,
} from "./delivery.ts";
import type { GradebookTraits } from "../../../domain/lms-product.ts";
import type { GradebookGrade } from "./gradebook-grade.ts";

/** What a gradebook shows, judged: what is wanted is there already · ours, to be replaced · somebody else's. */
export type Judgement = "as-wanted" | "ours" | "foreign";

/** What a delivery knows about what was sent. */
export type SentSoFar = Pick<Delivery, "accepted" | "unconfirmed" | "overruled">;

/** A person's place in a gradebook, in a column of so many points; null where nobody knows them. */
export type Cell = { lineItemUrl: string; traits: GradebookTraits; points: number | null };

type Share = Pick<SentScore, "score" | "maximum" | "points">;

/**
 * Tells our grade from a teacher's. Ours is what the LMS accepted, or what was sent and never answered: the same share of
 * the maximum, or the same number of points where a teacher has given the column other points since and left its grades as
 * they were. Nothing shown is nothing to protect, but in Canvas,
 * where it means that a teacher emptied or excused; Moodle shows nothing for a grade of 0 in some versions.
 * @param told Null when the LMS tells nothing about this person.
 */
export function compareWithGradebook(
  cell: Cell,
  sent: SentSoFar,
  desired: DesiredScore,
  told: GradebookGrade | null,
): Judgement {
  if (told === null || told.score === null) return judgeEmpty(cell, sent, desired);
  const shown = inColumnsPoints(cell, told);
  const last = sentScores(sent).at(-1);
  if (isSameGrade(shown, desired) && isOfToday(cell, last))
    return saysAsWanted(last, desired, shown) ? "as-wanted" : "ours";
  const replaceable = replaceableGrades(sent);
  if (replaceable.some((one) => isShownAs(cell, one, shown))) return "ours";
  if (replaceable.length > 0) return "foreign";
  return shown.score === 0 && !cell.traits.reportsZero ? "ours" : "foreign";
}

/**
 * As `compareWithGradebook`, where the database was restored from a backup: what is there and is neither what the backup sent nor what is
 * wanted now may be ours of later or a teacher's, and a cell that is empty though the backup filled it was emptied by somebody.
 */
export function judgeRestored(
  cell: Cell,
  sent: SentSoFar,
  desired: DesiredScore,
  told: GradebookGrade | null,
): Judgement {
  if (told !== null && told.score !== null) return compareWithGradebook(cell, sent, desired, told);
  if (desired.score === null) return "as-wanted";
  const { accepted } = sent;
  const filled = accepted !== null && accepted.score !== null;
  if (!filled || (accepted.lineItemUrl ?? cell.lineItemUrl) !== cell.lineItemUrl)
    return compareWithGradebook(cell, sent, desired, told);
  if (accepted.score !== 0 || cell.traits.reportsZero) return "foreign";
  return isSameScore(accepted, desired) ? "as-wanted" : "ours";
}

/** A grade as the gradebook has it, in the points that the column has now. */
export function inColumnsPoints(
  { traits, points }: Omit<Cell, "lineItemUrl">,
  told: GradebookGrade,
): GradebookGrade {
  return traits.resultsIn === "column" && points !== null && points > 0 ? { ...told, maximum: points } : told;
}

/** Results that repeat what was sent do not tell that it stayed the same number of points when the column got others. */
function isOfToday({ traits, points }: Cell, last: SentScore | undefined): boolean {
  if (traits.resultsIn !== "as-sent" || points === null) return true;
  return (last?.points ?? points) === points;
}

function judgeEmpty({ lineItemUrl, traits }: Cell, sent: SentSoFar, desired: DesiredScore): Judgement {
  const { accepted, unconfirmed } = sent;
  // Cleared already; a clearing that is not needed is never sent.
  const cleared = accepted?.score === null && unconfirmed.length === 0;
  if (desired.score === null && cleared) return "as-wanted";
  const taken = accepted?.lineItemUrl === lineItemUrl;
  const full = replaceableGrades(sent).every((one) => one.score !== null);
  return traits.emptyMeansCleared && taken && full ? "foreign" : "ours";
}

/** Everything that may be ours there, the latest last. */
function sentScores({ accepted, unconfirmed }: SentSoFar): SentScore[] {
  return [...(accepted === null ? [] : [accepted]), ...unconfirmed];
}

/** What may be sent over: ours, and the teacher's of which an instructor said so. */
function replaceableGrades(sent: SentSoFar): Share[] {
  return [...sentScores(sent), ...(sent.overruled === null ? [] : [sent.overruled])];
}

/** Whether the comment is there, too: the score alone does not tell. */
function saysAsWanted(last: SentScore | undefined, desired: DesiredScore, shown: GradebookGrade): boolean {
  if (last !== undefined && isSameScore(last, desired)) return true;
  if (desired.comment === null) return (last?.comment ?? null) === null;
  return shown.comment === desired.comment;
}

/** Moodle cuts at the maximum, and a 0 may be what it shows of a grade that was cleared. */
function isShownAs(cell: Cell, { score, maximum, points = maximum }: Share, shown: GradebookGrade): boolean {
  if (score === null) return shown.score === 0;
  const cut = Math.min(score, maximum);
  if (isSameGrade(shown, { score, maximum }) || isSameGrade(shown, { score: cut, maximum })) return true;
  // The same number of points, in a column that had others then.
  if (cell.points !== shown.maximum) return false;
  return isSameGrade(shown, { ...inPoints({ score: cut, maximum }, points), maximum: shown.maximum });
}
