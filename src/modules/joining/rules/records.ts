import type { LastEntry } from "../../../domain/entry.ts";
import { expectedClassRecord } from "./expected-class.ts";
import { queuePositionRecord, type QueueSummary } from "./queue-position.ts";
import {
  date,
  describeRecord,
  expiry,
  flag,
  index,
  json,
  number,
  text,
  unique,
} from "../../../domain/record.ts";
import { everyCourse, anyOf } from "../../../domain/held-record.ts";

export const preparedLoginRecord = describeRecord("ReadyLogin", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    personId: text,
    login: text.or(""),
    fingerprint: text.or(""),
    expectedAs: json<LastEntry>().orNull,
    usableUntil: number,
    plan: text,
    fetches: number,
    usedAt: number.orNull,
    expiresAt: date,
  },
  indexes: [
    unique("registrationId", "courseId", "personId"),
    index("usableUntil"),
    // Housekeeping only: every read compares `usableUntil`.
    expiry("expiresAt"),
  ],
  held: {
    key: "logins",
    holds: "a sealed login fetched ahead",
    kept: "until some hours after the class; then the store deletes it",
    person: [everyCourse],
    isPassing: true,
  },
});

/** The latest turn given in a course (`<environment> <courseId>`), or served in a whole queue (`<environment>`). */
export const queueTurnRecord = describeRecord("DoorTurn", {
  id: null,
  fields: { turn: number, givenAt: number.optional },
  held: {
    key: "doorTurns",
    holds: "whose turn it is to be let in, by course; no person",
    kept: "with the course",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  },
});

/** Of a whole queue (`<environment>`), by the process that read it last. */
export const queueSummaryRecord = describeRecord("QueueSummary", {
  id: null,
  fields: {
    /** When it was read, and when the next reading is due (ms). */
    readAt: number,
    nextAt: number,
    /** Names those at the front, see `frontOf`. */
    front: text.or(""),
    /** None of those at the front can be let in. */
    inTrouble: flag,
    /** Null until it was read for the first time. */
    summary: json<QueueSummary>().orNull,
  },
  held: {
    key: "queueSummaries",
    holds: "how many wait before which turn of a waiting queue; no person",
    kept: "always: one for each classroom account, rewritten while people wait",
  },
});

export const joiningRecords = [
  expectedClassRecord,
  preparedLoginRecord,
  queuePositionRecord,
  queueTurnRecord,
  queueSummaryRecord,
];
