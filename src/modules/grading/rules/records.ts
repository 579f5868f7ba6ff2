import { anyOf, inOwnCourses } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { columnRecord } from "./column.ts";
import { deliveryRecord } from "./delivery.ts";

/** Requests to compute a course's scores again, one record for each course. */
export const regradeRecord = describeRecord("Regrade", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    wanted: field.number,
    done: field.number,
    /** In milliseconds; `never` if it isn't due. */
    dueAt: field.number,
    attempts: field.number,
    /** The request to which `cursor` and `graded` belong. */
    underWay: field.number,
    /** Scores are computed up to this person id. */
    cursor: field.text.or(""),
    graded: field.number,
    total: field.number.orNull,
    startedAt: field.number.orNull,
    finishedAt: field.number.orNull,
    problem: field.text.orNull,
  },
  hidden: field.lease,
  indexes: [index.unique("registrationId", "courseId"), index("registrationId", "dueAt"), index("dueAt")],
  personalData: { key: "regrades", holds: "the progress of a regrade; no person", stored: "with the course" },
});
export type Regrade = ItemOf<typeof regradeRecord>;

/** People whose scores must be computed after a change; `personIds` is null for the whole course. */
export const pendingRegradeRecord = describeRecord("OwedGrading", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    personIds: field.json<readonly string[]>().orNull,
    /** When another process computes them (ms). */
    dueAt: field.number,
  },
  indexes: [index("dueAt"), index("registrationId", "courseId")],
  personalData: {
    key: "owedGrading",
    holds: "people whose scores wait to be computed",
    stored: "seconds",
    person: [inOwnCourses("personIds", {}, (ids) => ({ update: { $pull: { personIds: anyOf(ids) } } }))],
  },
});
export type PendingRegrade = ItemOf<typeof pendingRegradeRecord>;

/** Sending all scores of a course again. */
export const resendRecord = describeRecord("Resend", {
  id: null,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    startedAt: field.number,
    /** Null until counted. */
    total: field.number.orNull,
  },
  indexes: [index.unique("registrationId", "courseId")],
  personalData: {
    key: "resends",
    holds: "the progress of sending all scores; no person",
    stored: "with the course",
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
