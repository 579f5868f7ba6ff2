import {
  type AttendanceFacts,
  type AttendanceStanding,
  type Correction,
  type KnownStatus,
  latestObservation,
  standingOf,
} from "../../../domain/attendance.ts";
import type { AuditedPerson } from "../../audit/rules/course-audit.ts";

/** What an instructor wants for one learner, made while looking at the record as it was then. */
export type MarkedRow = {
  personId: string;
  /** Null lets the classroom's word hold. */
  status: KnownStatus | null;
  notes: string | null;
  /** Revision of the record that was looked at; 0 when there was none. */
  seen: number;
  /** Says the same once more, after the classroom has said something else: settles the conflict. */
  confirms: boolean;
};

/** What an instructor wants for every learner of a session, or of one section of it. */
export type MarkedClass = {
  /** "blanks": only learners about whom nothing is known. */
  who: "all" | "blanks";
  /** Null lets the classroom's word hold for all of them. */
  status: KnownStatus | null;
  /** The LMS's id; null for all sections. */
  sectionId: string | null;
};

/** What an instructor said about a session, kept until all of it has taken effect: pressing a button once is enough. */
export type AttendanceMark = {
  id: string;
  registrationId: string;
  courseId: string;
  eventId: string;
  by: AuditedPerson;
  /** When it was said (ms). */
  at: number;
  reason: string | null;
  rows: readonly MarkedRow[];
  /** Taken after `rows`; null when it is about single learners only. */
  everybody: MarkedClass | null;
  /** facts: corrections are being written · grades: they are, and grades are to follow · done. */
  state: "facts" | "grades" | "done";
  /** Person id up to which `everybody` has been gone through, in the order of ids. */
  reached: string;
  /** How many learners have been corrected: of `rows`, and by `everybody`. */
  written: number;
  writtenInClass: number;
  /** Learners whose record somebody else had changed: left as they are. */
  missed: readonly string[];
};

/** What becomes of one learner: a correction to write, nothing because it is so already, or nothing because somebody was faster. */
export type RowDecision =
  | { kind: "write"; correction: Correction }
  /** Written before, by this very mark: its work was interrupted. */
  | { kind: "written" }
  | { kind: "already" }
  | { kind: "changed-meanwhile" };

type Said = Pick<AttendanceMark, "by" | "at" | "reason">;

/**
 * What to do about one learner whom an instructor marked by name. A record that is another than the one looked at
 * is left alone, unless what came meanwhile is what the instructor says, too.
 * @param revision Of the record as it is; 0 when there is none.
 */
export function decideRow(mark: Said, row: MarkedRow, facts: AttendanceFacts, revision: number): RowDecision {
  const newest = newestOf(facts);
  const saysSame = newest.status === row.status && newest.notes === row.notes;
  if (saysSame && isOf(mark, newest)) return { kind: "written" };
  if (saysSame && !(row.confirms && isDisputed(facts))) return { kind: "already" };
  if (revision !== row.seen && !isSaidByClassroom(facts, row)) return { kind: "changed-meanwhile" };
  const correction = correctionBy(mark, facts, row);
  // Never before what the instructor has seen, whatever the classroom's clock says: it would look like news.
  const at = Math.max(correction.at, latestObservation(facts.history)?.at ?? 0);
  return { kind: "write", correction: { ...correction, at } };
}

/** What to do about one learner of a class that an instructor marked as a whole. */
export function decideInClass(mark: Said, { who, status }: MarkedClass, facts: AttendanceFacts): RowDecision {
  const newest = newestOf(facts);
  const saysSame = newest.status === status;
  if (saysSame && isOf(mark, newest)) return { kind: "written" };
  if (who === "blanks" && standingOf(facts) !== null) return { kind: "already" };
  if (newest.at > mark.at) return { kind: "changed-meanwhile" };
  if (saysSame && !isDisputed(facts)) return { kind: "already" };
  // Somebody's note about the learner outlives a status that everybody gets.
  const notes = newest.status === null || status === null ? null : newest.notes;
  return { kind: "write", correction: correctionBy(mark, facts, { status, notes }) };
}

/** How things stood before the newest correction. */
export function standingBefore({ history, corrections }: AttendanceFacts): AttendanceStanding | null {
  return standingOf({ history, corrections: corrections.slice(1) });
}

/** What stands in for a correction where nobody has said anything. */
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

/** Whether the classroom has contradicted the correction that holds. */
function isDisputed(facts: AttendanceFacts): boolean {
  const standing = standingOf(facts);
  return standing !== null && standing.conflicting !== null;
}

function isSaidByClassroom(facts: AttendanceFacts, row: MarkedRow): boolean {
  const standing = standingOf(facts);
  return standing !== null && standing.source === "classroom" && standing.status === row.status;
}

/** Never before the correction that it replaces, whatever the clocks of our machines say. */
function correctionBy(
  mark: Said,
  facts: AttendanceFacts,
  { status, notes }: Pick<MarkedRow, "status" | "notes">,
): Correction {
  const at = Math.max(mark.at, newestOf(facts).at + 1);
  return { status, notes, reason: mark.reason, by: mark.by.personId, at };
}
