import { type AttendanceFacts, type AttendanceStanding, standingOf } from "../../../domain/attendance.ts";
import { type CourseSession, isForSections } from "../../scheduling/rules/course-session.ts";
import type { Member } from "../../../domain/course.ts";

/** What the register of a session knows of a member; null in place of one who was never told by a launch or roster. */
export type RegisterMember = Pick<
  Member,
  "personId" | "role" | "testUser" | "student" | "active" | "sectionIds" | "sectionsTold"
>;

/** Why somebody is in a register although the session is not for them, or nobody knows whether it is. */
export type RegisterRemark =
  /** They are not in the course any more. */
  | "left"
  /** The session is for some sections, and which ones they are in is not known. */
  | "sections-unknown"
  /** They are in another section now. */
  | "other-section"
  /** An instructor, a mentor, a preview student: never graded. */
  | "not-graded";

/** One person in the register of a session. */
export type RegisterRow = {
  personId: string;
  /** Their sections when the first fact came; their present ones while there is none. */
  sectionIds: readonly string[];
  remark: RegisterRemark | null;
  /** Null while nothing is known. */
  standing: AttendanceStanding | null;
  facts: AttendanceFacts;
  /** Of the record; 0 while there is none. */
  revision: number;
};

/** What is stored about somebody's session. */
export type RegisterRecord = AttendanceFacts & {
  personId: string;
  sectionIds: readonly string[];
  revision: number;
};

/**
 * Somebody's line in the register of a session.
 * @param member Null when they were never a member.
 * @returns null for somebody whom the session does not concern.
 */
export function registerRow(
  session: Pick<CourseSession, "sectionIds">,
  member: RegisterMember | null,
  record: RegisterRecord | null,
): RegisterRow | null {
  const remark = remarkOn(session, member, record);
  // A record stays when its facts turned out to be somebody else's.
  if (record === null || record.history.length + record.corrections.length === 0) {
    const expected = remark === null || remark === "sections-unknown";
    if (member === null || !expected) return null;
    const { personId, sectionIds } = member;
    const revision = record?.revision ?? 0;
    return { personId, sectionIds, remark, standing: null, facts: nothing, revision };
  }
  const { personId, sectionIds, revision, history, corrections } = record;
  const facts = { history, corrections };
  return { personId, sectionIds, remark, standing: standingOf(facts), facts, revision };
}

const nothing: AttendanceFacts = { history: [], corrections: [] };

/** Whether a mark for the whole class is for this person: a learner of the session, in that section. */
export function isInClass(row: RegisterRow, sectionId: string | null): boolean {
  return row.remark === null && (sectionId === null || row.sectionIds.includes(sectionId));
}

function remarkOn(
  session: Pick<CourseSession, "sectionIds">,
  member: RegisterMember | null,
  record: RegisterRecord | null,
): RegisterRemark | null {
  if (member === null || !member.active) return "left";
  if (member.role !== "learner" || member.testUser || !member.student) return "not-graded";
  // Whoever was in a section of the session when it was held stays in its register.
  if (isForSections(session, member.sectionIds) || isForSections(session, record?.sectionIds ?? []))
    return null;
  return member.sectionIds.length === 0 && !member.sectionsTold ? "sections-unknown" : "other-section";
}
