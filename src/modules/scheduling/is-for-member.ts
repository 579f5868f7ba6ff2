import type { Member } from "../../domain/course.ts";
import { type CourseSession, isForSections } from "./rules/course-session.ts";

/**
 * Instructors see all. Learners see those of their sections, and all while their sections are unknown, so that they
 * miss none.
 */
export function isForMember(
  session: Pick<CourseSession, "sectionIds">,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): boolean {
  if (member.role === "instructor") return true;
  if (member.sectionIds.length === 0 && !member.sectionsTold) return true;
  return isForSections(session, member.sectionIds);
}
