import type { Course } from "../../../domain/course.ts";

/** What operators know a course by: its title, else its label, else the id that its LMS gave it. */
export function courseName({
  title,
  label,
  contextId,
}: Pick<Course, "title" | "label" | "contextId">): string {
  return title || label || contextId;
}
