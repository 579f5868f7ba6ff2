import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { ruleFrom, sameRule, type UnplannedRule } from "../../domain/unplanned-rule.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { setByInstitution } from "../courses/change-settings.ts";
import { ruleOfCourse } from "./list-unplanned.ts";

export type SaveRuleDeps = CourseAuditDeps & Pick<App, "courses" | "institutionDefaults" | "clock">;

/**
 * Holds for classes that begin from now on; what was made a session keeps the rule it was made by. @param words The rule as
 * instructors read it, for the trail. @returns false when it is so already.
 * @throws NamedError "set-by-institution"
 */
export async function saveRule(
  deps: SaveRuleDeps,
  course: Course,
  personId: string,
  rule: UnplannedRule,
  words: (rule: UnplannedRule) => string,
): Promise<boolean> {
  const { rule: before, isLocked } = await ruleOfCourse(deps, course);
  if (isLocked) throw setByInstitution();
  if (sameRule(before, rule)) return false;
  await deps.courses.setUnplannedRule(course.id, ruleFrom(rule, before, deps.clock.now()));
  const change = { before: words(before), after: words(rule) };
  await writeCourseAudit(deps, course, personId, { what: "settings-changed", ...change });
  return true;
}
