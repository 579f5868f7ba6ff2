import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { everyCourse, anyOf, erasedId, words } from "../../../domain/personal-data.ts";

/** What was done in a course. Messages have the same names. */
export type CourseAuditAction =
  /** `before` and `after` are status codes. */
  | "attendance-corrected"
  /** The classroom's report counts again. `before` and `after` are status codes. */
  | "attendance-taken-back"
  /** `after` is the status code, `count` the number of learners. */
  | "attendance-set-all"
  | "attendance-blanks-filled"
  /** Learners of a session may check in with a code. `after` is for how long. */
  | "check-in-started"
  | "policy-changed"
  /** Settings of the course or a link, or the entry window. `before` and `after` also name the setting. */
  | "settings-changed"
  /** `before` and `after` are names of zones. */
  | "time-zone-changed"
  /** `before` and `after` are addresses. */
  | "space-changed"
  /** A right to a Space that wasn't made for the course was asked for or decided. `after` is the Space's id. */
  | "space-asked"
  | "space-approved"
  | "space-refused"
  | "space-withdrawn"
  | "session-planned"
  | "session-changed"
  | "session-cancelled"
  /** An instructor took back a cancellation made here, or a change in the classroom ended it. */
  | "session-restored"
  | "session-on-again"
  /** Whether the marks of a session that was cancelled later count. `count` is how many there are. */
  | "session-marks-kept"
  | "session-marks-left-out"
  /** Minutes count until everybody had left, or to the session's end. `before` and `after` are times of day. */
  | "minutes-shortened"
  | "minutes-of-whole-session"
  /** An unplanned class became a session, was taken back, or was no class. `count` is how many learners were there. */
  | "class-made-session"
  | "class-taken-back"
  | "class-dismissed"
  | "person-matched"
  | "person-match-undone"
  /** Two accounts of one person, with a line on each. */
  | "accounts-joined"
  | "accounts-separated"
  /** A learner's message about a session, and the answer. */
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
  /** An instructor said which session the recording belongs to. */
  | "recording-placed"
  /** Whether new recordings are published automatically. */
  | "recordings-at-once"
  | "recordings-by-hand"
  | "event-match-undone"
  /** `before` and `after` are names of a section or group. */
  | "section-named"
  /** A section was linked to a cohort, or unlinked. `before` is the section's name, `after` the cohort's. */
  | "section-linked"
  | "section-unlinked"
  /** Our score replaces a teacher's grade. `before` is the teacher's, `after` ours. */
  | "score-overruled"
  /** A teacher's grade stays. `before` is the computed score, `after` the teacher's. */
  | "score-left"
  /** One learner's score, or all of the course. */
  | "score-resent"
  | "scores-resent"
  /** Grades that were kept back were sent. `count` is how many. */
  | "grades-released"
  /** Scores that waited or were refused are retried immediately. */
  | "scores-synced"
  /** A column that a teacher removed is made again, or its session stays without a column. */
  | "column-made-again"
  | "column-left-out"
  /** A column that isn't filled was removed from the gradebook. `before` is its name. */
  | "column-removed"
  /** Grades go to the activity's own column. `before` is the name of ours. */
  | "column-of-activity"
  /** Only sessions of the new term count, or all sessions count again. */
  | "term-begun"
  | "term-undone";

/** Stands for the person if a rule of the course did something. */
export const ruleId = "rule";

/** The id, and the name at that time. Null if the LMS withholds it. */
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
    /** The person concerned, or null. */
    on: field.json<AuditedPerson>().orNull,
    session: field.json<AuditedSession>().orNull,
    /** As instructors read them. Null for nothing. Statuses are codes. */
    before: field.text.orNull,
    after: field.text.orNull,
    /** How many learners. Null if not counted. */
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
    holds: "changes in a course: author, person (with their names at that time), before, after, reason",
    stored: "with the course; entries about an erased person are deleted, and theirs lose their author",
    person: [
      everyCourse,
      {
        // An administrator of the LMS may act in courses of which they aren't a member.
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
        // What they did to others, without the texts, which may be about those others.
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

/** The kinds by which a change log is filtered. An action of no kind is only found among all. */
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
