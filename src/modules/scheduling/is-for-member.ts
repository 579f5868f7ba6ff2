import type { Member } from "../../domain/course.ts";
import { type CourseSession, isForSections } from "./rules/course-session.ts";

/**
 * Whether a session is for a member: instructors see all. Learners see those for their sections; while no section of
 * theirs is known, and none has been told, all of them, so that nobody misses one.
 */
export function isForMember(
  session: Pick<CourseSession, "sectionIds">,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): boolean {
  if (member.role === "instructor") return true;
  if (member.sectionIds.length === 0 && !member.sectionsTold) return true;
  return isForSections(session, member.sectionIds);
}
