import type { LastEntry } from "../../../domain/entry.ts";
import { queuePositionRecord } from "./queue-position.ts";
import { describeRecord, unique, index, expiry } from "../../../domain/record.ts";
import { text, json, number, date } from "../../../domain/record-fields.ts";
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
    kept: "until some hours after the class; the store deletes it by itself",
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

export const joiningRecords = [preparedLoginRecord, queuePositionRecord, queueTurnRecord];
