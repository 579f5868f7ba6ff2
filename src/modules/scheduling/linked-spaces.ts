import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";

export type LinkedSpacesDeps = Pick<App, "courseLinks" | "courses">;

/** A Space that a link opens instead of the course's own, and the course of the same LMS that owns it. */
export type LinkedSpace = { spaceId: string; ofCourse: Course | null };

export async function linkedSpaces(deps: LinkedSpacesDeps, course: Course): Promise<LinkedSpace[]> {
  const { registrationId, deploymentId, environment } = course;
  const links = await deps.courseLinks.listOfCourse(registrationId, course.id);
  const chosen = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const ids = await deps.courses.usableOf(course, chosen);
  if (course.spaceId !== null) ids.delete(course.spaceId);
  return Promise.all(
    [...ids].map(async (spaceId) => {
      const owners = await deps.courses.findBySpace(environment, spaceId);
      const ours = owners.find(
        (owner) => owner.registrationId === registrationId && owner.deploymentId === deploymentId,
      );
      return { spaceId, ofCourse: ours ?? null };
    }),
  );
}
