import {
  describeRecord,
  index,
  type ItemOf,
  leaseFields,
  number,
  text,
  unique,
} from "../../../domain/record.ts";

/** Requests to recompute a course's scores, one record for each course. */
export const regradeRecord = describeRecord("Regrade", {
  fields: {
    registrationId: text,
    courseId: text,
    wanted: number,
    done: number,
    /** Milliseconds; `never`: not at all. */
    dueAt: number,
    attempts: number,
    /** The request that `cursor` and `graded` belong to. */
    underWay: number,
    /** Scores are computed up to this person id. */
    cursor: text.or(""),
    graded: number,
    total: number.orNull,
    /** Milliseconds since the epoch. */
    startedAt: number.orNull,
    finishedAt: number.orNull,
    problem: text.orNull,
  },
  hidden: leaseFields,
  indexes: [unique("registrationId", "courseId"), index("registrationId", "dueAt")],
  held: {
    key: "regrades",
    holds: "how far a new computation of scores is; no person",
    kept: "with the course",
  },
});
export type Regrade = ItemOf<typeof regradeRecord>;
