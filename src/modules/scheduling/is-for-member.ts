import type { Member } from "../../domain/course.ts";
import { type CourseSession, isForSections } from "./rules/course-session.ts";

/** Instructors see all; learners those of their sections, or all while these are unknown, so that they miss none. */
export function isForMember(
  session: Pick<CourseSession, "sectionIds">,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): boolean {
  if (member.role === "instructor") return true;
  if (member.sectionIds.length === 0 && !member.sectionsTold) return true;
  return isForSections(session, member.sectionIds);
}
