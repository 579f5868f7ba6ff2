import type { AccountId } from "../../../domain/account.ts";
import type { ClassroomRole } from "../../../domain/person.ts";
import type { NewSpace } from "../../../domain/course-link.ts";
import { anyOf, given, type PersonRule, signedBy, withCourse } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";

const asUser: PersonRule = {
  over: "once",
  find: ({ registrationId, environment, userIds }) => ({
    registrationId,
    environment,
    userId: anyOf(userIds),
  }),
};

/** A user on a Space's list in the classroom. One record per Space and user. */
export const spaceUserRecord = describeRecord("SpaceUser", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    userId: field.text,
    /** As last added, and when (ms). */
    role: field.textOf<ClassroomRole>().orNull,
    toldAt: field.number.orNull,
    /** The last failure since (ms) and its code. */
    failedAt: field.number.orNull,
    problem: field.text.orNull,
  },
  hidden: {
    /** The course through which the user was added, or was to be added. */
    registrationId: field.text,
    courseId: field.text,
    ...field.lease,
  },
  indexes: [
    index("environment", "spaceId", "role", "toldAt"),
    index("environment", "spaceId", "-failedAt"),
    index("environment", "-failedAt"),
    index("registrationId", "courseId"),
    index("registrationId", "userId"),
  ],
  personalData: {
    key: "spaceUsers",
    holds: "users added to a Space's list in the classroom, with role and time",
    stored: "with the course or the person",
    person: [asUser],
    given: given(asUser, "spaceId role toldAt failedAt"),
  },
});
export type SpaceUser = ItemOf<typeof spaceUserRecord>;

/** Code of the error if a user couldn't be added to a Space. */
export const notOnList = "space-list-refused";

/** An instructor's request for a Space to which the course has no right. */
export const spaceRequestRecord = describeRecord("SpaceRequest", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    /** The person who asked first. */
    personId: field.text,
    /** Milliseconds since the epoch. */
    askedAt: field.number,
    state: field.textOf<"open" | "approved" | "refused">(),
    decidedAt: field.number.orNull,
    decidedBy: field.textOf<SpaceDecider>().orNull,
  },
  indexes: [
    index.unique("courseId", "environment", "spaceId"),
    index("registrationId", "state", "-askedAt"),
    index("state", "-askedAt"),
  ],
  personalData: {
    key: "spaceRequests",
    holds: "a course's requests for Spaces, by which instructor, and the answers",
    stored: withCourse,
    person: [signedBy("personId")],
    names: [{ path: "personId", among: "courses" }],
  },
});
export type SpaceRequest = ItemOf<typeof spaceRequestRecord>;

/** A course's earlier Space. Sessions held there stay the course's. */
export const formerSpaceRecord = describeRecord("FormerSpace", {
  id: null,
  fields: {
    environment: field.text,
    spaceId: field.text,
    courseId: field.text,
    /** Only a link of the course led there, so what comes later isn't the course's. */
    ofLink: field.flag.optional,
  },
  indexes: [index("environment", "spaceId"), index("courseId")],
  personalData: {
    key: "formerSpaces",
    holds: "a course's former Spaces; no person",
    stored: "with the course",
  },
});

export const spacesRecords = [spaceRequestRecord, spaceUserRecord, formerSpaceRecord];

/**
 * How a course got its right. made: this tool made the Space for it · approved: by an operator or an administrator of its LMS · proven: by an
 * instructor who entered it as a host in another course of the same LMS that has a right.
 */
export type SpaceWay = "made" | "approved" | "proven";

export type SpaceDecider = "operator" | "lms-administrator";

/** A Space with its account, because two accounts may use the same id. */
export type SpaceName = { environment: AccountId; spaceId: string };

export function spaceKey({ environment, spaceId }: SpaceName): string {
  return `${environment} ${spaceId}`;
}

/** The right of a course's people to enter the Space, whose recordings and sessions are then the course's. */
export const spaceRightRecord = describeRecord("SpaceRight", {
  id: null,
  readOnce: "found",
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    way: field.textOf<SpaceWay>(),
    /** Null for any other way. */
    decidedBy: field.textOf<SpaceDecider>().orNull,
    /** Null for any other way, or if the course through which it was proven was erased. */
    throughCourseId: field.text.orNull,
    /** Whether this tool made the Space for any course of this LMS. */
    madeForLms: field.flag.optional,
    /** Set for a Space that was made but is kept unused. */
    elsewhere: field.json<SpaceElsewhere>().orNull,
    /** Milliseconds since the epoch. */
    at: field.number,
  },
  indexes: [
    index("environment", "spaceId"),
    index("registrationId", "way", "-at"),
    index("way", "-at"),
    index("courseId"),
    index("throughCourseId"),
    index("environment", "elsewhere.origin"),
  ],
  personalData: {
    key: "spaceRights",
    holds: "which Spaces a course may use, and why; no person",
    stored: "with the course",
  },
});
export type SpaceRight = ItemOf<typeof spaceRightRecord> & { madeForLms: boolean };

/** An origin that isn't configured and that a service named for a new Space, and how the Space was made. */
export type SpaceElsewhere = { origin: string; made: NewSpace };

/** no-right: no right (any more) · not-own: its institution allows only Spaces made for its courses. */
export type SpaceRightState = "usable" | "no-right" | "not-own";

/** @param right Null if the course has none. */
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

/** Why no course can get a right to a Space. */
export type SpaceClosedReason = "course-erased" | "lms-uninstalled" | "operator";

export const registeredSpaceRecord = describeRecord("RegisteredSpace", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    /** Null if no single LMS has it. */
    owner: field.json<{ registrationId: string; courseId: string | null }>().orNull,
    closed: field.json<{ at: number; why: SpaceClosedReason }>().orNull,
  },
  indexes: [index("closed.why", "-closed.at")],
  personalData: {
    key: "registeredSpaces",
    holds: "which course a Space belongs to; of a closed one only its id, when and why; no person",
    stored: "always, so that an old id never opens anything",
  },
});
export type RegisteredSpace = ItemOf<typeof registeredSpaceRecord>;

/** A course's change of Space, or one of its links', kept until change log and sessions have it. */
export type SpaceChange = {
  /** Id of its entry in the change log. */
  id: string;
  personId: string;
  /** Milliseconds since the epoch. */
  at: number;
  before: string | null;
  /** Null for a link that leads to its course's own Space. */
  after: string | null;
  /** Whether it's a link's. The change log has no line for these. */
  ofLink?: boolean;
};

/**
 * Reads a Space's id from its pasted address {app_url}/spaces/<space_id>, with or without parameters, or from the id alone. @param appUrl The
 * web application of the course's account; other addresses don't count. @returns null if it's neither.
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

/** How many instructors get their user first. Everybody who enters waits for each of these calls. */
export const maxHostsMadeFirst = 3;

/** How many hosts and participants one request has, so services accept its body. */
export const maxPeople = { instructor: 100, learner: 1_000 };

/** Rows of each list. Decisions bring up the next ones. */
export const maxRows = 100;
/** Open requests of one course. Limited because anybody can type any number of ids. */
export const maxOpenRequests = 20;
const maxIdLength = 200;
export const maxRights = 500;
export const rightBatchSize = 200;
/** How long one process has to pass on a change of Space. After that, another does. */
export const changeLeaseMs = 20_000;

export const maxListed = { hosts: 1_000, instructors: 100, failed: 20 };
