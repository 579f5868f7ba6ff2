import type { Course } from "../../../domain/course.ts";

export function courseName({
  title,
  label,
  contextId,
}: Pick<Course, "title" | "label" | "contextId">): string {
  return title || label || contextId;
}
