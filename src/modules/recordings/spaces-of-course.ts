import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type SpacesOfCourseDeps = Pick<App, "courses" | "courseLinks">;

export type CourseSpace = {
  spaceId: string;
  /**
   * "own": what happens there is the course's unless known to be another's. "shared": another course's, or linked by
   * several courses, so only what is known to be this course's is.
   */
  claim: "own" | "shared";
};

/** A course's own Space, earlier ones, and those its links open, as far as it has a right to them. */
export async function spacesOfCourse(deps: SpacesOfCourseDeps, course: Course): Promise<CourseSpace[]> {
  const [former, links] = await Promise.all([
    deps.courses.formerSpaces(course),
    deps.courseLinks.listOfCourse(course.registrationId, course.id),
  ]);
  const linked = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const named = [...former, ...linked, ...(course.spaceId === null ? [] : [course.spaceId])];
  const others = await deps.courses.usableOf(course, named);
  const own: CourseSpace[] = [];
  if (course.spaceId !== null && others.delete(course.spaceId))
    own.push({ spaceId: course.spaceId, claim: "own" });
  const rest = await Promise.all(
    [...others].map(async (spaceId): Promise<CourseSpace> => ({
      spaceId,
      claim: (await isOnlyOurs(deps, course, spaceId, former.includes(spaceId))) ? "own" : "shared",
    })),
  );
  return [...own, ...rest];
}

/** Whether no other course uses a Space that is not the course's own. */
async function isOnlyOurs(
  deps: SpacesOfCourseDeps,
  course: Course,
  spaceId: string,
  wasOurs: boolean,
): Promise<boolean> {
  const owners = await deps.courses.findBySpace(course.environment, spaceId);
  if (owners.some(({ id }) => id !== course.id)) return false;
  const links = await deps.courseLinks.listOpening(spaceId);
  return wasOurs || links.every(({ courseId }) => courseId === course.id);
}
