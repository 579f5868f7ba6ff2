import { describeRecord, index, type ItemOf } from "../../../domain/record.ts";
import { textOf, text, json, flag, number } from "../../../domain/record-fields.ts";
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
export const spaceRightRecord = describeRecord("SpaceRight", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<EnvironmentName>(),
    spaceId: text,
    way: textOf<SpaceWay>(),
    /** Who approved it; null for another way. */
    decidedBy: textOf<SpaceDecider>().orNull,
    /** The course through which it was proven; null for another way, or when that course was erased. */
    throughCourseId: text.orNull,
    /** Whether this tool made the Space for a course of this LMS, be it this course or another one. */
    madeForLms: flag.optional,
    /** Of a Space that was made and is kept for the course without being used; null for every other. */
    elsewhere: json<SpaceElsewhere>().orNull,
    /** Milliseconds since the epoch. */
    at: number,
  },
  indexes: [
    index("environment", "spaceId"),
    index("registrationId", "way", "-at"),
    index("way", "-at"),
    index("courseId"),
    index("throughCourseId"),
    index("environment", "elsewhere.origin"),
  ],
  held: {
    key: "spaceRights",
    holds: "which Spaces a course may use, and why; no person",
    kept: "with the course",
  },
});
export type SpaceRight = ItemOf<typeof spaceRightRecord> & { madeForLms: boolean };

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
export const registeredSpaceRecord = describeRecord("RegisteredSpace", {
  id: null,
  fields: {
    environment: textOf<EnvironmentName>(),
    spaceId: text,
    /** The LMS whose it is, and the course it was made for; null when nobody alone has it. */
    owner: json<{ registrationId: string; courseId: string | null }>().orNull,
    closed: json<{ at: number; why: SpaceClosedWhy }>().orNull,
  },
  indexes: [index("closed.why", "-closed.at")],
  held: {
    key: "registeredSpaces",
    holds: "that a Space is a course's; of a closed one its id, when and why, and nothing else; no person",
    kept: "always: an id that was given away must open nothing later",
  },
});
export type RegisteredSpace = ItemOf<typeof registeredSpaceRecord>;
