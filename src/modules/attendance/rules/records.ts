import type { AuditedPerson } from "../../audit/rules/course-audit.ts";
import type {
  AttendanceObservation,
  Correction,
  KnownStatus,
  SeenPresence,
} from "../../../domain/attendance.ts";
import { attendanceSummaryRecord } from "./attendance-summary.ts";
import {
  type ItemOf,
  date,
  describeRecord,
  expiry,
  index,
  json,
  leaseFields,
  number,
  text,
  textOf,
  texts,
  unique,
} from "../../../domain/record.ts";
import { everyCourse, given, withCourse, anyOf, erasedId, inCourses } from "../../../domain/held-record.ts";

export const attendanceRecord = describeRecord("Attendance", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    eventId: text,
    personId: text,
    history: json<AttendanceObservation[]>(),
    corrections: json<Correction[]>().optional,
    sectionIds: texts.optional,
    seen: json<SeenPresence>().optional,
    revision: number,
  },
  indexes: [
    unique("registrationId", "courseId", "eventId", "personId"),
    index("registrationId", "courseId", "personId"),
  ],
  held: {
    key: "attendance",
    holds:
      "each status and note the classroom told, with its history; when somebody was in the Space during a session; when somebody checked in by a code; corrections by instructors with their reasons; who made each",
    kept: withCourse,
    person: [
      everyCourse,
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "corrections.by": anyOf(personIds),
        }),
        change: ({ personIds }) => ({
          update: { $set: { "corrections.$[one].by": erasedId } },
          arrayFilters: [{ "one.by": anyOf(personIds) }],
        }),
      },
      {
        over: "own-courses",
        find: ({ registrationId, userIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "history.updatedBy": anyOf(userIds),
        }),
        change: ({ userIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(userIds) }],
        }),
      },
    ],
    given: given(everyCourse, "courseId eventId history corrections sectionIds seen"),
    names: [
      { path: "personId", among: "courses", both: "history" },
      { path: "corrections.by", list: "of-each", among: "courses" },
    ],
  },
});

export type MarkedRow = {
  personId: string;
  /** Null: the classroom's status. */
  status: KnownStatus | null;
  notes: string | null;
  /** Revision of the record; 0 for none. */
  seen: number;
  /** Repeats the correction after the classroom contradicted it: settles the conflict. */
  confirms: boolean;
};

export type MarkedClass = {
  /** "blanks": learners without facts. */
  who: "all" | "blanks";
  /** Null: the classroom's status. */
  status: KnownStatus | null;
  /** The LMS's id; null for all sections. */
  sectionId: string | null;
};

/** Written before its corrections, so that a killed process's mark is finished by another one. */
export const attendanceMarkRecord = describeRecord("AttendanceMark", {
  fields: {
    registrationId: text,
    courseId: text,
    eventId: text,
    by: json<AuditedPerson>(),
    /** Milliseconds since the epoch. */
    at: number,
    reason: text.orNull,
    rows: json<readonly MarkedRow[]>(),
    /** Applied after `rows`; null for single learners only. */
    everybody: json<MarkedClass>().orNull,
    /** facts: corrections are being written · grades: grades are to follow. */
    state: textOf<"facts" | "grades" | "done">(),
    /** `everybody` is done up to this person id. */
    reached: text.or(""),
    written: number.or(0),
    writtenInClass: number.or(0),
    /** Learners whose record had changed: left as they are. */
    missed: texts.or([]),
  },
  hidden: {
    /** Milliseconds; never once it is done. */
    dueAt: number,
    attempts: number.or(0),
    /** For deletion; null until it is done. */
    expiresAt: date.orNull,
    ...leaseFields,
  },
  indexes: [index("dueAt"), expiry("expiresAt"), index("registrationId", "courseId", "eventId", "dueAt")],
  held: {
    key: "marks",
    holds:
      "what instructors said about sessions (learners, statuses, notes, reasons, by whom), until it has taken effect",
    kept: "one day after it took effect",
    person: [
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "rows.personId": anyOf(personIds),
        }),
        change: ({ personIds }) => ({ update: { $pull: { rows: { personId: anyOf(personIds) } } } }),
      },
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "by.personId": anyOf(personIds),
        }),
        change: () => ({ update: { $set: { by: { personId: erasedId, name: null } } } }),
      },
    ],
  },
});

export type AttendanceMark = ItemOf<typeof attendanceMarkRecord>;

export const attendanceRecords = [attendanceRecord, attendanceMarkRecord, attendanceSummaryRecord];
