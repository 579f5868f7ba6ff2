import type { Course } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../courses/write-course-audit.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "./grade-after-change.ts";

export type ChangePolicyDeps = GradeAfterChangeDeps &
  CourseAuditDeps & { courses: Pick<CourseStore, "changePolicy"> };

/** Who changes a policy, to what, and how both read in words. */
export type PolicyChange = {
  /** The instructor. */
  personId: string;
  /** The revision they saw. */
  revision: number;
  policy: GradePolicy;
  /** For the audit trail. */
  before: string;
  after: string;
};

/**
 * Changes how a course's grades come about, writes that into its trail and has all grades computed anew.
 * @returns false, and nothing is changed, when somebody else has changed it since.
 */
export function changePolicy(
  deps: ChangePolicyDeps,
  course: Course,
  { personId, revision, policy, before, after }: PolicyChange,
): Promise<boolean> {
  return gradeAfterChange(deps, course, "everybody", async () => {
    if (!(await deps.courses.changePolicy(course.id, revision, policy))) return false;
    await writeCourseAudit(deps, course, personId, { what: "policy-changed", before, after });
    return true;
  });
}
