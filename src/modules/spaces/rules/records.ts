import type { AccountId } from "../../../domain/account.ts";
import type { ClassroomRole } from "../../../domain/api-user.ts";
import { anyOf, given, type PersonRule, signedBy, withCourse } from "../../../domain/held-record.ts";
import {
  describeRecord,
  flag,
  index,
  type ItemOf,
  leaseFields,
  number,
  text,
  textOf,
  unique,
} from "../../../domain/record.ts";
import type { SpaceDecider } from "./space-right.ts";

const asUser: PersonRule = {
  over: "once",
  find: ({ registrationId, environment, userIds }) => ({
    registrationId,
    environment,
    userId: anyOf(userIds),
  }),
};

/** Whether a Space was told of a user. One record for each (Space, user). */
export const spaceUserRecord = describeRecord("SpaceUser", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    spaceId: text,
    userId: text,
    /** Last told, and when (ms). */
    role: textOf<ClassroomRole>().orNull,
    toldAt: number.orNull,
    /** Told when the Space was made, not later. */
    fromStart: flag.or(false),
    /** The last failure since (ms) and its code. */
    failedAt: number.orNull,
    problem: text.orNull,
  },
  hidden: {
    /** The course through which the Space was told, or was to be. */
    registrationId: text,
    courseId: text,
    ...leaseFields,
  },
  indexes: [
    index("environment", "spaceId", "role", "toldAt"),
    index("environment", "spaceId", "-failedAt"),
    index("environment", "-failedAt"),
    index("registrationId", "courseId"),
    index("registrationId", "userId"),
  ],
  held: {
    key: "spaceUsers",
    holds: "of which user of the classroom a Space was told, as what and when",
    kept: "with the course; sooner when the person is erased",
    person: [asUser],
    given: given(asUser, "spaceId role toldAt fromStart failedAt"),
  },
});
export type SpaceUser = ItemOf<typeof spaceUserRecord>;

/** Code of the error when a user could not be added to a Space. */
export const notOnList = "space-list-refused";

/** An instructor's request for a Space to which the course has no right. */
export const spaceRequestRecord = describeRecord("SpaceRequest", {
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<AccountId>(),
    spaceId: text,
    /** Who asked first. */
    personId: text,
    /** Milliseconds since the epoch. */
    askedAt: number,
    state: textOf<"open" | "approved" | "refused">(),
    decidedAt: number.orNull,
    decidedBy: textOf<SpaceDecider>().orNull,
  },
  indexes: [
    unique("courseId", "environment", "spaceId"),
    index("registrationId", "state", "-askedAt"),
    index("state", "-askedAt"),
  ],
  held: {
    key: "spaceRequests",
    holds: "for which Spaces a course asked, which instructor did, and the answer",
    kept: withCourse,
    person: [signedBy("personId")],
    names: [{ path: "personId", among: "courses" }],
  },
});
export type SpaceRequest = ItemOf<typeof spaceRequestRecord>;

/** A course's earlier Space; sessions held there stay the course's. */
export const formerSpaceRecord = describeRecord("FormerSpace", {
  id: null,
  fields: { environment: text, spaceId: text, courseId: text },
  indexes: [index("environment", "spaceId"), index("courseId")],
  held: { key: "formerSpaces", holds: "which Spaces were the course's; no person", kept: "with the course" },
});

export const spacesRecords = [spaceRequestRecord, spaceUserRecord, formerSpaceRecord];
