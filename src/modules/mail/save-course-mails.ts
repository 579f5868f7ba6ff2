import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type ReminderMinutes, remindersOf, type WeeklyMails, weeklyOf } from "../../domain/mails.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";

export type SaveCourseMailsDeps = CourseAuditDeps &
  Pick<App, "courses" | "events" | "institutionDefaults" | "clock">;

/** As `saveReminders`, of the mails of a week. */
export async function saveWeekly(
  deps: SaveCourseMailsDeps,
  course: Course,
  personId: string,
  wanted: WeeklyMails,
  words: (weekly: WeeklyMails) => string,
): Promise<boolean> {
  const { weekly } = await deps.institutionDefaults.find(course.registrationId);
  if (weekly?.locked === true) throw refusal("set-by-institution", { status: 422 });
  const before = weeklyOf(course.weekly, weekly);
  if (before.digest === wanted.digest && before.low === wanted.low) return false;
  await deps.courses.setMails(course.id, { weekly: wanted });
  const change = { before: words(before), after: words(wanted) };
  await writeCourseAudit(deps, course, personId, { what: "settings-changed", ...change });
  return true;
}

/**
 * Holds for sessions from now on. @param words The choice as instructors read it, for the trail. @returns false when it is so already.
 * @throws NamedError "set-by-institution"
 */
export async function saveReminders(
  deps: SaveCourseMailsDeps,
  course: Course,
  personId: string,
  minutes: ReminderMinutes,
  words: (minutes: ReminderMinutes) => string,
): Promise<boolean> {
  const { reminders } = await deps.institutionDefaults.find(course.registrationId);
  if (reminders?.locked === true) throw refusal("set-by-institution", { status: 422 });
  const before = remindersOf(course.reminders, reminders);
  if (before === minutes) return false;
  await deps.courses.setMails(course.id, { reminders: minutes });
  await deps.events.remindAnew(course.id, deps.clock.now());
  const change = { before: words(before), after: words(minutes) };
  await writeCourseAudit(deps, course, personId, { what: "settings-changed", ...change });
  return true;
}
