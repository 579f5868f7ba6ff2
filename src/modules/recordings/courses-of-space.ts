import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type CoursesOfSpaceDeps = Pick<App, "courses" | "courseLinks">;

/** Every course that has, had or links to a Space, each once. */
export async function coursesOfSpace(
  deps: CoursesOfSpaceDeps,
  environment: Course["environment"],
  spaceId: string,
): Promise<Course[]> {
  const [owners, before, links] = await Promise.all([
    deps.courses.findBySpace(environment, spaceId),
    deps.courses.coursesBefore(environment, spaceId),
    deps.courseLinks.listOpening(spaceId),
  ]);
  const ids = new Set([...before, ...links.map(({ courseId }) => courseId)]);
  for (const { id } of owners) ids.delete(id);
  const others = await Promise.all([...ids].map((id) => deps.courses.find(id)));
  return [...owners, ...others.flatMap((course) => (course?.environment === environment ? [course] : []))];
}
