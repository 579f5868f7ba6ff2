import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import { belowLocks, keepsToLocks } from "../../domain/institution-defaults.ts";
import { allValues, setByInstitution } from "../courses/change-settings.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "./grade-after-change.ts";

export type ChangePolicyDeps = GradeAfterChangeDeps & CourseAuditDeps & Pick<App, "courses">;

export type PolicyChange = {
  personId: string;
  revision: number;
  policy: GradePolicy;
  /** Of comments that are switched on now, such as "de". */
  language?: string;
  before: string;
  after: string;
};

/**
 * Has all grades recomputed; values below a lock keep the course's choice. @returns false when the policy has changed
 * since. @throws NamedError "set-by-institution"
 */
export async function changePolicy(
  deps: ChangePolicyDeps,
  course: Course,
  { personId, revision, policy: chosen, language = "en", before, after }: PolicyChange,
): Promise<boolean> {
  const policy = inLanguage(course.policy, chosen, language);
  const locked = course.locked ?? [];
  const wanted = { ...allValues(course), policy };
  if (!keepsToLocks(allValues(course), wanted, locked)) throw setByInstitution();
  const own = locked.length === 0 ? null : await deps.courses.findOwn(course.id);
  const kept = own === null ? policy : belowLocks(own, wanted, locked).policy;
  return gradeAfterChange(deps, course, "everybody", async () => {
    if (!(await deps.courses.changePolicy(course.id, revision, kept))) return false;
    await writeCourseAudit(deps, course, personId, { what: "policy-changed", before, after });
    return true;
  });
}

/** Comments keep their language, else each would be added again. */
function inLanguage(before: GradePolicy, policy: GradePolicy, language: string): GradePolicy {
  if (policy.kind === "no-grades" || !policy.comment) return policy;
  const { commentLanguage: _language, ...rest } = policy;
  const had = before.kind !== "no-grades" && before.comment;
  const commentLanguage = had ? before.commentLanguage : language;
  return commentLanguage === undefined ? rest : { ...rest, commentLanguage };
}
