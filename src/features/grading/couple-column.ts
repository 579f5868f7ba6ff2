import type { Course } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { ColumnStore } from "../../storage/column-store.ts";

/**
 * Remembers the column that the LMS tied to the link of a launch as the course's column `columnKey`. A column of
 * the course that wrote into it before (the link opened something else then) lets go of it.
 * @returns the columns whose scores go to another place from now on; mostly none.
 */
export async function coupleColumn(
  deps: { columns: ColumnStore; ids: Ids },
  course: Course,
  launch: Launch,
  columnKey: string | null,
): Promise<string[]> {
  const lineItemUrl = launch.grades?.lineItemUrl ?? null;
  if (lineItemUrl === null || launch.link === null || columnKey === null) return [];
  const key = { registrationId: course.registrationId, courseId: course.id, key: columnKey };
  const column = await deps.columns.open(key, deps.ids.id("col"));
  if (column.lineItemUrl === lineItemUrl) return [];
  if (!(await deps.columns.couple(column.id, launch.link.id, lineItemUrl))) return [];
  return [columnKey, ...(await deps.columns.uncoupleOthers(key, lineItemUrl))];
}
