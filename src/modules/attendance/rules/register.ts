import type { AttendanceMark, MarkedClass, MarkedRow } from "./records.ts";
import {
  type AttendanceFacts,
  type Correction,
  type CurrentAttendance,
  countedMinutes,
  currentAttendanceOf,
  latestObservation,
  minutesOf,
} from "../../../domain/attendance.ts";
import { newestMark } from "../../../domain/counting-facts.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { earnedByMinutes } from "../../../domain/grade-working.ts";
import { maxStoredStays } from "../../presence/rules/presence.ts";
import { type CourseSession, isBeforeTheirs, isForSections } from "../../scheduling/rules/course-session.ts";
import type { Member } from "../../../domain/course.ts";
import { isGraded } from "./attendance-summary.ts";

/** A member in a register; null for a person who was never in a launch or roster. */
export type RegisterMember = Pick<
  Member,
  "personId" | "testUser" | "student" | "joinedTo" | "active" | "sectionIds" | "sectionsTold" | "joinedAt"
>;

type RegisterRemark =
  | "left"
  /** The session is for some sections, and we don't know theirs. */
  | "sections-unknown"
  | "other-section"
  /** The session began before they joined the course. */
  | "joined-later"
  /** An instructor who isn't also a learner, a mentor, a preview student. */
  | "not-graded";

export type RegisterRow = {
  personId: string;
  /** Their sections at the first fact; without facts, the present ones. */
  sectionIds: readonly string[];
  remark: RegisterRemark | null;
  current: CurrentAttendance | null;
  facts: AttendanceFacts;
  revision: number;
};

export type RegisterRecord = AttendanceFacts & {
  personId: string;
  sectionIds: readonly string[];
  revision: number;
};

type RegisteredSession = Pick<CourseSession, "sectionIds"> & { startsAt?: number | null };

/** @param member Null if they were never a member. @returns null if the session isn't for them. */
export function registerRow(
  session: RegisteredSession,
  member: RegisterMember | null,
  record: RegisterRecord | null,
): RegisterRow | null {
  const remark = remarkOn(session, member, record);
  const seen = record?.seen === undefined ? {} : { seen: record.seen };
  if (record === null || isEmpty(record)) {
    const expected = remark === null || remark === "sections-unknown" || remark === "joined-later";
    if (member === null || !expected) return null;
    const { personId, sectionIds } = member;
    const revision = record?.revision ?? 0;
    return { personId, sectionIds, remark, current: null, facts: { ...nothing, ...seen }, revision };
  }
  const { personId, sectionIds, revision, history, corrections } = record;
  const facts = { history, corrections, ...seen };
  return { personId, sectionIds, remark, current: currentAttendanceOf(facts), facts, revision };
}

/** A record stays when its facts turn out to be another person's, or when somebody was only seen. */
function isEmpty({ history, corrections }: RegisterRecord): boolean {
  return history.length + corrections.length === 0;
}

const nothing: AttendanceFacts = { history: [], corrections: [] };

/**
 * When the last learner left a session (ms), if that was so early that nobody's minutes earn full credit. Otherwise null, also if minutes
 * don't count for anybody, for fewer than two learners, or if it is unknown for one of them.
 */
export function everybodyLeftAt(
  { startsAt, endsAt }: { startsAt: number | null; endsAt: number | null },
  records: readonly AttendanceFacts[],
  policy: GradePolicy,
): number | null {
  if (policy.kind === "no-grades" || policy.worth.kind !== "minutes") return null;
  if (startsAt === null || !records.some((record) => countedMinutes(record) !== null)) return null;
  const seen = records.flatMap((record) => record.seen ?? []);
  const isKnown = seen.every(
    (one) => one.endsAt === endsAt && one.leftUnknown !== true && one.stays.length < maxStoredStays,
  );
  if (seen.length < 2 || !isKnown || records.some(isPresentUnseen)) return null;
  const leftAt = Math.max(...seen.flatMap(({ stays }) => stays.map(({ to }) => to)));
  const toThen = minutesOf({ startsAt, endsAt: endsAt ?? leftAt, ms: leftAt - startsAt, stays: [] });
  const earned = toThen === null ? 100 : earnedByMinutes(policy.worth, toThen, { full: 100, least: 0 });
  return earned < 100 ? leftAt : null;
}

/** Whether the classroom says that they were there, but nobody reported when. */
function isPresentUnseen(facts: AttendanceFacts): boolean {
  if (facts.seen !== undefined) return false;
  const current = currentAttendanceOf(facts);
  const isPresent = current?.status === "PRESENT" || current?.status === "LATE";
  return isPresent && current.source === "classroom";
}

export function isInClass(row: RegisterRow, sectionId: string | null): boolean {
  return row.remark === null && (sectionId === null || row.sectionIds.includes(sectionId));
}

function remarkOn(session: RegisteredSession, member: RegisterMember | null, record: RegisterRecord | null) {
  if (member === null || !member.active) return "left";
  if (!isGraded(member)) return "not-graded";
  // People who were in a section at the time of the session stay in its register.
  const sectionsThen = record?.sectionIds ?? [];
  if (isForSections(session, member.sectionIds) || isForSections(session, sectionsThen))
    return hasNothing(record) && isBeforeTheirs(session, member) ? "joined-later" : null;
  return member.sectionIds.length === 0 && !member.sectionsTold ? "sections-unknown" : "other-section";
}

function hasNothing(record: RegisterRecord | null): boolean {
  return record === null || isEmpty(record);
}

export type RowDecision =
  | { kind: "write"; correction: Correction }
  /** This mark wrote it before it was interrupted. */
  | { kind: "written" }
  | { kind: "already" }
  | { kind: "changed-meanwhile" };

type Marking = Pick<AttendanceMark, "by" | "at" | "reason">;

/** A record that changed since it was seen isn't touched, unless it says the same. @param revision 0 if there is no record. */
export function decideRow(
  mark: Marking,
  row: MarkedRow,
  facts: AttendanceFacts,
  revision: number,
): RowDecision {
  const newest = newestOf(facts);
  const saysSame = newest.status === row.status && newest.notes === row.notes;
  if (saysSame && isOf(mark, newest)) return { kind: "written" };
  if (saysSame && !(row.confirms && isDisputed(facts))) return { kind: "already" };
  if (revision !== row.seen && !isReportedByClassroom(facts, row)) return { kind: "changed-meanwhile" };
  const correction = correctionBy(mark, facts, row);
  // Never earlier than what the instructor has seen, which would otherwise look like news from the classroom.
  const at = Math.max(correction.at, latestObservation(facts.history)?.at ?? 0);
  return { kind: "write", correction: { ...correction, at } };
}

export function decideInClass(
  mark: Marking,
  { who, status }: MarkedClass,
  facts: AttendanceFacts,
): RowDecision {
  const newest = newestOf(facts);
  const saysSame = newest.status === status;
  if (saysSame && isOf(mark, newest)) return { kind: "written" };
  if (who === "blanks" && currentAttendanceOf(facts) !== null) return { kind: "already" };
  if (newest.at > mark.at) return { kind: "changed-meanwhile" };
  if (saysSame && !isDisputed(facts)) return { kind: "already" };
  // A status for the whole class doesn't remove an earlier note.
  const notes = newest.status === null || status === null ? null : newest.notes;
  return { kind: "write", correction: correctionBy(mark, facts, { status, notes }) };
}

export function attendanceBefore({ history, corrections }: AttendanceFacts): CurrentAttendance | null {
  return currentAttendanceOf({ history, corrections: corrections.slice(1) });
}

const silence: Correction = { status: null, notes: null, reason: null, by: "", at: Number.NEGATIVE_INFINITY };

function newestOf(facts: AttendanceFacts): Correction {
  return newestMark(facts) ?? silence;
}

function isOf(mark: Marking, { by, at }: Correction): boolean {
  return by === mark.by.personId && at >= mark.at;
}

function isDisputed(facts: AttendanceFacts): boolean {
  const current = currentAttendanceOf(facts);
  return current !== null && current.conflicting !== null;
}

function isReportedByClassroom(facts: AttendanceFacts, row: MarkedRow): boolean {
  const current = currentAttendanceOf(facts);
  return current !== null && current.source === "classroom" && current.status === row.status;
}

/** Makes a correction. Its time is never before that of the one it replaces, even if clocks differ. */
function correctionBy(
  mark: Marking,
  facts: AttendanceFacts,
  { status, notes }: Pick<MarkedRow, "status" | "notes">,
): Correction {
  const at = Math.max(mark.at, newestOf(facts).at + 1);
  return { status, notes, reason: mark.reason, by: mark.by.personId, at };
}
