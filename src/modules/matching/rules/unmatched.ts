import { describeRecord, index, type ItemOf } from "../../../domain/record.ts";
import { textOf, text, json, number } from "../../../domain/record-fields.ts";
import { anyOf, erasedId, words, inEnvironment } from "../../../domain/held-record.ts";
import type { AttendanceHistory } from "../../../domain/attendance.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** What nobody matched is kept so long after the classroom last spoke of it (ms): a term, and time to put things right. */
export const unmatchedKeptMs = 180 * 24 * 3_600_000;

/**
 * What the classroom told about a user in an event and could not be anybody's attendance when it came: the user is nobody
 * here, or the event is no course's. Kept also for users whom an instructor matched, so that a match can be undone.
 */
export const unmatchedAttendanceRecord = describeRecord("UnmatchedAttendance", {
  fields: {
    environment: textOf<EnvironmentName>(),
    eventId: text,
    userId: text,
    /** The course of the event; null while it has none. */
    courseId: text.orNull,
    /** Everything that was told, the newest first. */
    history: json<AttendanceHistory>(),
    /** When something was told last (ms). */
    toldAt: number.optional,
    /** When an instructor put it aside (ms); what is told later brings it back. Null when nobody did. */
    asideAt: number.orNull,
  },
  hidden: { revision: number },
  indexes: [
    index("courseId", "userId"),
    index("environment", "eventId"),
    index("environment", "userId"),
    index("toldAt", "_id"),
  ],
  held: {
    key: "unmatched",
    holds: "what the classroom told about users whom nobody knows, by user id",
    kept: "180 days after it was told last; longer while an instructor's match stands on it",
    person: [
      { over: "once", find: (who) => inEnvironment(who, "userId") },
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), userId: anyOf(userIds) }),
      },
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({
          courseId: anyOf(courseIds),
          "history.updatedBy": anyOf(userIds),
        }),
        change: ({ userIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(userIds) }],
        }),
      },
    ],
    given: [
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), userId: anyOf(userIds) }),
        fields: words("eventId userId history toldAt"),
      },
    ],
  },
});
export type UnmatchedAttendance = ItemOf<typeof unmatchedAttendanceRecord> & { toldAt: number };

/** An instructor's word that a user of the classroom is a person of an LMS deployment. */
export type UserMatch = {
  id: string;
  registrationId: string;
  deploymentId: string;
  environment: EnvironmentName;
  userId: string;
  personId: string;
  /** The course it was said in, and by whom (person id). */
  courseId: string;
  by: string;
  at: number;
  /** "undone": it does not hold any more, and what came through it is being taken back. */
  state: "holds" | "undone";
  /** When it is to be applied to what was told before (ms); null when that is done. */
  dueAt: number | null;
};

/**
 * An event that is no course's and names a member of this course: one record for each such course. "open": nobody has said
 * yet. "ours": it is a session of this course, whatever Space it is linked to. "not-ours": not shown any more.
 */
export type StrayEvent = {
  id: string;
  registrationId: string;
  courseId: string;
  environment: EnvironmentName;
  eventId: string;
  answer: "open" | "ours" | "not-ours";
  /** Who said it, or took it back (person id), and when (ms); null while nobody did. */
  by: string | null;
  at: number | null;
  /** When the event named somebody of the course last, to the day (ms). */
  notedAt: number;
  /**
   * When it is to be applied to what was told before (ms): that it is "ours", or, with another answer, that it is not any
   * more. Null when that is done.
   */
  dueAt: number | null;
};
