import type { Course } from "../../domain/course.ts";
import type { SpaceRightState } from "./rules/space-right.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

export type SpaceRightsDeps = { courses: Pick<CourseStore, "rightState"> };

/** Codes of the refusals; pages offer instructors another Space. */
export const closedSpaceRefusals: readonly string[] = ["space-not-approved", "space-not-own"];

/**
 * Whatever settings, links, logins or sessions say. Asked at every entry: the Space may have been closed or forbidden
 * since. @param spaceId Null for one still to be made. @throws NamedError "space-not-approved" or "space-not-own"
 */
export async function refuseForeignSpace(
  deps: SpaceRightsDeps,
  course: Pick<Course, "id" | "environment" | "ownSpacesOnly">,
  spaceId: string | null,
): Promise<void> {
  const rightState = spaceId === null ? "usable" : await deps.courses.rightState(course, spaceId);
  if (rightState !== "usable") throw refusalOf(rightState);
}

function refusalOf(rightState: Exclude<SpaceRightState, "usable">): NamedError {
  if (rightState === "not-own") {
    return refusal("space-not-own", { status: 403 });
  }
  return refusal("space-not-approved", { status: 403 });
}
