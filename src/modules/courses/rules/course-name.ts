import type { Course } from "../../../domain/course.ts";

/** A course's name for operators: title, else label, else the LMS's id. */
export function courseName({
  title,
  label,
  contextId,
}: Pick<Course, "title" | "label" | "contextId">): string {
  return title || label || contextId;
}
