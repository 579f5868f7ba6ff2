import {
  date,
  describeRecord,
  expiry,
  index,
  type ItemOf,
  json,
  leaseFields,
  number,
  text,
  textOf,
  texts,
} from "../../../domain/record.ts";
import { anyOf, erasedId, inCourses } from "../../../domain/held-record.ts";
import {
  type AttendanceFacts,
  type Correction,
  type CurrentAttendance,
  currentAttendanceOf,
  type KnownStatus,
  latestObservation,
} from "../../../domain/attendance.ts";
import type { AuditedPerson } from "../../audit/rules/course-audit.ts";

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

export type RowDecision =
  | { kind: "write"; correction: Correction }
  /** By this mark, before it was interrupted. */
  | { kind: "written" }
  | { kind: "already" }
  | { kind: "changed-meanwhile" };

type Said = Pick<AttendanceMark, "by" | "at" | "reason">;

/** A record that changed since it was seen is left alone, unless it says the same. @param revision 0 for no record. */
export function decideRow(mark: Said, row: MarkedRow, facts: AttendanceFacts, revision: number): RowDecision {
  const newest = newestOf(facts);
  const saysSame = newest.status === row.status && newest.notes === row.notes;
  if (saysSame && isOf(mark, newest)) return { kind: "written" };
  if (saysSame && !(row.confirms && isDisputed(facts))) return { kind: "already" };
  if (revision !== row.seen && !isSaidByClassroom(facts, row)) return { kind: "changed-meanwhile" };
  const correction = correctionBy(mark, facts, row);
  // Never before what the instructor has seen, else it would look like news of the classroom.
  const at = Math.max(correction.at, latestObservation(facts.history)?.at ?? 0);
  return { kind: "write", correction: { ...correction, at } };
}

export function decideInClass(mark: Said, { who, status }: MarkedClass, facts: AttendanceFacts): RowDecision {
  const newest = newestOf(facts);
  const saysSame = newest.status === status;
  if (saysSame && isOf(mark, newest)) return { kind: "written" };
  if (who === "blanks" && currentAttendanceOf(facts) !== null) return { kind: "already" };
  if (newest.at > mark.at) return { kind: "changed-meanwhile" };
  if (saysSame && !isDisputed(facts)) return { kind: "already" };
  // An earlier note survives a status for all.
  const notes = newest.status === null || status === null ? null : newest.notes;
  return { kind: "write", correction: correctionBy(mark, facts, { status, notes }) };
}

export function attendanceBefore({ history, corrections }: AttendanceFacts): CurrentAttendance | null {
  return currentAttendanceOf({ history, corrections: corrections.slice(1) });
}

const silence: Correction = {
  status: null,
  notes: null,
  reason: null,
  by: "",
  at: Number.NEGATIVE_INFINITY,
};

function newestOf({ corrections }: AttendanceFacts): Correction {
  return corrections[0] ?? silence;
}

function isOf(mark: Said, { by, at }: Correction): boolean {
  return by === mark.by.personId && at >= mark.at;
}

function isDisputed(facts: AttendanceFacts): boolean {
  const current = currentAttendanceOf(facts);
  return current !== null && current.conflicting !== null;
}

function isSaidByClassroom(facts: AttendanceFacts, row: MarkedRow): boolean {
  const current = currentAttendanceOf(facts);
  return current !== null && current.source === "classroom" && current.status === row.status;
}

/** Never before the correction it replaces, though clocks differ. */
function correctionBy(
  mark: Said,
  facts: AttendanceFacts,
  { status, notes }: Pick<MarkedRow, "status" | "notes">,
): Correction {
  const at = Math.max(mark.at, newestOf(facts).at + 1);
  return { status, notes, reason: mark.reason, by: mark.by.personId, at };
}
