import type { AccountId } from "../../../domain/account.ts";
import type { NewSpace } from "../../../domain/course-link.ts";
import {
  describeRecord,
  flag,
  index,
  type ItemOf,
  json,
  number,
  text,
  textOf,
} from "../../../domain/record.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";
import { maxIdLength } from "./limits.ts";

/**
 * How a course got its right. made: this tool made the Space for it · approved: by an operator or an administrator of
 * its LMS · proven: by an instructor who entered it as a host in another course of the same LMS with a right.
 */
export type SpaceWay = "made" | "approved" | "proven";

export type SpaceDecider = "operator" | "lms-administrator";

/** A Space by environment: two environments may use the same id. */
export type SpaceName = { environment: AccountId; spaceId: string };

/** A course's people may enter the Space, and its recordings and sessions are the course's. */
export const spaceRightRecord = describeRecord("SpaceRight", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<AccountId>(),
    spaceId: text,
    way: textOf<SpaceWay>(),
    /** Null for another way. */
    decidedBy: textOf<SpaceDecider>().orNull,
    /** Null for another way, or when the course through which it was proven was erased. */
    throughCourseId: text.orNull,
    /** Whether this tool made the Space for any course of this LMS. */
    madeForLms: flag.optional,
    /** Set for a Space that was made but is kept unused. */
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

/** The origin a service named for a new Space that is not configured, and how the Space was made. */
export type SpaceElsewhere = { origin: string; made: NewSpace };

/** no-right: none, or no longer · not-own: its institution allows only Spaces made for its courses. */
export type SpaceRightState = "usable" | "no-right" | "not-own";

/** @param right Null when the course has none. */
export function rightStateOf(
  right: Pick<SpaceRight, "madeForLms" | "elsewhere"> | null,
  { ownSpacesOnly = false }: { ownSpacesOnly?: boolean },
): SpaceRightState {
  if (right === null || right.elsewhere !== null) return "no-right";
  return ownSpacesOnly && !right.madeForLms ? "not-own" : "usable";
}

export function isMadeFor(space: Pick<RegisteredSpace, "owner"> | null, registrationId: string): boolean {
  return space?.owner?.registrationId === registrationId && space.owner.courseId !== null;
}

/** Why no course gets a right to a Space any more. */
export type SpaceClosedReason = "course-erased" | "lms-uninstalled" | "operator";

export const registeredSpaceRecord = describeRecord("RegisteredSpace", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    spaceId: text,
    /** Null when no single LMS has it. */
    owner: json<{ registrationId: string; courseId: string | null }>().orNull,
    closed: json<{ at: number; why: SpaceClosedReason }>().orNull,
  },
  indexes: [index("closed.why", "-closed.at")],
  held: {
    key: "registeredSpaces",
    holds: "that a Space is a course's; of a closed one its id, when and why, and nothing else; no person",
    kept: "always: an id that was given away must open nothing later",
  },
});
export type RegisteredSpace = ItemOf<typeof registeredSpaceRecord>;

/** A course's change of Space, kept until audit trail and sessions have it. */
export type SpaceChange = {
  /** Of its entry in the audit trail. */
  id: string;
  personId: string;
  /** Milliseconds since the epoch. */
  at: number;
  before: string | null;
  after: string;
};

/**
 * From its pasted address {app_url}/spaces/<space_id>, with or without parameters, or from the id alone. @param appUrl
 * The web application of the course's environment; others' addresses do not count. @returns null when it is neither.
 */
export function spaceIdFrom(typed: string, appUrl: string): string | null {
  const text = typed.trim();
  if (/^[A-Za-z0-9][\w.~-]*$/.test(text)) return usableId(text);
  const address = URL.parse(text);
  const app = URL.parse(appUrl);
  if (address === null || app === null || address.origin !== app.origin) return null;
  const folder = `${withoutTrailingSlashes(app.pathname)}/spaces/`;
  if (!address.pathname.startsWith(folder)) return null;
  const [segment = ""] = address.pathname.slice(folder.length).split("/");
  try {
    return usableId(decodeURIComponent(segment));
  } catch {
    return null; // a broken percent sign
  }
}

function usableId(id: string): string | null {
  const usable = id.length <= maxIdLength && /^[^\s/\\\p{Cc}]+$/u.test(id) && !/^\.*$/.test(id);
  return usable ? id : null;
}
