import type { Course } from "../../../domain/course.ts";
import type { MessageKey } from "../../../web/english.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { type Column, sessionColumnLabel } from "../rules/column.ts";
import { type Delivery, inPoints, isOfNoPoints, type SentScore } from "../rules/delivery.ts";
import type { ProofRow } from "../show-grades.ts";

/** Such as "93.33 / 100"; null asks for none. */
export function scoreText(
  t: Translate,
  grade: { score: number | null; maximum: number } | null,
  none: MessageKey = "grades.noScore",
): string {
  if (grade === null || grade.score === null) return t(none);
  const share = `${numberText(t, grade.score)} / ${numberText(t, grade.maximum)}`;
  // From right to left the two would change places.
  return t("language.direction") === "rtl" ? `\u2066${share}\u2069` : share;
}

/** Such as "93.33 of 100". */
export function pointsText(t: Translate, grade: { score: number | null; maximum: number } | null): string {
  if (grade === null || grade.score === null) return t("grades.noScore");
  return t("grades.points", { score: numberText(t, grade.score), maximum: numberText(t, grade.maximum) });
}

type Undelivered = Pick<
  Delivery,
  "state" | "accepted" | "foreign" | "unconfirmed" | "lastError" | "reason" | "refusal"
>;

/** Null: nothing to say. Stored reasons are English and more exact: English readers and unknown codes get those. */
export function whyText(t: Translate, delivery: Undelivered): string | null {
  const { state, lastError, reason, refusal } = delivery;
  if (state === "delivered" && isOfNoPoints(delivery)) return t("grades.noPoints.row");
  if (lastError === null || t("language.code") === "en") return lastError;
  if (state === "held") return heldText(t, delivery) ?? lastError;
  const code = refusal ?? reason ?? null;
  return code === null ? lastError : codeText(t, code, lastError);
}

/** The cases of `conflictReason` and `keptReason`. */
function heldText(t: Translate, { foreign, accepted, unconfirmed }: Undelivered): string | null {
  if (foreign === null) return null;
  if (foreign.restoredAt !== undefined)
    return foreign.score === null
      ? t("grades.restored.whyEmpty")
      : t("grades.restored.whyDiffers", { theirs: pointsText(t, foreign) });
  if (foreign.score === null) return t("grades.why.removed");
  const theirs = pointsText(t, foreign);
  // The LMS took ours in the attempt that found theirs still shown.
  if (accepted?.at === foreign.seenAt) return t("grades.why.kept", { theirs });
  if (accepted === null && unconfirmed.length === 0) return t("grades.why.notOurs", { theirs });
  return accepted === null || accepted.score === null
    ? t("grades.why.changed", { theirs })
    : t("grades.why.changedFrom", { theirs, ours: pointsText(t, accepted) });
}

/** Statuses with one meaning in every LMS, as in `standardReason` of the score service. */
const statuses: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ["400", "grades.why.notAccepted"],
  ["401", "grades.why.notAllowed"],
  ["403", "grades.why.notAllowed"],
  ["422", "grades.why.notAccepted"],
]);

function codeText(t: Translate, code: string, lastError: string): string {
  const status = /^lms-status-(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return t(statuses.get(status) ?? "grades.why.status", { status });
  return t.dynamic([`grades.why.${code}`, `errors.${code}`]) ?? lastError;
}

/** As the gradebook names it; before that is known, in the reader's words. */
export function columnName(
  t: Translate,
  course: Pick<Course, "timeZone">,
  session: Pick<CourseSession, "title" | "startsAt"> | null,
  column: Pick<Column, "label"> | null,
): string {
  if (session !== null) return sessionColumnLabel(session, course.timeZone);
  return column?.label ?? t("choose.attendance");
}

/** What the gradebook has of ours: the number the score had where it arrived, of the points the column has now. */
export function heldByGradebook({
  delivery: { accepted },
  column,
}: Pick<ProofRow, "delivery" | "column">): Pick<SentScore, "score" | "maximum"> | null {
  if (accepted?.score == null || accepted.points === undefined) return accepted;
  const { score, maximum, points, lineItemUrl = null } = accepted;
  const there = inPoints({ score, maximum }, points);
  const same = column !== null && column.lineItemUrl === lineItemUrl;
  return { ...there, maximum: (same ? column.points : null) ?? points };
}
