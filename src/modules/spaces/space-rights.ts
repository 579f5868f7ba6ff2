import type { Course } from "../../domain/course.ts";
import type { SpaceStanding } from "./rules/space-right.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

export type SpaceRightsDeps = { courses: Pick<CourseStore, "standing"> };

/** The codes of the refusals: pages offer instructors a way to another Space. */
export const closedSpaceRefusals: readonly string[] = ["space-not-approved", "space-not-own"];

/**
 * Refuses a Space that a course may not use, whatever its settings, links, logins or sessions say. Asked at every
 * entry: what was right once may have been closed since, or
 * forbidden by the institution.
 * @param spaceId Null for one that is still to be made.
 * @throws NamedError "space-not-approved" or "space-not-own"
 */
export async function refuseForeignSpace(
  deps: SpaceRightsDeps,
  course: Pick<Course, "id" | "environment" | "ownSpacesOnly">,
  spaceId: string | null,
): Promise<void> {
  const standing = spaceId === null ? "usable" : await deps.courses.standing(course, spaceId);
  if (standing !== "usable") throw refusalOf(standing);
}

/** What is said of a Space that a course may not use. */
function refusalOf(standing: Exclude<SpaceStanding, "usable">): NamedError {
  if (standing === "not-own") {
    return new NamedError(
      "space-not-own",
      "Your institution lets courses use only Spaces that were made for its courses, and the one that is set here was not. An instructor can give the course its own Space under Settings, Space; an administrator of your LMS can say more.",
      { status: 403 },
    );
  }
  return new NamedError(
    "space-not-approved",
    "The Space that is set here is not approved for this course, or was closed. An instructor can choose another one under Settings, Space.",
    { status: 403 },
  );
}
