import type { AccountId } from "../../../domain/account.ts";
import {
  describeRecord,
  flag,
  index,
  type ItemOf,
  leaseFields,
  number,
  text,
  textOf,
} from "../../../domain/record.ts";
import { given, anyOf, type PersonRule } from "../../../domain/held-record.ts";
import type { ClassroomRole } from "../../../domain/api-user.ts";

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
