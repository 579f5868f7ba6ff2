import type { AccountId } from "../../../domain/account.ts";
import { describeRecord, index, type ItemOf, number, text, textOf, unique } from "../../../domain/record.ts";
import { signedBy, withCourse } from "../../../domain/held-record.ts";
import type { SpaceDecider } from "./space-right.ts";

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
