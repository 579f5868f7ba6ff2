import type { Course } from "../../domain/course.ts";
import type { CourseLinkStore } from "../links/store/course-link-store.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

export type CoursesOfSpaceDeps = {
  courses: Pick<CourseStore, "find" | "findBySpace" | "coursesBefore">;
  courseLinks: Pick<CourseLinkStore, "listOpening">;
};

/** Every course that has, had or links to a Space, each once. Whose a recording is, is another question. */
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
