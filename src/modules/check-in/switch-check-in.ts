import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { setByInstitution } from "../courses/change-settings.ts";

export type SwitchCheckInDeps = CourseAuditDeps & Pick<App, "courses">;

/**
 * Whether learners of a course may check in; one that is open ends with it. @param words Both as instructors read them, for the
 * trail. @returns false when it is so already.
 * @throws NamedError "set-by-institution"
 */
export async function switchCheckIn(
  deps: SwitchCheckInDeps,
  course: Course,
  personId: string,
  on: boolean,
  words: (on: boolean) => string,
): Promise<boolean> {
  if (course.locked?.includes("checkIn") === true) throw setByInstitution();
  if (!(await deps.courses.setCheckIn(course.id, on))) return false;
  const change = { before: words(!on), after: words(on) };
  await writeCourseAudit(deps, course, personId, { what: "settings-changed", ...change });
  return true;
}
