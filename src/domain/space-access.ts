import type { Course } from "./course.ts";
import type { CourseLink } from "./course-link.ts";

/**
 * Who can enter a Space, as far as an instructor has told: the interface shows no way to ask a Space, or to change
 * it once it was made (part 4). "unknown" of a Space that this tool made is Public, without a waiting room.
 */
export const spaceAccesses = ["unknown", "waiting-room", "invited-only"] as const;
export type SpaceAccess = (typeof spaceAccesses)[number];

/** What is said about the Space that an entry leads to. A link's word holds for the Space it was said of only. */
export function spaceAccessOf(
  course: Pick<Course, "spaceAccess">,
  link: Pick<CourseLink, "choice" | "spaceAccess"> | null,
): SpaceAccess {
  if (link?.choice.kind !== "space") return course.spaceAccess;
  return link.spaceAccess?.spaceId === link.choice.spaceId ? link.spaceAccess.access : "unknown";
}
