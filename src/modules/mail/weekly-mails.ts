import { type ActiveRegistrationApp, isAdmitted } from "../registration/registrations.ts";
import { type MailingApp, mailPeople, type Reader, readerOf } from "./reminders.ts";
import type { App } from "../../app.ts";
import {
  type AttendanceLimit,
  keyOfCourse,
  limitKey,
  type Course,
  type Member,
} from "../../domain/course.ts";
import { type LowShare, noWeeklyMails, type WeeklyMails } from "../../domain/mails.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { dayMs } from "../../kernel/clock.ts";
import { everyMember } from "../members/people.ts";
import type { AttendanceSummary, Uncounted } from "../attendance/rules/attendance-summary.ts";
import { type GradeSummaryApp, showGradeSummary } from "../grading/show-grades.ts";
import { isPresentLearner, reachedBy, reachedInCourse } from "../attendance/limits.ts";
import { type LimitFacts, limitFactsOf } from "../attendance/rules/limits.ts";
import { countUnmatched, type MatchingApp } from "../matching/list-unmatched.ts";
import { listSessions, type SessionsApp, uncountedSessions } from "../scheduling/list-sessions.ts";
import type { NotSent } from "./mails.ts";
import { type CourseWeek, weekFrom, weekToMail, weeklyUsefulMs } from "./rules/due.ts";
import type { Mail, StoppableKind } from "./rules/records.ts";

/** The percentage of attended sessions below which attendance counts as low if a course sends no warnings. */
export const usualLowShare = 75;
/** A learner is warned again in a course only after this (ms). */
const warningRestMs = 27 * dayMs;

/** `attended` of `recorded` sessions, present or late. `percent` is what the mail shows. */
type LowLearner = { personId: string; percent: number; attended: number; recorded: number };

export type DigestFacts = Reader & {
  /** When the week began (ms). */
  week: number;
  sessions: number;
  /** Learners below this share. */
  low: { share: number; learners: number };
  unmatched: number;
  /** Grades that the gradebook doesn't have: waiting, held and refused. */
  missing: number;
  /** How many learners have reached each limit. */
  limits: readonly { label: string; learners: number }[];
};

export type WarningFacts = Reader & { share: LowShare; learner: LowLearner };

/** A learner's own attendance, and the limit that it has reached. */
export type LimitMailFacts = Reader & { limit: AttendanceLimit; facts: LimitFacts };

/** A week, the days after it in which its mails are useful, and a day for clock changes. */
const searchBackMs = 8 * dayMs + weeklyUsefulMs;
const rowsPerRead = 200;
const learnersPerRead = 300;

/**
 * Mails instructors and learners of each course where it's Monday and that had a session in the past week, as the course chose. A week's mail
 * exists once, and the course is marked after it, so a run that is cut short can be repeated.
 * @returns how many courses.
 */
export async function sendWeeklyMails(app: MailingApp): Promise<number> {
  const now = app.clock.now();
  const ids = await app.events.coursesBetween(now - searchBackMs, now);
  let mailed = 0;
  for (const batch of slicesOf(ids, rowsPerRead)) {
    for (const { id, timeZone, mailedWeek } of await app.courses.listMailedWeeks(batch)) {
      const week = weekToMail(now, timeZone);
      if (week === null || (mailedWeek !== null && mailedWeek >= week.monday)) continue;
      if (await mailCourse(app, id, week)) mailed += 1;
      await letOthersRun();
    }
    await letOthersRun();
  }
  return mailed;
}

/** A course without mails is marked, too, so mails switched on later in the week wait for the next Monday. */
async function mailCourse(app: MailingApp, courseId: string, week: CourseWeek): Promise<boolean> {
  const course = await app.courses.find(courseId);
  if (course === null) return false;
  const events = await app.events.listBetween(courseId, week.from, week.to - 1);
  const hadSessions = events.some(({ cancelled }) => !cancelled);
  const { digest, low, limits } = hadSessions ? await weeklyOfCourse(app, course) : nothing;
  if (digest) await mail(app, course, "digest", { week, personIds: await instructorsOf(app, course) });
  if (low > 0) await mail(app, course, "low-attendance", { week, personIds: await toWarn(app, course, low) });
  if (limits) await mailLimits(app, course, week);
  await app.courses.markMailed(courseId, week.monday);
  return digest || low > 0 || limits;
}

/** `limits`: whether learners who reach a limit are mailed. */
type WeeklyOfCourse = WeeklyMails & { limits: boolean };
const nothing: WeeklyOfCourse = { ...noWeeklyMails, limits: false };

/** Nothing while the course's people may not enter. */
export async function weeklyOfCourse(
  app: ActiveRegistrationApp,
  course: Pick<Course, "registrationId" | "deploymentId" | "weekly" | "limits">,
): Promise<WeeklyOfCourse> {
  if (!(await isAdmitted(app, course))) return nothing;
  const { weekly, limits } = course;
  return { ...weekly, limits: limits.mail && limits.list.length > 0 };
}

/**
 * Mails each learner once about each limit, even if a correction has brought them below it in between: the mail is stored before that is
 * noted, and exists once.
 */
async function mailLimits(app: MailingApp, course: Course, week: CourseWeek): Promise<void> {
  const reached = await reachedInCourse(app, course);
  const { registrationId, id: courseId } = course;
  for (const key of course.limits.list.map(limitKey)) {
    const toTell = [...reached].filter(
      ([, { limits, told }]) => limits.some((one) => limitKey(one) === key) && !told.includes(key),
    );
    const mail = { about: `${limitMatter}${courseId}@${key}`, endsAt: week.to + weeklyUsefulMs };
    for (const batch of slicesOf(toTell, rowsPerRead)) {
      const ids = batch.map(([personId]) => personId);
      await mailPeople(app, { registrationId, courseId }, ids, { ...mail, kind: "low-attendance" });
      await app.attendanceSummaries.tell({ registrationId, courseId }, ids, key);
    }
  }
}

/** The start of the matter of a mail about a limit. */
const limitMatter = "limit:";

export function isAboutLimit({ about }: Pick<Mail, "about">): boolean {
  return about.startsWith(limitMatter);
}

/** "over" if a correction has brought them below the limit since. */
export async function limitMailFacts(
  app: MailingApp & GradeSummaryApp & MatchingApp,
  mail: Mail,
): Promise<LimitMailFacts | NotSent> {
  const reader = await readerOf(app, mail, "low-attendance");
  if (typeof reader === "string") return reader;
  const { course, member } = reader;
  const key = limitOrMonday(mail);
  if (!(await weeklyOfCourse(app, course)).limits) return "off";
  if (!isPresentLearner(member)) return "gone";
  const reached = await reachedBy(app, course, await listSessions(app, course), [member.personId]);
  const found = reached.get(member.personId);
  const limit = found?.limits.find((one) => limitKey(one) === key);
  return found === undefined || limit === undefined ? "over" : { ...reader, limit, facts: found.facts };
}

function isInstructor({ role, active, testUser }: Member): boolean {
  return role === "instructor" && active && !testUser;
}

async function instructorsOf(app: MailingApp, { registrationId, id: courseId }: Course): Promise<string[]> {
  const members = await everyMember(app, { registrationId, courseId });
  return members.filter(isInstructor).map(({ personId }) => personId);
}

/** Learners below the share who weren't warned recently. A mail about a limit has the same kind, but isn't such a warning. */
async function toWarn(app: MailingApp, course: Course, below: number): Promise<string[]> {
  const since = app.clock.now() - warningRestMs;
  const warning = { courseId: course.id, kind: "low-attendance" } as const;
  const warned = await app.mails.hadSince(warning, `${course.id}@`, since);
  const low = await lowLearners(app, course, below);
  return low.map(({ personId }) => personId).filter((personId) => !warned.has(personId));
}

async function mail(
  app: MailingApp,
  { registrationId, id: courseId }: Course,
  kind: StoppableKind,
  { week, personIds }: { week: CourseWeek; personIds: readonly string[] },
): Promise<void> {
  const [about, endsAt] = [`${courseId}@${week.monday}`, week.to + weeklyUsefulMs];
  for (const ids of slicesOf(personIds, rowsPerRead)) {
    await mailPeople(app, { registrationId, courseId }, ids, { kind, about, endsAt });
  }
}

/** The limit that a mail is about, or the Monday of its week. */
function limitOrMonday({ about }: Mail): string {
  return about.slice(about.lastIndexOf("@") + 1);
}

/** A course's week in numbers, for an instructor. Names nobody, because mails stay in mailboxes for years. */
export async function digestFacts(
  app: MailingApp & GradeSummaryApp & MatchingApp,
  mail: Mail,
): Promise<DigestFacts | NotSent> {
  const reader = await readerOf(app, mail, "digest");
  if (typeof reader === "string") return reader;
  const { course, member } = reader;
  if (!isInstructor(member)) return "gone";
  const { digest, low: warned } = await weeklyOfCourse(app, course);
  if (!digest) return "off";
  const { from, to } = weekFrom(limitOrMonday(mail), course.timeZone);
  const share = warned === 0 ? usualLowShare : warned;
  const [events, learners, unmatched, { counts }, reached] = await Promise.all([
    app.events.listBetween(course.id, from, to - 1),
    lowLearners(app, course, share),
    countUnmatched(app, course),
    showGradeSummary(app, course),
    reachedInCourse(app, course),
  ]);
  const limits = course.limits.list.map((limit) => ({
    label: limit.label,
    learners: [...reached.values()].filter((one) => one.limits.includes(limit)).length,
  }));
  const sessions = events.filter(({ cancelled }) => !cancelled).length;
  const missing = counts.waiting + counts.held + counts.refused;
  const low = { share, learners: learners.length };
  return { ...reader, week: from, sessions, low, unmatched, missing, limits };
}

/** A learner's own attendance. "over" if it isn't low any more. */
export async function warningFacts(
  app: MailingApp & GradeSummaryApp & MatchingApp,
  mail: Mail,
): Promise<WarningFacts | NotSent> {
  const reader = await readerOf(app, mail, "low-attendance");
  if (typeof reader === "string") return reader;
  const { low: share } = await weeklyOfCourse(app, reader.course);
  if (share === 0) return "off";
  const learner = await lowLearner(app, reader.course, share, reader.member);
  return learner === null ? "over" : { ...reader, share, learner };
}

/** Learners of the course below a share (percent) of the sessions that count, if enough are recorded. */
export async function lowLearners(
  app: SessionsApp & Pick<App, "attendanceSummaries" | "members">,
  course: Pick<Course, "registrationId" | "id" | "countsFrom">,
  below: number,
): Promise<LowLearner[]> {
  const key = keyOfCourse(course);
  const uncounted = await uncountedSessions(app, course);
  // If only some sessions count, sums over all sessions don't help, so all learners are checked.
  const found = await app.attendanceSummaries.listBySums(key, { below: uncounted.size === 0 ? below : 101 });
  const low = found.flatMap((summary) => lowOf(summary, uncounted, below) ?? []);
  const present = new Set<string>();
  for (const batch of slicesOf(low, learnersPerRead)) {
    const ids = batch.map(({ personId }) => personId);
    for (const member of await app.members.findMany(key, ids))
      if (isPresentLearner(member)) present.add(member.personId);
    await letOthersRun();
  }
  return low.filter(({ personId }) => present.has(personId));
}

/** The same for one learner, without reading the others. @returns null if their attendance isn't low. */
async function lowLearner(
  app: SessionsApp & Pick<App, "attendanceSummaries" | "members">,
  course: Pick<Course, "registrationId" | "id" | "countsFrom">,
  below: number,
  member: Member,
): Promise<LowLearner | null> {
  const { registrationId, id: courseId } = course;
  if (!isPresentLearner(member)) return null;
  const [uncounted, [summary]] = await Promise.all([
    uncountedSessions(app, course),
    app.attendanceSummaries.findMany({ registrationId, courseId }, [member.personId]),
  ]);
  return summary === undefined ? null : lowOf(summary, uncounted, below);
}

function lowOf(
  { personId, sessions }: Pick<AttendanceSummary, "personId" | "sessions">,
  uncounted: Uncounted,
  below: number,
): LowLearner | null {
  const counting = sessions.flatMap(({ eventId, status }) =>
    status === null || uncounted.has(eventId) ? [] : [status],
  );
  const { percent, attended, recorded } = limitFactsOf(counting);
  return percent !== null && percent < below ? { personId, percent, attended, recorded } : null;
}
