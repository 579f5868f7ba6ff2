import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { everyCourse, anyOf, erasedId, words } from "../../../domain/personal-data.ts";

/** What was done in a course; messages have the same names. */
export type CourseAuditAction =
  /** `before` and `after` are status codes. */
  | "attendance-corrected"
  /** The classroom's report counts again; `before` and `after` are status codes. */
  | "attendance-taken-back"
  /** `after` is the status code, `count` the number of learners. */
  | "attendance-set-all"
  | "attendance-blanks-filled"
  /** Learners of a session may check in by a code; `after` is for how long. */
  | "check-in-started"
  | "policy-changed"
  /** Settings of the course or a link, or the entry window; `before` and `after` name the setting, too. */
  | "settings-changed"
  /** `before` and `after` are names of zones. */
  | "time-zone-changed"
  /** `before` and `after` are addresses. */
  | "space-changed"
  /** A right to a Space not made for the course was asked for or decided; `after` is the Space's id. */
  | "space-asked"
  | "space-approved"
  | "space-refused"
  | "space-withdrawn"
  | "session-planned"
  | "session-changed"
  | "session-cancelled"
  /** A cancellation here was undone, or ended by the classroom's own word. */
  | "session-restored"
  | "session-on-again"
  /** Whether the marks of a session cancelled after them count; `count` is their number. */
  | "session-marks-kept"
  | "session-marks-left-out"
  /** Minutes count to when all had left, or to the session's end; `before` and `after` are times of day. */
  | "minutes-shortened"
  | "minutes-of-whole-session"
  /** An unplanned class: a session is made of it, taken back, or it was no class; `count` are the learners who were there. */
  | "class-made-session"
  | "class-taken-back"
  | "class-dismissed"
  | "person-matched"
  | "person-match-undone"
  /** Two accounts of one person; one line on each. */
  | "accounts-joined"
  | "accounts-separated"
  /** A learner's word about a session, and the answer. */
  | "word-absent"
  | "word-here"
  | "word-excused"
  | "word-present"
  | "word-no"
  /** `after` is from the first to the last day. */
  | "office-excused"
  | "office-excuse-taken-back"
  | "event-matched"
  /** `session` holds the recording. */
  | "recording-published"
  | "recording-hidden"
  /** `before` and `after` are titles. */
  | "recording-renamed"
  /** An instructor said which session it is of. */
  | "recording-placed"
  /** Whether new recordings are published automatically. */
  | "recordings-at-once"
  | "recordings-by-hand"
  | "event-match-undone"
  /** `before` and `after` are names of a section or group. */
  | "section-named"
  /** A section was linked to a cohort, or unlinked; `before` is the section's name, `after` the cohort's. */
  | "section-linked"
  | "section-unlinked"
  /** Our score replaces a teacher's grade; `before` is theirs, `after` ours. */
  | "score-overruled"
  /** A teacher's grade is kept; `before` is the computed score, `after` theirs. */
  | "score-left"
  /** One learner's score, or all of the course. */
  | "score-resent"
  | "scores-resent"
  /** Grades that were kept back were sent; `count` is their number. */
  | "grades-released"
  /** What waited or was refused is tried immediately. */
  | "scores-synced"
  /** A column removed by a teacher is made again, or its session stays without one. */
  | "column-made-again"
  | "column-left-out"
  /** A column that is not filled was removed from the gradebook; `before` is its name. */
  | "column-removed"
  /** Grades go to the activity's own column; `before` is the name of ours. */
  | "column-of-activity"
  /** Only sessions of the new term count, or all again. */
  | "term-begun"
  | "term-undone";

/** Stands for the person where a course's own rule did something. */
export const ruleId = "rule";

/** Id, and the name they had then; null when the LMS withholds it. */
export type AuditedPerson = { personId: string; name: string | null };

export type AuditedSession = { eventId: string; title: string | null; startsAt: number | null };

const ofRecording = "recording:";

/** A line names a recording like a session. */
export function auditedRecording(recording: {
  recordingId: string;
  title: string | null;
  at: number;
}): AuditedSession {
  const { recordingId, title, at } = recording;
  return { eventId: `${ofRecording}${recordingId}`, title, startsAt: at };
}

export function isAuditedRecording({ eventId }: AuditedSession): boolean {
  return eventId.startsWith(ofRecording);
}

/** Lines are added, never changed. */
export const courseAuditEntryRecord = describeRecord("CourseAuditEntry", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    at: field.number,
    by: field.json<AuditedPerson>(),
    what: field.textOf<CourseAuditAction>(),
    /** The person concerned; null where there is none. */
    on: field.json<AuditedPerson>().orNull,
    session: field.json<AuditedSession>().orNull,
    /** As instructors read them; null for nothing. Statuses are codes. */
    before: field.text.orNull,
    after: field.text.orNull,
    /** Number of learners; null when not counted. */
    count: field.number.orNull,
    /** In the instructor's words. */
    reason: field.text.orNull,
  },
  hidden: { personId: field.text.orNull },
  indexes: [
    index("registrationId", "courseId", "-_id"),
    index("registrationId", "courseId", "personId", "-_id"),
    index("registrationId", "by.personId"),
  ],
  personalData: {
    key: "courseAudit",
    holds: "changes in a course: by whom, to whom (with their names at that time), before, after, reasons",
    stored: "with the course; entries about an erased person are deleted, and theirs lose their author",
    person: [
      everyCourse,
      {
        // An administrator of the LMS acts in courses they are no member of.
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, "by.personId": anyOf(personIds) }),
        change: () => ({ update: { $set: { by: { personId: erasedId, name: null } } } }),
      },
    ],
    given: [
      { ...everyCourse, fields: words("courseId at what by session before after reason") },
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({
          registrationId,
          "by.personId": anyOf(personIds),
          personId: { $nin: [...personIds] },
        }),
        // What they did to others: the words may be about those.
        fields: words("courseId at what by session count"),
      },
    ],
    names: [
      { path: "personId", among: "courses" },
      { path: "on.personId", among: "courses" },
      { path: "by.personId", among: "registration" },
    ],
  },
});
export type CourseAuditEntry = ItemOf<typeof courseAuditEntryRecord>;

/** What is left out is null. */
export type CourseAuditFacts = Pick<CourseAuditEntry, "what"> &
  Partial<Pick<CourseAuditEntry, "on" | "session" | "before" | "after" | "count" | "reason">>;

/** By which a trail is filtered; what is in none is found among all. */
export const auditKinds = {
  attendance: [
    "attendance-corrected",
    "attendance-taken-back",
    "attendance-set-all",
    "attendance-blanks-filled",
    "word-absent",
    "word-here",
    "word-excused",
    "word-present",
    "word-no",
    "office-excused",
    "office-excuse-taken-back",
    "check-in-started",
  ],
  grades: [
    "policy-changed",
    "score-overruled",
    "score-left",
    "score-resent",
    "scores-resent",
    "grades-released",
    "scores-synced",
    "column-made-again",
    "column-left-out",
    "column-removed",
    "column-of-activity",
    "term-begun",
    "term-undone",
  ],
  settings: [
    "settings-changed",
    "time-zone-changed",
    "space-changed",
    "space-asked",
    "space-approved",
    "space-refused",
    "space-withdrawn",
    "policy-changed",
  ],
  sessions: [
    "session-planned",
    "session-changed",
    "session-cancelled",
    "session-restored",
    "session-on-again",
    "session-marks-kept",
    "session-marks-left-out",
    "minutes-shortened",
    "minutes-of-whole-session",
    "class-made-session",
    "class-taken-back",
    "class-dismissed",
    "event-matched",
    "event-match-undone",
  ],
  people: [
    "person-matched",
    "person-match-undone",
    "accounts-joined",
    "accounts-separated",
    "section-named",
    "section-linked",
    "section-unlinked",
  ],
  recordings: [
    "recording-published",
    "recording-hidden",
    "recording-renamed",
    "recording-placed",
    "recordings-at-once",
    "recordings-by-hand",
  ],
} as const satisfies Record<string, readonly CourseAuditAction[]>;
export type AuditKind = keyof typeof auditKinds;
