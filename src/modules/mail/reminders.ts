import { type ActiveRegistrationApp, isAdmitted } from "../registration/registrations.ts";
import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { longestReminderMs, mailAddressOf } from "../../domain/mails.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { memberSlices } from "../members/sections.ts";
import { isForMember, type SessionsApp } from "../scheduling/list-sessions.ts";
import { factsOf, findSession, type SessionRecord } from "../scheduling/show-sessions.ts";
import type { EventToRemind } from "../scheduling/store/event-store.ts";
import { addMails, type MailsApp, type NewMail, type NotSent } from "./mails.ts";
import {
  beginningOfMatters,
  changeMatter,
  changeSince,
  dueAt,
  isJustKnown,
  type KnownTime,
  lastKnown,
  matterOf,
  nextCheck,
  reminderMatter,
  type SessionChange,
  timeOf,
} from "./rules/due.ts";
import type { Mail, StoppableKind } from "./rules/records.ts";

const maxSessionsPerRun = 500;

/** What finding people to write to needs. */
export type MailingApp = MailsApp &
  SessionsApp &
  ActiveRegistrationApp &
  Pick<App, "attendanceSummaries" | "courses" | "mailStops" | "members" | "people" | "registrations">;

export type ReminderFacts = Reader & {
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  /** The difference to what an earlier mail said. */
  change: SessionChange | null;
};

const batchSize = 200;

/** Sessions that are due for a check. */
export function listToRemind(
  { events, clock }: Pick<MailingApp, "events" | "clock">,
  limit: number,
): Promise<EventToRemind[]> {
  const now = clock.now();
  return events.listToRemind(now, now - longestReminderMs, limit);
}

/**
 * Mails the people of each session whose time has come, and those who were mailed a time that has changed. The mails are stored before the
 * session counts as done, and the same mail exists once, so a run that is cut short is simply repeated. @returns how many sessions.
 */
export async function sendReminders(app: MailingApp): Promise<number> {
  const now = app.clock.now();
  let reminded = 0;
  for (const event of await listToRemind(app, maxSessionsPerRun)) {
    if (await remind(app, event, now)) reminded += 1;
    await letOthersRun();
  }
  return reminded;
}

async function remind(app: MailingApp, event: EventToRemind, now: number): Promise<boolean> {
  const { startsAt, courseId, eventId, cancelled } = event;
  if (startsAt === null || courseId === null) return false;
  const course = await app.courses.find(courseId);
  const minutes = course === null ? 0 : await remindersOfCourse(app, course);
  const session =
    course === null || minutes === 0 ? null : await findSession(app, course, `event:${eventId}`);
  const isDue = minutes > 0 && !cancelled && startsAt > now && dueAt(startsAt, minutes) <= now;
  if (course !== null && session !== null) {
    const known = await knownTimes(app, course, eventId);
    await mailChange(app, course, event, known);
    const knows = (personId: string) => {
      const theirs = known.get(personId) ?? null;
      return changeSince(theirs, event, now) !== null || isJustKnown(theirs, startsAt, minutes);
    };
    if (isDue) await mailEverybody(app, course, session, { eventId, startsAt, knows });
  }
  await app.events.remindNextAt(event, nextCheck({ startsAt, cancelled }, minutes, now));
  return isDue;
}

/** What each person's last mail said about a session. */
async function knownTimes(app: MailingApp, { id }: Course, eventId: string): Promise<Map<string, KnownTime>> {
  const mails = await app.mails.listAbout(id, beginningOfMatters(eventId));
  const known = new Map<string, KnownTime>();
  for (const [personId, theirs] of Map.groupBy(mails, (mail) => mail.personId)) {
    const last = lastKnown(theirs, eventId);
    if (personId !== null && last !== null) known.set(personId, last);
  }
  return known;
}

/** Mails people who read another time in a mail. When the mail is sent, it's checked whether they still want it. */
async function mailChange(
  app: MailingApp,
  { registrationId, id: courseId }: Course,
  event: EventToRemind,
  known: ReadonlyMap<string, KnownTime>,
): Promise<void> {
  const now = app.clock.now();
  const { eventId, revision = 0 } = event;
  const about = changeMatter({ eventId, startsAt: timeOf(event), revision });
  const changed = [...known].flatMap(([personId, theirs]) => {
    const change = changeSince(theirs, event, now);
    if (change === null) return [];
    const endsAt = change.usefulUntil;
    return {
      registrationId,
      courseId,
      personId,
      operator: null,
      kind: "reminder-changed" as const,
      about,
      endsAt,
    };
  });
  for (const batch of slicesOf(changed, batchSize)) await addMails(app, batch);
}

/** Minutes before a session. 0 for none, or while the course's people may not enter. */
export async function remindersOfCourse(
  app: ActiveRegistrationApp,
  course: Pick<Course, "registrationId" | "deploymentId" | "reminders">,
): Promise<number> {
  return (await isAdmitted(app, course)) ? course.reminders : 0;
}

async function mailEverybody(
  app: MailingApp,
  course: Course,
  session: SessionRecord,
  matter: { eventId: string; startsAt: number; knows: (personId: string) => boolean },
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  for await (const members of memberSlices(app, key, batchSize)) {
    const ids = members.flatMap((member) =>
      isInvited(session, member) && !matter.knows(member.personId) ? member.personId : [],
    );
    const about = reminderMatter(matter);
    await mailPeople(app, key, ids, { kind: "reminder", about, endsAt: matter.startsAt });
  }
}

/** Mails those of at most a few hundred people who have an address and haven't stopped this kind of mail. */
export async function mailPeople(
  app: MailingApp,
  { registrationId, courseId }: { registrationId: string; courseId: string },
  personIds: readonly string[],
  about: Pick<NewMail, "about" | "endsAt"> & { kind: StoppableKind },
): Promise<void> {
  const [people, stopped] = await Promise.all([
    app.people.findMany(personIds),
    app.mailStops.amongMany({ registrationId, kind: about.kind }, personIds),
  ]);
  const mailed = people.filter(({ id, email }) => mailAddressOf(email) !== null && !stopped.has(id));
  await addMails(
    app,
    mailed.map(({ id: personId }) => ({ registrationId, courseId, personId, operator: null, ...about })),
  );
}

/** Instructors, and learners of the session's sections. No preview students, mentors or guests. */
function isInvited(session: SessionRecord, member: Member): boolean {
  if (!member.active || member.testUser) return false;
  if (member.role === "learner" && !member.student) return false;
  return isForMember(factsOf(session), member);
}

/**
 * What a mail about a session says now, or why it isn't sent: the session has changed since the mail was added, or the reader already knows
 * it, has left, or wants no mail.
 */
export async function reminderFacts(app: MailingApp, mail: Mail): Promise<ReminderFacts | NotSent> {
  const reader = await readerOf(app, mail, "reminder");
  if (typeof reader === "string") return reader;
  const { course, member } = reader;
  const minutes = await remindersOfCourse(app, course);
  if (minutes === 0) return "off";
  const matter = matterOf(mail);
  const session = await findSession(app, course, `event:${matter.eventId}`);
  const event = session?.event ?? null;
  if (session === null || event === null || timeOf(event) !== matter.startsAt) return "over";
  if (!isInvited(session, member)) return "gone";
  const change = await changeFor(app, member, mail, { event, minutes });
  return change === "known" ? "over" : { ...reader, ...factsOf(session), change };
}

/** @returns "known" if the reader has already read what the mail would say. */
async function changeFor(
  { mails, clock }: MailingApp,
  { registrationId, personId }: Member,
  mail: Mail,
  { event, minutes }: { event: ClassroomEvent; minutes: number },
): Promise<SessionChange | null | "known"> {
  const { eventId, startsAt } = matterOf(mail);
  const known = lastKnown(await mails.listOfPerson(registrationId, personId), eventId);
  const change = changeSince(known, event, clock.now());
  if (change !== null) return change;
  return mail.kind !== "reminder" || isJustKnown(known, startsAt ?? 0, minutes) ? "known" : null;
}

/** A member who gets a mail, and their address. */
export type Reader = { to: string; course: Course; member: Member };

/** The person who gets a mail now, or why nobody does. */
export async function readerOf(
  app: MailingApp,
  { courseId, personId, registrationId }: Mail,
  kind: StoppableKind,
): Promise<Reader | NotSent> {
  if (registrationId === null || courseId === null || personId === null) return "gone";
  const [course, member, person, stopped] = await Promise.all([
    app.courses.find(courseId),
    app.members.find(registrationId, courseId, personId),
    app.people.find(personId),
    app.mailStops.has({ registrationId, personId, kind }),
  ]);
  if (course === null || member?.active !== true) return "gone";
  if (stopped) return "stopped";
  const to = mailAddressOf(person?.email ?? null);
  return to === null ? "no-address" : { to, course, member };
}
