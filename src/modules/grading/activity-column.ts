import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { attendanceColumn, type Column, type OfferedLineItem } from "./rules/column.ts";
import { sendAfterMove, type SendAfterMoveDeps } from "./send-after-move.ts";

export type OfferedColumnDeps = Pick<App, "columns">;
export type UseActivityColumnDeps = CourseAuditDeps & SendAfterMoveDeps & OfferedColumnDeps;

export type OfferedColumn = Column & { offered: OfferedLineItem };

/** Our own column of a course whose activity has got a line item since; null where there is nothing to choose. */
export function offeredAmong(
  columns: readonly Column[],
  { policy }: Pick<Course, "policy">,
): OfferedColumn | null {
  const column = columns.find(({ key }) => key === attendanceColumn);
  if (policy.kind !== "one-column" || column?.offered == null || column.lineItemUrl === null) return null;
  return column.linkId === null ? { ...column, offered: column.offered } : null;
}

/** The line item of a duplicated activity: nobody fills it, and totals may count it. Null where there is none. */
export function secondAmong(
  columns: readonly Column[],
  { policy }: Pick<Course, "policy">,
): OfferedLineItem | null {
  const column = columns.find(({ key }) => key === attendanceColumn);
  if (policy.kind !== "one-column" || column?.offered == null || column.lineItemUrl === null) return null;
  return column.linkId === null ? null : column.offered;
}

export async function offeredColumn(
  { columns }: OfferedColumnDeps,
  course: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<OfferedColumn | null> {
  const { registrationId, id: courseId } = course;
  const column = await columns.find({ registrationId, courseId, key: attendanceColumn });
  return column === null ? null : offeredAmong([column], course);
}

/**
 * Sends all scores to the activity's own line item from now on; our column stays in the gradebook with its grades.
 * @param actor Person id. @returns false when there was nothing to choose
 */
export async function useActivityColumn(
  deps: UseActivityColumnDeps,
  course: Course,
  columnId: string,
  actor: string,
): Promise<boolean> {
  const column = await offeredColumn(deps, course);
  if (column?.id !== columnId) return false;
  const take = () => deps.columns.takeOffered(column.id, column.offered);
  if (!(await sendAfterMove(deps, column, take))) return false;
  await writeCourseAudit(deps, course, actor, {
    what: "column-of-activity",
    before: column.label ?? null,
  });
  return true;
}

/** Grades go on to our column; the other may still be chosen. @returns false when there was nothing to choose */
export async function keepColumn(
  deps: OfferedColumnDeps,
  course: Course,
  columnId: string,
): Promise<boolean> {
  const column = await offeredColumn(deps, course);
  return column?.id === columnId && (await deps.columns.leaveOffered(column.id, column.offered));
}
