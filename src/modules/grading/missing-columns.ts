import type { App } from "../../app.ts";
import { attendanceColumn, type Column, eventOfColumn, type MissingColumn } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { isAsked } from "./lose-column.ts";
import { sendAfterMove, type SendAfterMoveDeps } from "./send-after-move.ts";

export type MissingColumnsDeps = Pick<App, "columns">;
export type AnswerMissingDeps = CourseAuditDeps & SendAfterMoveDeps & MissingColumnsDeps;

export type ColumnMissed = Column & { missing: MissingColumn };

export type MissingAnswer = { columnId: string; answer: "make" | "leave" };

/** Missing columns that the policy fills, also those left out. */
export function missingAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">): ColumnMissed[] {
  return columns.flatMap((column) => {
    const { missing = null } = column;
    return missing === null || !isAsked(policy, column.key) ? [] : [{ ...column, missing }];
  });
}

/** Columns that the policy fills, with 0 points in the gradebook: nothing counts, and no instructor has said that it is meant so. */
export function withoutPointsAmong(columns: readonly Column[], { policy }: Pick<Course, "policy">): Column[] {
  return columns.filter(
    ({ key, lineItemUrl, points, keptAtZero = false }) =>
      points === 0 && lineItemUrl !== null && !keptAtZero && isAsked(policy, key),
  );
}

/** Until it has points. @returns false when there was nothing to answer */
export async function keepAtZero(
  { columns }: MissingColumnsDeps,
  course: Pick<Course, "registrationId" | "id" | "policy">,
  columnId: string,
): Promise<boolean> {
  const all = await columns.listOfCourse(course.registrationId, course.id);
  return withoutPointsAmong(all, course).some(({ id }) => id === columnId) && columns.keepAtZero(columnId);
}

export async function missingColumns(
  { columns }: MissingColumnsDeps,
  course: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<ColumnMissed[]> {
  return missingAmong(await columns.listOfCourse(course.registrationId, course.id), course);
}

/**
 * Going on without the attendance column is a change of policy, not made here. @param actor Person id. @returns false
 * when there was nothing to answer
 */
export async function answerMissing(
  deps: AnswerMissingDeps,
  course: Course,
  { columnId, answer }: MissingAnswer,
  actor: string,
): Promise<boolean> {
  const column = (await missingColumns(deps, course)).find(({ id }) => id === columnId);
  if (column === undefined) return false;
  const { at } = column.missing;
  const done =
    answer === "make"
      ? await sendAfterMove(deps, column, () => deps.columns.wantBack(column.id, at))
      : column.key !== attendanceColumn && (await deps.columns.leaveOut(column.id, at));
  if (!done) return false;
  const what = answer === "make" ? "column-made-again" : "column-left-out";
  const session = eventOfColumn(column.key);
  const on = session === null ? null : { eventId: session, title: column.label ?? null, startsAt: null };
  await writeCourseAudit(deps, course, actor, { what, session: on });
  return true;
}
