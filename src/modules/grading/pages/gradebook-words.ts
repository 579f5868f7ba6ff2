import { sessionColumnLabel } from "../rules/column-label.ts";
import type { Column } from "../rules/column.ts";
import { inPoints, type SentScore } from "../rules/delivery.ts";
import type { Course } from "../../../domain/course.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { ProofRow } from "../show-proof.ts";
import type { Translate } from "../../../web/translate.ts";

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
