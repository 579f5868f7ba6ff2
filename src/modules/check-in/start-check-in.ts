import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { sessionOfCourse } from "./list-open.ts";
import { closingTime } from "./rules/check-in-times.ts";

export type StartCheckInDeps = CourseAuditDeps & Pick<App, "checkIns" | "events" | "sessionPlans">;

/**
 * Learners of a session may check in from now on. @param words The minutes as instructors read them, for the trail.
 * @returns false when they may already.
 * @throws NamedError "check-in-off", "session-unknown", "check-in-not-now"
 */
export async function startCheckIn(
  deps: StartCheckInDeps,
  course: Course,
  of: { eventId: string; minutes: number; by: string },
  words: (minutes: number) => string,
): Promise<boolean> {
  const { eventId, minutes, by } = of;
  const session = await sessionToCheckIn(deps, course, eventId);
  const now = deps.clock.now();
  const closesAt = closingTime(session, minutes, now);
  if (closesAt === null) throw refusal("check-in-not-now", { status: 409 });
  const { registrationId, id: courseId } = course;
  const times = { startedBy: by, startedAt: now, closesAt };
  const id = deps.ids.id("cin");
  if (!(await deps.checkIns.start({ id, registrationId, courseId, eventId, ...times }))) return false;
  const { title, startsAt } = session;
  await writeCourseAudit(deps, course, by, {
    ...{ what: "check-in-started", session: { eventId, title, startsAt } },
    after: words(minutes),
  });
  return true;
}

/** Nobody checks in any more; who did keeps it. @throws NamedError "check-in-off", "session-unknown" */
export async function stopCheckIn(deps: StartCheckInDeps, course: Course, eventId: string): Promise<void> {
  await sessionToCheckIn(deps, course, eventId);
  await deps.checkIns.stop(course.id, eventId, deps.clock.now());
}

async function sessionToCheckIn(
  deps: Pick<App, "events" | "sessionPlans">,
  course: Course,
  eventId: string,
): Promise<CourseSession> {
  if (course.checkIn !== true) throw refusal("check-in-off", { status: 409 });
  const session = await sessionOfCourse(deps, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  return session;
}
