import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf, noWeeklyMails, type WeeklyMails, weeklyOf } from "../../domain/mails.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { addMails, type AddMailsDeps } from "./add-mails.ts";
import { lowLearners, type LowLearnersDeps } from "./low-learners.ts";
import { warningRestMs, weeklyUsefulMs } from "./rules/limits.ts";
import type { StoppableKind } from "./rules/records.ts";
import { type CourseWeek, weekToMail } from "./rules/weekly-time.ts";

export type SendWeeklyDeps = AddMailsDeps &
  LowLearnersDeps &
  Pick<App, "courses" | "events" | "institutionDefaults" | "registrations" | "people" | "mailStops">;

const dayMs = 24 * 3_600_000;
/** A week and the days after it in which its mails are of use, and one for clock changes. */
const lookBackMs = 8 * dayMs + weeklyUsefulMs;
const batchSize = 200;

/**
 * Has the instructors and learners mailed of each course whose Monday has come and that had a session in the week that is over, as the
 * course chose. A mail of a week exists once, and the course is marked after it, so a run that is cut short is only repeated.
 * @returns how many courses.
 */
export async function sendWeeklyMails(deps: SendWeeklyDeps): Promise<number> {
  const now = deps.clock.now();
  const ids = await deps.events.coursesBetween(now - lookBackMs, now);
  let mailed = 0;
  for (let from = 0; from < ids.length; from += batchSize) {
    for (const { id, timeZone, mailedWeek } of await deps.courses.listMailedWeeks(
      ids.slice(from, from + batchSize),
    )) {
      const week = weekToMail(now, timeZone);
      if (week === null || (mailedWeek !== null && mailedWeek >= week.monday)) continue;
      if (await mailCourse(deps, id, week)) mailed += 1;
      await letOthersRun();
    }
    await letOthersRun();
  }
  return mailed;
}

/** What is switched on later in the week waits for the next Monday, so a course without mails is marked as well. */
async function mailCourse(deps: SendWeeklyDeps, courseId: string, week: CourseWeek): Promise<boolean> {
  const course = await deps.courses.find(courseId);
  if (course === null) return false;
  const held = await deps.events.listBetween(courseId, week.from, week.to - 1);
  const { digest, low } = held.some(({ cancelled }) => !cancelled)
    ? await weeklyOfCourse(deps, course)
    : noWeeklyMails;
  if (digest) await mail(deps, course, "digest", { week, personIds: await instructorsOf(deps, course) });
  if (low > 0)
    await mail(deps, course, "low-attendance", { week, personIds: await toWarn(deps, course, low) });
  await deps.courses.markMailed(courseId, week.monday);
  return digest || low > 0;
}

/** Nothing where the LMS is switched off. */
export async function weeklyOfCourse(
  deps: Pick<App, "institutionDefaults" | "registrations">,
  { registrationId, weekly }: Pick<Course, "registrationId" | "weekly">,
): Promise<WeeklyMails> {
  const registration = await deps.registrations.find(registrationId);
  if (registration?.active !== true) return noWeeklyMails;
  return weeklyOf(weekly, (await deps.institutionDefaults.find(registrationId)).weekly);
}

export function isInstructor({ role, active, testUser }: Member): boolean {
  return role === "instructor" && active && !testUser;
}

async function instructorsOf({ members }: SendWeeklyDeps, course: Course): Promise<string[]> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const found: string[] = [];
  for (let after = ""; ;) {
    const some = await members.listAfter(key, after, batchSize);
    found.push(...some.filter(isInstructor).map(({ personId }) => personId));
    after = some.at(-1)?.personId ?? "";
    if (some.length < batchSize) return found;
    await letOthersRun();
  }
}

/** Below the share, and not warned lately. */
async function toWarn(deps: SendWeeklyDeps, course: Course, below: number): Promise<string[]> {
  const since = deps.clock.now() - warningRestMs;
  const warned = await deps.mails.hadSince(course.id, "low-attendance", since);
  const low = await lowLearners(deps, course, below);
  return low.map(({ personId }) => personId).filter((personId) => !warned.has(personId));
}

async function mail(
  deps: SendWeeklyDeps,
  { registrationId, id: courseId }: Course,
  kind: StoppableKind,
  { week, personIds }: { week: CourseWeek; personIds: readonly string[] },
): Promise<void> {
  const endsAt = week.to + weeklyUsefulMs;
  for (let from = 0; from < personIds.length; from += batchSize) {
    const ids = personIds.slice(from, from + batchSize);
    const [people, stopped] = await Promise.all([
      deps.people.findMany(ids),
      deps.mailStops.amongMany({ registrationId, kind }, ids),
    ]);
    const mailed = people.filter(({ id, email }) => mailAddressOf(email) !== null && !stopped.has(id));
    await addMails(
      deps,
      mailed.map(({ id }) => ({
        ...{ registrationId, courseId, personId: id, operator: null, kind },
        ...{ about: `${courseId}@${week.monday}`, endsAt },
      })),
    );
  }
}

/** The Monday of the week that a weekly mail is about. */
export function mondayOfMatter(about: string): string {
  return about.slice(about.lastIndexOf("@") + 1);
}
