import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf } from "../../domain/mail-address.ts";
import { longestReminderMs, remindersOf } from "../../domain/reminder-rule.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { EventToRemind } from "../scheduling/store/event-store.ts";
import { isForMember } from "../scheduling/is-for-member.ts";
import { findSession, type SessionRecord, type SessionRecordDeps } from "../scheduling/session-record.ts";
import { addMails, type AddMailsDeps } from "./add-mails.ts";
import { lookAgainMs, maxSessionsPerRun } from "./rules/limits.ts";
import { reminderMatter } from "./rules/reminder-matter.ts";

export type SendRemindersDeps = AddMailsDeps &
  SessionRecordDeps &
  Pick<App, "courses" | "institutionDefaults" | "registrations" | "members" | "people" | "mailStops">;

const minuteMs = 60_000;
const batchSize = 200;

/**
 * Has the people of each session mailed whose time has come. The mails are stored before the session counts as done, and the same mail
 * exists once, so a run that is cut short is only repeated. @returns how many sessions.
 */
export async function sendReminders(deps: SendRemindersDeps): Promise<number> {
  const now = deps.clock.now();
  let reminded = 0;
  for (const event of await deps.events.listToRemind(now, now + longestReminderMs, maxSessionsPerRun)) {
    if (await remind(deps, event, now)) reminded += 1;
    await letOthersRun();
  }
  return reminded;
}

async function remind(deps: SendRemindersDeps, event: EventToRemind, now: number): Promise<boolean> {
  const { startsAt, courseId, eventId } = event;
  if (startsAt === null || courseId === null) return false;
  const course = await deps.courses.find(courseId);
  const minutes = course === null ? 0 : await remindersOfCourse(deps, course);
  if (course === null || minutes === 0) {
    await deps.events.remindNextAt(event, now + lookAgainMs);
    return false;
  }
  const dueAt = startsAt - minutes * minuteMs;
  if (dueAt > now) {
    await deps.events.remindNextAt(event, dueAt);
    return false;
  }
  const session = await findSession(deps, course, `event:${eventId}`);
  if (session !== null) await mailEverybody(deps, course, session, { eventId, startsAt });
  await deps.events.remindNextAt(event, startsAt);
  return true;
}

/** Minutes before a session; 0 for none, as where the LMS is switched off. */
export async function remindersOfCourse(
  deps: Pick<App, "institutionDefaults" | "registrations">,
  { registrationId, reminders }: Pick<Course, "registrationId" | "reminders">,
): Promise<number> {
  const registration = await deps.registrations.find(registrationId);
  if (registration?.active !== true) return 0;
  return remindersOf(reminders, (await deps.institutionDefaults.find(registrationId)).reminders);
}

async function mailEverybody(
  deps: SendRemindersDeps,
  course: Course,
  session: SessionRecord,
  matter: { eventId: string; startsAt: number },
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  for (let after = ""; ;) {
    const members = await deps.members.listAfter(key, after, batchSize);
    const invited = members.filter((member) => isInvited(session, member)).map(({ personId }) => personId);
    const [people, stopped] = await Promise.all([
      deps.people.findMany(invited),
      deps.mailStops.amongMany({ registrationId: course.registrationId, kind: "reminder" }, invited),
    ]);
    const mailed = people.filter(({ id, email }) => mailAddressOf(email) !== null && !stopped.has(id));
    await addMails(
      deps,
      mailed.map(({ id }) => ({
        ...{ ...key, personId: id, operator: null, kind: "reminder" },
        ...{ about: reminderMatter(matter), endsAt: matter.startsAt },
      })),
    );
    after = members.at(-1)?.personId ?? "";
    if (members.length < batchSize) return;
    await letOthersRun();
  }
}

/** Instructors, and learners of its sections; no preview students, mentors or guests. */
export function isInvited(session: SessionRecord, member: Member): boolean {
  if (!member.active || member.testUser) return false;
  if (member.role === "learner" && !member.student) return false;
  return isForMember({ sectionIds: sectionsOf(session) }, member);
}

function sectionsOf({ plan, event }: SessionRecord): readonly string[] {
  const own = plan?.sectionIds ?? [];
  return own.length > 0 ? own : (event?.sectionIds ?? []);
}
