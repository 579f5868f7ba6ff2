import { anyOf, inCourses } from "../../../domain/held-record.ts";
import {
  describeRecord,
  index,
  type ItemOf,
  json,
  leaseFields,
  number,
  text,
  unique,
} from "../../../domain/record.ts";
import { columnRecord } from "./column.ts";
import { deliveryRecord } from "./delivery.ts";

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

/** Whose scores are to be computed after a change; null for the whole course. */
export const pendingRegradeRecord = describeRecord("OwedGrading", {
  fields: {
    registrationId: text,
    courseId: text,
    personIds: json<readonly string[]>().orNull,
    /** When another process computes them (ms). */
    dueAt: number,
  },
  indexes: [index("dueAt")],
  held: {
    key: "owedGrading",
    holds: "whose scores are still to be computed",
    kept: "seconds",
    person: [
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          personIds: anyOf(personIds),
        }),
        change: ({ personIds }) => ({ update: { $pull: { personIds: anyOf(personIds) } } }),
      },
    ],
  },
});
export type PendingRegrade = ItemOf<typeof pendingRegradeRecord>;

/** All scores of a course are sent again. */
export const resendRecord = describeRecord("Resend", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    /** Milliseconds since the epoch. */
    startedAt: number,
    /** Null until counted. */
    total: number.orNull,
  },
  indexes: [unique("registrationId", "courseId")],
  held: {
    key: "resends",
    holds: "how far a sending of all scores is; no person",
    kept: "with the course",
  },
});
export type Resend = ItemOf<typeof resendRecord>;

export const gradingRecords = [
  columnRecord,
  deliveryRecord,
  regradeRecord,
  pendingRegradeRecord,
  resendRecord,
];
