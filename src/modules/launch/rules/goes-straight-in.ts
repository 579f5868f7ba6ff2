import type { JoinSettings } from "../../../settings/options.ts";
import { doesNotTeach, type StaffRole } from "../../../domain/course-rights.ts";

/**
 * Whether a launch at top level leads straight into the Space: one with a learner's rights, and a teacher's where
 * the course has set it so. Who arranges a course without teaching it came for its pages.
 */
export function goesStraightIn(
  { role, staffRole }: { role: "instructor" | "learner"; staffRole: StaffRole | null },
  { instructors }: Pick<JoinSettings, "instructors">,
): boolean {
  return role === "learner" || (instructors === "space" && !doesNotTeach(staffRole));
}
