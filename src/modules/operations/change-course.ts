import type { App } from "../../app.ts";
import { courseName } from "../courses/rules/course-name.ts";
import type { AuditAction } from "../audit/rules/audit.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { resendCourse, type SendAgainDeps, syncCourse } from "../grading/send-again.ts";
import { requestRoster, type RequestRosterDeps } from "../members/roster-readings.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type ChangeCourseDeps = AuditDeps & SendAgainDeps & RequestRosterDeps & Pick<App, "courses">;

/** What the console can have done again in a course. */
export const courseDeeds = ["roster", "sync", "resend"] as const;
export type CourseDeed = (typeof courseDeeds)[number];

const audited: Readonly<Record<CourseDeed, AuditAction>> = {
  roster: "roster-asked-for",
  sync: "scores-tried-again",
  resend: "scores-sent-again",
};

/**
 * Has the roster read, waiting and refused scores tried, or all scores sent again; the last two are in the course's
 * trail.
 * @returns false when all scores are being sent again already
 * @throws NamedError "no-such-course"
 */
export async function doAgain(deps: ChangeCourseDeps, courseId: string, deed: CourseDeed): Promise<boolean> {
  const course = await deps.courses.find(courseId);
  if (course === null) throw refusal("no-such-course", { status: 404 });
  if (!(await done(deps, course, deed, deps.personId ?? deps.who))) return false;
  const on = courseName(course);
  await writeAudit(deps, { what: audited[deed], registrationId: course.registrationId, on });
  return true;
}

async function done(
  deps: ChangeCourseDeps,
  course: Course,
  deed: CourseDeed,
  actor: string,
): Promise<boolean> {
  if (deed === "resend") return resendCourse(deps, course, actor);
  if (deed === "sync") await syncCourse(deps, course, actor);
  else await requestRoster(deps, course);
  return true;
}
