import { describeRecord, index, type ItemOf } from "../../../domain/record.ts";
import { text, number, json, textOf } from "../../../domain/record-fields.ts";
import { everyCourse, anyOf, erasedId, words } from "../../../domain/held-record.ts";

/** What was done in a course that somebody may ask about later; each is told in words by the message of the same name. */
export type CourseAuditAction =
  /** An instructor said what holds for a learner in a session; `before` and `after` are statuses as codes. */
  | "attendance-corrected"
  /** An instructor let the classroom's word hold again; `before` and `after` are statuses as codes. */
  | "attendance-taken-back"
  /** Many learners of a session were marked at once; `after` is the status as a code, `count` how many. */
  | "attendance-set-all"
  | "attendance-blanks-filled"
  | "policy-changed"
  /** Settings of the course or of one of its links, or its door; `before` and `after` name the setting, too. */
  | "settings-changed"
  /** The course has another time zone; `before` and `after` are names of zones. */
  | "time-zone-changed"
  /** The course has another Space; `before` and `after` are addresses. */
  | "space-changed"
  /** A Space that was not made for the course: an instructor asked for it, or somebody decided; `after` is its id. */
  | "space-asked"
  | "space-approved"
  | "space-refused"
  | "space-withdrawn"
  | "session-planned"
  | "session-changed"
  | "session-cancelled"
  | "person-matched"
  | "person-match-undone"
  | "event-matched"
  /** What became of a recording, which stands in the place of the session. */
  | "recording-published"
  | "recording-hidden"
  /** `before` and `after` are its titles. */
  | "recording-renamed"
  /** An instructor said which session it is of. */
  | "recording-placed"
  /** New recordings are published by themselves, or only by hand. */
  | "recordings-at-once"
  | "recordings-by-hand"
  | "event-match-undone"
  /** An instructor gave a section or group a name or took it back; `before` and `after` are what it is called. */
  | "section-named"
  /** A section is a cohort of the classroom, or is it no more; `before` is the section's name, `after` the cohort's. */
  | "section-linked"
  | "section-unlinked"
  /** Our score replaces a teacher's grade; `before` is theirs, `after` ours. */
  | "score-overruled"
  /** A teacher's grade is to stay; `before` is what attendance makes of it, `after` theirs. */
  | "score-left"
  /** A learner's score was to be sent once more, or all of the course. */
  | "score-resent"
  | "scores-resent"
  /** What was waiting or refused was to be tried at once. */
  | "scores-synced"
  /** A column that a teacher removed from the gradebook is made again, or its session stays without one. */
  | "column-made-again"
  | "column-left-out"
  /** An instructor had the column that is not filled any more removed from the gradebook; `before` is what it was called. */
  | "column-removed";

/** Who did it: their person id, and the name they had then. The name is null when the LMS withholds it. */
export type AuditedPerson = { personId: string; name: string | null };

/** The session it was done to, as it was called then. */
export type AuditedSession = { eventId: string; title: string | null; startsAt: number | null };

/** One line of a course's audit trail. Lines are added, never changed. */
export const courseAuditEntryRecord = describeRecord("CourseAuditEntry", {
  fields: {
    registrationId: text,
    courseId: text,
    /** Milliseconds since the epoch. */
    at: number,
    by: json<AuditedPerson>(),
    what: textOf<CourseAuditAction>(),
    /** On whom; null when it concerns nobody in particular. */
    on: json<AuditedPerson>().orNull,
    /** Null when it concerns no session. */
    session: json<AuditedSession>().orNull,
    /** What was before, and after, as instructors read it; null for nothing. Statuses are written as their codes. */
    before: text.orNull,
    after: text.orNull,
    /** How many learners it concerned; null when it is not counted. */
    count: number.orNull,
    /** In the instructor's words. */
    reason: text.orNull,
  },
  hidden: { personId: text.orNull },
  indexes: [
    index("registrationId", "courseId", "-_id"),
    index("registrationId", "courseId", "personId", "-_id"),
    index("registrationId", "by.personId"),
  ],
  held: {
    key: "courseAudit",
    holds: "what was done in a course: by whom and on whom with the names they had, before, after, reasons",
    kept: "with the course; entries on an erased person are deleted, in those by them stands nobody",
    person: [
      everyCourse,
      {
        // An administrator of the LMS does things in courses they are no member of.
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

/** What a feature says of a deed; what is left out is null. */
export type CourseAuditFacts = Pick<CourseAuditEntry, "what"> &
  Partial<Pick<CourseAuditEntry, "on" | "session" | "before" | "after" | "count" | "reason">>;

/** Kinds of deeds, by which a trail can be narrowed down; what is in none is found among all. */
export const auditKinds = {
  attendance: [
    "attendance-corrected",
    "attendance-taken-back",
    "attendance-set-all",
    "attendance-blanks-filled",
  ],
  grades: [
    "policy-changed",
    "score-overruled",
    "score-left",
    "score-resent",
    "scores-resent",
    "scores-synced",
    "column-made-again",
    "column-left-out",
    "column-removed",
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
    "event-matched",
    "event-match-undone",
  ],
  people: ["person-matched", "person-match-undone", "section-named", "section-linked", "section-unlinked"],
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
