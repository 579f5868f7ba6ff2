import {
  type AttendanceFacts,
  type CurrentAttendance,
  currentAttendanceOf,
} from "../../../domain/attendance.ts";
import { type CourseSession, isBeforeTheirs, isForSections } from "../../scheduling/rules/course-session.ts";
import type { Member } from "../../../domain/course.ts";
import { isGraded } from "./attendance-summary.ts";

/** A member in a register; null for a person never known from a launch or roster. */
export type RegisterMember = Pick<
  Member,
  "personId" | "testUser" | "student" | "active" | "sectionIds" | "sectionsTold" | "joinedAt"
>;

export type RegisterRemark =
  | "left"
  /** The session is for some sections, and theirs are unknown. */
  | "sections-unknown"
  | "other-section"
  /** It began before they were in the course. */
  | "joined-later"
  /** An instructor who is no learner, a mentor, a preview student. */
  | "not-graded";

export type RegisterRow = {
  personId: string;
  /** At the first fact; present ones without facts. */
  sectionIds: readonly string[];
  remark: RegisterRemark | null;
  /** Null without facts. */
  current: CurrentAttendance | null;
  facts: AttendanceFacts;
  /** 0 without a record. */
  revision: number;
};

export type RegisterRecord = AttendanceFacts & {
  personId: string;
  sectionIds: readonly string[];
  revision: number;
};

type RegisteredSession = Pick<CourseSession, "sectionIds"> & { startsAt?: number | null };

/** @param member Null: never a member. @returns null when the session does not concern them. */
export function registerRow(
  session: RegisteredSession,
  member: RegisterMember | null,
  record: RegisterRecord | null,
): RegisterRow | null {
  const remark = remarkOn(session, member, record);
  const seen = record?.seen === undefined ? {} : { seen: record.seen };
  // A record remains when its facts were another person's, or when they were only seen.
  if (record === null || record.history.length + record.corrections.length === 0) {
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

const nothing: AttendanceFacts = { history: [], corrections: [] };

export function isInClass(row: RegisterRow, sectionId: string | null): boolean {
  return row.remark === null && (sectionId === null || row.sectionIds.includes(sectionId));
}

function remarkOn(
  session: RegisteredSession,
  member: RegisterMember | null,
  record: RegisterRecord | null,
): RegisterRemark | null {
  if (member === null || !member.active) return "left";
  if (!isGraded(member)) return "not-graded";
  // Members of a section at the time of the session stay in its register.
  if (isForSections(session, member.sectionIds) || isForSections(session, record?.sectionIds ?? []))
    return record === null && isBeforeTheirs(session, member) ? "joined-later" : null;
  return member.sectionIds.length === 0 && !member.sectionsTold ? "sections-unknown" : "other-section";
}
