import type { AuditedPerson } from "../../audit/rules/course-audit.ts";
import type {
  AttendanceObservation,
  Correction,
  KnownStatus,
  SeenPresence,
} from "../../../domain/attendance.ts";
import { attendanceSummaryRecord } from "./attendance-summary.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import {
  anyOf,
  erasedId,
  everyCourse,
  given,
  inOwnCourses,
  once,
  signedBy,
  signedInList,
  withCourse,
} from "../../../domain/personal-data.ts";

export const attendanceRecord = describeRecord("Attendance", {
  id: null,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    eventId: field.text,
    personId: field.text,
    history: field.json<AttendanceObservation[]>(),
    corrections: field.json<Correction[]>(),
    sectionIds: field.texts,
    seen: field.json<SeenPresence>().optional,
    revision: field.number,
  },
  indexes: [
    index.unique("registrationId", "courseId", "eventId", "personId"),
    index("registrationId", "courseId", "personId"),
  ],
  personalData: {
    key: "attendance",
    holds:
      "statuses and notes from the classroom, with their history; times in the Space during a session; check-ins by code; instructors' corrections, with reasons and authors",
    stored: withCourse,
    person: [
      everyCourse,
      signedInList("corrections", "by"),
      signedInList("history", "updatedBy", { ids: "userIds" }),
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
  status: KnownStatus | null;
  notes: string | null;
  /** Revision of the record that was seen; 0 for none. */
  seen: number;
  /** Repeats the correction after the classroom contradicted it, which settles the conflict. */
  confirms: boolean;
};

export type MarkedClass = {
  /** "blanks": only learners without facts. */
  who: "all" | "blanks";
  status: KnownStatus | null;
  sectionId: string | null;
};

/** A learner's message that a mark answers. @see learnerWordRecord */
export type AnsweredWord = { personId: string; at: number; answer: WordAnswer };

/** Stored before its corrections, so another process finishes the mark if this one is killed. */
export const attendanceMarkRecord = describeRecord("AttendanceMark", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    eventId: field.text,
    by: field.json<AuditedPerson>(),
    at: field.number,
    reason: field.text.orNull,
    rows: field.json<readonly MarkedRow[]>(),
    /** Applied after `rows`; null if only single learners are marked. */
    everybody: field.json<MarkedClass>().orNull,
    /** The answer to a learner's message. If another answer is stored, the mark has no effect. */
    answers: field.json<AnsweredWord>().orNull,
    /** facts: corrections are being written · grades: the grades are next. */
    state: field.textOf<"facts" | "grades" | "done">(),
    /** `everybody` is done up to this person id. */
    reached: field.text.or(""),
    written: field.number.or(0),
    writtenInClass: field.number.or(0),
    /** Learners whose record had changed, so their marks stay as they are. */
    missed: field.texts.or([]),
  },
  hidden: {
    /** In milliseconds; `never` once it is done. */
    dueAt: field.number,
    attempts: field.number.or(0),
    /** When to delete it; null until it is done. */
    expiresAt: field.date.orNull,
    ...field.lease,
  },
  indexes: [
    index("dueAt"),
    index.expiry("expiresAt"),
    index("registrationId", "courseId", "eventId", "dueAt"),
  ],
  personalData: {
    key: "marks",
    holds: "marks by instructors on their way into attendance: learners, statuses, notes, reasons, authors",
    stored: "one day after it took effect",
    person: [
      inOwnCourses("rows.personId", {}, (ids) => ({ update: { $pull: { rows: { personId: anyOf(ids) } } } })),
      inOwnCourses("answers.personId", {}, () => ({ update: { $set: { answers: null } } })),
      inOwnCourses("by.personId", {}, () => ({
        update: { $set: { by: { personId: erasedId, name: null } } },
      })),
    ],
  },
});

export type AttendanceMark = ItemOf<typeof attendanceMarkRecord>;

/** "absent": they will be absent. "here": they were there. */
export type Says = "absent" | "here";
/** An instructor's answer; "no" changes no mark. */
export type WordAnswer = "excused" | "present" | "no";

/** A learner's message about one session, and the instructor's answer. */
export const learnerWordRecord = describeRecord("LearnerWord", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    eventId: field.text,
    personId: field.text,
    says: field.textOf<Says>(),
    reason: field.text,
    at: field.number,
    answer: field.textOf<WordAnswer | null>().orNull,
    answeredBy: field.text.orNull,
    answeredAt: field.number.orNull,
  },
  hidden: {
    /** The id of the mark made with the answer. */
    answerMark: field.text.orNull,
  },
  indexes: [
    index.unique("registrationId", "courseId", "eventId", "personId"),
    index("registrationId", "courseId", "personId", "at"),
    index("registrationId", "courseId", "answer"),
  ],
  personalData: {
    key: "learnerWords",
    holds: "learners' messages about absence or presence, with reasons, and the answers",
    stored: withCourse,
    person: [everyCourse, signedBy("answeredBy")],
    given: given(everyCourse, "courseId eventId says reason at answer answeredAt"),
    names: [
      { path: "personId", among: "courses", both: "keep" },
      { path: "answeredBy", among: "courses" },
    ],
  },
});
export type LearnerWord = ItemOf<typeof learnerWordRecord>;

/** An office's excuse. It counts in all courses of the LMS if no instructor marked the learner and they didn't attend. */
export const excuseRecord = describeRecord("Excuse", {
  fields: {
    registrationId: field.text,
    personId: field.text,
    /** First and last day, such as "2026-11-21", in each course's time zone. */
    from: field.text,
    to: field.text,
    reason: field.text,
    at: field.number,
    /** E-mail address of the operator; null if they logged in with the password. */
    by: field.text.orNull,
    takenBackAt: field.number.orNull,
  },
  indexes: [index("registrationId", "personId")],
  personalData: {
    key: "excuses",
    holds: "the dates and reason of an office's excuse for a person, and the operator's e-mail address",
    stored: "with the LMS or the person",
    person: [once],
    given: given(once, "from to reason at takenBackAt"),
    names: [{ path: "personId", among: "registration" }],
  },
});
export type Excuse = ItemOf<typeof excuseRecord>;

export const attendanceRecords = [
  attendanceRecord,
  attendanceMarkRecord,
  attendanceSummaryRecord,
  learnerWordRecord,
  excuseRecord,
];
