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
    /** The login URL, sealed; empty once it was used or thrown away, or when there was none to be had. */
    login: text.or(""),
    /** Names the Space URL it is for: with other settings, another role or another Space it is not used. */
    fingerprint: text.or(""),
    /**
     * How the person was expected to come when it was authorized: for those who never came a guess, which may be another
     * one by now. Null when there was no login to be had.
     */
    expectedAs: json<LastEntry>().orNull,
    /** Not used from then on (ms): the classroom takes a token for one hour. */
    usableUntil: number,
    /** What it was authorized for: the id of a plan. */
    plan: text,
    /** How many calls were spent on this person for this plan, the failed ones too. */
    fetches: number,
    /** When the person entered with it (ms); null while it waits for them. */
    usedAt: number.orNull,
    expiresAt: date,
  },
  indexes: [
    unique("registrationId", "courseId", "personId"),
    index("usableUntil"),
    // Only tidies up: every read compares `usableUntil` as well.
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

/** The latest turn given in a course (`<environment> <courseId>`), or served in a whole line (`<environment>`). */
export const queueTurnRecord = describeRecord("DoorTurn", {
  id: null,
  fields: { turn: number, givenAt: number.optional },
  held: {
    key: "doorTurns",
    holds: "whose turn it is at the door, by course; no person",
    kept: "with the course",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  },
});

/** Every kind of record of joining. */
export const joiningRecords = [preparedLoginRecord, queuePositionRecord, queueTurnRecord];
