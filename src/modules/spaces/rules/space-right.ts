import type { EnvironmentName } from "../../../domain/registration.ts";
import type { NewSpace } from "../../../domain/space-access.ts";

/**
 * How a course came by the right to a Space. made: this tool made the Space for it · approved: an operator or an
 * administrator of its LMS said so · proven: who linked it was an instructor of another course of the same LMS that has a
 * right to it, so they entered it as a host already · linked-before: an instructor linked it when nobody was asked yet.
 */
export type SpaceWay = "made" | "approved" | "proven" | "linked-before";

/** Who may decide about a Space. */
export type SpaceDecider = "operator" | "lms-administrator";

/** A Space of the classroom, by the environment it is in: two environments may use the same id. */
export type SpaceName = { environment: EnvironmentName; spaceId: string };

/** That a course may use a Space: its people may enter it, and its recordings and sessions are the course's. */
export type SpaceRight = SpaceName & {
  registrationId: string;
  courseId: string;
  way: SpaceWay;
  /** Who approved it; null for another way. */
  decidedBy: SpaceDecider | null;
  /** The course through which it was proven; null for another way, or when that course was erased. */
  throughCourseId: string | null;
  /** Whether this tool made the Space for a course of this LMS, be it this course or another one. */
  madeForLms: boolean;
  /** Of a Space that was made and is kept for the course without being used; null for every other. */
  elsewhere: SpaceElsewhere | null;
  /** Milliseconds since the epoch. */
  at: number;
};

/** What the service said of a new Space that it put where this tool sends nobody, and how it was made. */
export type SpaceElsewhere = { origin: string; made: NewSpace };

/**
 * How a course stands to a Space. usable: its people may enter it · no-right: it has no right to it, or not any more · not-own:
 * it has the right, and its institution lets courses use only Spaces that were made for its courses.
 */
export type SpaceStanding = "usable" | "no-right" | "not-own";

/** @param right Null when the course has none. */
export function standingOf(
  right: Pick<SpaceRight, "madeForLms" | "elsewhere"> | null,
  { ownSpacesOnly = false }: { ownSpacesOnly?: boolean },
): SpaceStanding {
  if (right === null || right.elsewhere !== null) return "no-right";
  return ownSpacesOnly && !right.madeForLms ? "not-own" : "usable";
}

/** Whether this tool made a Space for a course of an LMS. */
export function isMadeFor(space: Pick<RegisteredSpace, "owner"> | null, registrationId: string): boolean {
  return space?.owner?.registrationId === registrationId && space.owner.courseId !== null;
}

/** Why nobody gets a right to a Space any more. */
export type SpaceClosedWhy = "course-erased" | "lms-uninstalled" | "operator";

/** A Space that the register knows. */
export type RegisteredSpace = SpaceName & {
  /** The LMS whose it is, and the course it was made for; null when nobody alone has it. */
  owner: { registrationId: string; courseId: string | null } | null;
  closed: { at: number; why: SpaceClosedWhy } | null;
};
