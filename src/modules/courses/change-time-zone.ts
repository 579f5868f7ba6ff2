import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";

export type ChangeTimeZoneDeps = CourseAuditDeps & Pick<App, "courses">;

/**
 * @param course As the instructor saw it. @param personId The instructor's. @param timeZone A name of the IANA
 *   database.
 */
export async function changeTimeZone(
  deps: ChangeTimeZoneDeps,
  course: Pick<Course, "id" | "registrationId" | "timeZone">,
  personId: string,
  timeZone: string,
): Promise<void> {
  const before = course.timeZone;
  if (!(await deps.courses.setTimeZone(course.id, timeZone))) return;
  await writeCourseAudit(deps, course, personId, { what: "time-zone-changed", before, after: timeZone });
}
