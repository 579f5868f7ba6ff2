import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { sessionColumn } from "./rules/column.ts";

/** Whether a session that is gone leaves its own column in the gradebook: without grades, for only people delete columns. */
export async function leavesColumn(
  { columns }: Pick<App, "columns">,
  { registrationId, id: courseId, policy }: Pick<Course, "registrationId" | "id" | "policy">,
  eventId: string,
): Promise<boolean> {
  if (policy.kind !== "column-per-session") return false;
  const column = await columns.find({ registrationId, courseId, key: sessionColumn(eventId) });
  return column?.lineItemUrl != null && column.missing == null;
}
