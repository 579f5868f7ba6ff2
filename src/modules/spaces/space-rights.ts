import type { Course } from "../../domain/course.ts";
import type { SpaceStanding } from "./rules/space-right.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
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
    return refusal("space-not-own", { status: 403 });
  }
  return refusal("space-not-approved", { status: 403 });
}
