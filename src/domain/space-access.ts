import type { Course } from "./course.ts";
import type { CourseLink } from "./course-link.ts";
import { otherSpaceOf } from "./other-space-of.ts";

/**
 * Who can enter a Space, as far as an instructor has told: the interface shows no way to ask a Space, or to change
 * it once it was made (part 4). "unknown" of a Space that this tool made is Public, without a waiting room.
 */
export const spaceAccesses = ["unknown", "waiting-room", "invited-only"] as const;
export type SpaceAccess = (typeof spaceAccesses)[number];

/**
 * How a Space is made; nothing of it can be changed through the interface afterwards. Into a Private Space only people
 * on its list of invited users get: those it was told of when it was made, where the service takes that; the interface shows no
 * way to put anybody there later.
 */
export type NewSpace = { access: "Public" | "Private"; waitingRoom: boolean };

/** What a course has until somebody chooses otherwise: everybody whom this tool sends gets in. */
export const openSpace: NewSpace = { access: "Public", waitingRoom: false };

/** What is known of a Space that was made so. */
export function accessOfNew({ access, waitingRoom }: NewSpace): SpaceAccess {
  if (access === "Private") return "invited-only";
  return waitingRoom ? "waiting-room" : "unknown";
}

/**
 * What is said about the Space that an entry leads to. A link's word holds for the Space it was said of only; of one that
 * is still to be made, how it will be made.
 */
export function spaceAccessOf(
  course: Pick<Course, "spaceAccess"> & Partial<Pick<Course, "spaceId" | "newSpace">>,
  link: Pick<CourseLink, "choice" | "spaceAccess"> | null,
): SpaceAccess {
  const other = link === null ? null : otherSpaceOf(link.choice);
  if (link === null || other === null) {
    const { spaceAccess, spaceId, newSpace = openSpace } = course;
    return spaceId === null && spaceAccess === "unknown" ? accessOfNew(newSpace) : spaceAccess;
  }
  return link.spaceAccess?.spaceId === other ? link.spaceAccess.access : "unknown";
}
