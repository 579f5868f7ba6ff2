import { dayMs } from "../../../kernel/clock.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { AttendanceHistory } from "../../../domain/attendance.ts";
import {
  given,
  inEnvironment,
  inOwnCourses,
  ofCoursesAlone,
  once,
  signedBy,
  signedInList,
  withCourse,
} from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";

/** How long unmatched attendance is kept after the classroom's last report (ms): a term, and time to correct it. */
export const unmatchedRetentionMs = 180 * dayMs;

const byUsers = { ids: "userIds", courses: ofCoursesAlone } as const;
const ofTheUser = inOwnCourses("userId", byUsers);

/** Attendance of a user without a person, or in an event without a course. Kept after a match, so the match can be undone. */
export const unmatchedAttendanceRecord = describeRecord("UnmatchedAttendance", {
  fields: {
    environment: field.textOf<AccountId>(),
    eventId: field.text,
    userId: field.text,
    /** The event's course. Null while it has none. */
    courseId: field.text.orNull,
    /** All reports, newest first. */
    history: field.json<AttendanceHistory>(),
    /** The last report (ms). */
    toldAt: field.number,
    /** When an instructor put it aside (ms), or null. A later report brings it back. */
    asideAt: field.number.orNull,
  },
  hidden: { revision: field.number },
  indexes: [
    index("courseId", "userId"),
    index("environment", "eventId"),
    index("environment", "userId"),
    index("toldAt", "_id"),
  ],
  personalData: {
    key: "unmatched",
    holds: "attendance of users that match nobody, by user id",
    stored: "180 days after the latest report; longer while an instructor's match uses it",
    person: [
      { over: "once", find: (who) => inEnvironment(who, "userId") },
      ofTheUser,
      signedInList("history", "updatedBy", byUsers),
    ],
    given: given(ofTheUser, "eventId userId history toldAt"),
  },
});
export type UnmatchedAttendance = ItemOf<typeof unmatchedAttendanceRecord>;

/** An instructor's answer that a classroom user is a person of an LMS deployment. */
export const userMatchRecord = describeRecord("UserMatch", {
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    environment: field.textOf<AccountId>(),
    userId: field.text,
    personId: field.text,
    /** The course in which it was said, and the id of the person who said it. */
    courseId: field.text,
    by: field.text,
    at: field.number,
    /** "undone": it isn't valid any more, and what came through it is being taken back. */
    state: field.textOf<"holds" | "undone">(),
  },
  hidden: {
    /** When to apply it to earlier reports (ms), or `never` when that is done. */
    dueAt: field.number,
    ...field.lease,
  },
  indexes: [
    index.unique("registrationId", "deploymentId", "environment", "userId"),
    index("registrationId", "courseId"),
    index("registrationId", "personId"),
    index("environment", "userId"),
    index("dueAt"),
  ],
  personalData: {
    key: "matches",
    holds: "which classroom user an instructor matched with which person",
    stored: withCourse,
    person: [once, signedBy("by")],
    given: given(once, "courseId userId environment at state"),
  },
});
export type UserMatch = ItemOf<typeof userMatchRecord>;

/**
 * An event without a course that names a member of this course, with a record for each such course. "open": not answered. "ours": a session of
 * this course, whatever Space it's linked to. "not-ours": hidden.
 */
export const unassignedEventRecord = describeRecord("StrayEvent", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    eventId: field.text,
    answer: field.textOf<"open" | "ours" | "not-ours">(),
    /** The id of the person who answered or took it back, and when (ms). Null for nobody. */
    by: field.text.orNull,
    at: field.number.orNull,
    /** When the event last named a member of the course, to the day (ms). */
    notedAt: field.number.or(0),
  },
  hidden: {
    /** When to apply "ours", or its end, to earlier reports (ms), or `never` when that is done. */
    dueAt: field.number,
    ...field.lease,
  },
  indexes: [
    index("registrationId", "courseId", "answer"),
    index("dueAt"),
    index("answer", "notedAt"),
    // An event belongs to one course.
    index.onlyWhere({ answer: "ours" }, index.unique("environment", "eventId"), "one_course"),
  ],
  personalData: {
    key: "strayEvents",
    holds: "sessions in the classroom that may belong to a course, and who decided",
    stored: "180 days while open; then with the course",
    person: [signedBy("by")],
  },
});
export type UnassignedEvent = ItemOf<typeof unassignedEventRecord>;

export const matchingRecords = [unmatchedAttendanceRecord, userMatchRecord, unassignedEventRecord];
