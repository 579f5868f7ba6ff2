import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf } from "../../domain/mail-address.ts";
import { type WeeklyMails, noWeeklyMails, weeklyOf } from "../../domain/weekly-mails.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { weekOf } from "../usage/rules/usage-time.ts";
import { addMails, type AddMailsDeps } from "./add-mails.ts";
import { lowLearners, type LowLearnersDeps } from "./low-learners.ts";
import { warningRestMs, weeklyUsefulMs } from "./rules/limits.ts";
import type { StoppableKind } from "./rules/records.ts";

export type SendWeeklyDeps = AddMailsDeps &
  LowLearnersDeps &
  Pick<App, "courses" | "events" | "institutionDefaults" | "registrations" | "people" | "mailStops">;

const weekMs = 7 * 24 * 3_600_000;
const batchSize = 200;

/**
 * Has the instructors and learners mailed of each course that had a session in the week that is over, as the course chose. A mail of a
 * week exists once, so a run that is cut short is only repeated. @returns how many courses.
 */
export async function sendWeeklyMails(deps: SendWeeklyDeps): Promise<number> {
  const now = deps.clock.now();
  const week = weekOf(now) - weekMs;
  let mailed = 0;
  for (const courseId of await deps.events.coursesBetween(week, week + weekMs)) {
    const course = await deps.courses.find(courseId);
    if (course === null) continue;
    const { digest, low } = await weeklyOfCourse(deps, course);
    if (digest) await mail(deps, course, "digest", { week, personIds: await instructorsOf(deps, course) });
    if (low > 0)
      await mail(deps, course, "low-attendance", { week, personIds: await toWarn(deps, course, low) });
    if (digest || low > 0) mailed += 1;
    await letOthersRun();
  }
  return mailed;
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
  { week, personIds }: { week: number; personIds: readonly string[] },
): Promise<void> {
  const endsAt = week + weekMs + weeklyUsefulMs;
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
        ...{ about: `${courseId}@${week}`, endsAt },
      })),
    );
  }
}

/** The week that a weekly mail is about (ms), and its end. */
export function weekOfMatter(about: string): { from: number; to: number } {
  const from = Number(about.slice(about.lastIndexOf("@") + 1));
  return { from, to: from + weekMs };
}
