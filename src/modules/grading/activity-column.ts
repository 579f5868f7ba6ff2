import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { attendanceColumn, type Column, type OfferedLineItem } from "./rules/column.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type OfferedColumnDeps = Pick<App, "columns">;
export type UseActivityColumnDeps = CourseAuditDeps &
  Pick<App, "columns" | "wake" | "clock"> & { deliveries: Pick<DeliveryStore, "retryColumn"> };

export type OfferedColumn = Column & { offered: OfferedLineItem };

/** Our own column of a course whose activity has got a line item since; null where there is nothing to choose. */
export async function offeredColumn(
  { columns }: OfferedColumnDeps,
  { registrationId, id: courseId, policy }: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<OfferedColumn | null> {
  if (policy.kind !== "one-column") return null;
  const column = await columns.find({ registrationId, courseId, key: attendanceColumn });
  const offered = column?.offered ?? null;
  return column === null || offered === null || column.lineItemUrl === null ? null : { ...column, offered };
}

/**
 * Sends all scores to the activity's own line item from now on; our column stays in the gradebook with its grades. Scores
 * are due before it moves and again after, so that a crash loses none.
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
  const { registrationId, courseId, key: columnKey } = column;
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + waitMs);
  if (!(await deps.columns.takeOffered(column.id, column.offered))) return false;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now);
  await writeCourseAudit(deps, course, actor, {
    what: "column-of-activity",
    before: column.label ?? null,
  });
  deps.wake("deliveries");
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

/** Scores wait so long (ms) for the new address. */
const waitMs = 2_000;
