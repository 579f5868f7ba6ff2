import type { Course } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseStore } from "../../storage/course-store.ts";

export type SpaceRightsDeps = { courses: Pick<CourseStore, "mayUse"> };

/** The code of the refusal: pages offer instructors a way to another Space. */
export const spaceNotApproved = "space-not-approved";

/**
 * Refuses a Space to which a course has no right, whatever its settings, links, logins or sessions say. Asked at every
 * entry: what was right once may have been closed since.
 * @param spaceId Null for one that is still to be made.
 * @throws NamedError "space-not-approved"
 */
export async function refuseForeignSpace(
  deps: SpaceRightsDeps,
  course: Pick<Course, "id" | "environment">,
  spaceId: string | null,
): Promise<void> {
  if (spaceId === null || (await deps.courses.mayUse(course, spaceId))) return;
  throw new NamedError(
    spaceNotApproved,
    "The Space that is set here is not approved for this course, or was closed. An instructor can choose another one under Settings, Space.",
    { status: 403 },
  );
}
