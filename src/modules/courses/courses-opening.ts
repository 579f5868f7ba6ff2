import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type CoursesOpeningDeps = Pick<App, "courses" | "courseLinks">;

/** Courses of an environment with a right to a Space and a link to it, each once. */
export async function coursesOpening(
  deps: CoursesOpeningDeps,
  environment: Course["environment"],
  spaceId: string,
): Promise<Course[]> {
  const links = await deps.courseLinks.listOpening(spaceId);
  const ids = [...new Set(links.map(({ courseId }) => courseId))];
  const courses = await Promise.all(ids.map((id) => deps.courses.find(id)));
  return courses.filter((course) => course !== null).filter((course) => course.environment === environment);
}
