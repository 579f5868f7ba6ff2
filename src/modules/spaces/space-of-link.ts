import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { otherSpaceOf } from "../../domain/course-link.ts";

export type SpaceOfLinkDeps = Pick<App, "courseLinks">;

/** The Space an instructor chose for a link; null for the course's own. */
export async function spaceOfLink(
  deps: SpaceOfLinkDeps,
  course: Course,
  courseLinkId: string | null,
): Promise<string | null> {
  if (courseLinkId === null) return null;
  const link = await deps.courseLinks.find(courseLinkId);
  return link?.courseId === course.id ? otherSpaceOf(link.choice) : null;
}
