import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

/** Makes a change that may affect a course's grades, and recomputes them even if this process ends in between. */
export type WhileSessionsChange = <T>(
  course: Pick<Course, "id" | "registrationId">,
  change: () => Promise<T>,
) => Promise<T>;

export type WhileCoursesChangeDeps = Pick<App, "courses" | "whileSessionsChange">;

/** As `whileSessionsChange`. @param courseIds Null and duplicates are ignored. */
export async function whileCoursesChange<T>(
  deps: WhileCoursesChangeDeps,
  courseIds: readonly (string | null)[],
  change: () => Promise<T>,
): Promise<T> {
  let all = change;
  for (const id of new Set(courseIds)) {
    const course = id === null ? null : await deps.courses.find(id);
    if (course === null) continue;
    const inner = all;
    all = () => deps.whileSessionsChange(course, inner);
  }
  return all();
}
