import type { Course } from "./course.ts";
import type { CourseLink } from "./course-link.ts";
import { otherSpaceOf } from "./other-space-of.ts";

/** By an instructor's word: the interface cannot read or change it (part 4). "unknown" of a Space we made: Public, no waiting room. */
export const spaceAccesses = ["unknown", "waiting-room", "invited-only"] as const;
export type SpaceAccess = (typeof spaceAccesses)[number];

/** The interface cannot change it later; a Private Space admits only users named when it was made, where the service takes them. */
export type NewSpace = { access: "Public" | "Private"; waitingRoom: boolean };

export const openSpace: NewSpace = { access: "Public", waitingRoom: false };

export function accessOfNew({ access, waitingRoom }: NewSpace): SpaceAccess {
  if (access === "Private") return "invited-only";
  return waitingRoom ? "waiting-room" : "unknown";
}

/** The access of the Space an entry leads to; a link's statement holds only for the Space it was made about. */
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
