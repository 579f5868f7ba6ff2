import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type SpacesOfCourseDeps = Pick<App, "courses" | "courseLinks">;

/** A Space in which a course's sessions take place, or took place. */
export type CourseSpace = {
  spaceId: string;
  /**
   * "own": what happens there is the course's unless it is known to be another one's. "shared": it is another course's,
   * or several courses' links open it, so that only what is known to be this course's is.
   */
  claim: "own" | "shared";
};

/**
 * The Spaces of a course: its own, those it had before, and those its links open instead; each once, and only those to
 * which it has a right.
 */
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

/** Whether no other course has anything to do with a Space that is not the course's own (any more). */
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
