import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { longestReminderMs, mailAddressOf } from "../../domain/mails.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { isForMember } from "../scheduling/list-sessions.ts";
import {
  factsOf,
  findSession,
  type SessionRecord,
  type SessionRecordDeps,
} from "../scheduling/show-sessions.ts";
import type { EventToRemind } from "../scheduling/store/event-store.ts";
import { addMails, type AddMailsDeps, type NotSent } from "./mails.ts";
import {
  beginningOfMatters,
  changeMatter,
  changeSince,
  dueAt,
  isJustKnown,
  type KnownTime,
  lastKnown,
  matterOf,
  nextLook,
  reminderMatter,
  type SessionChange,
  timeOf,
} from "./rules/due.ts";
import { maxSessionsPerRun } from "./rules/limits.ts";
import type { Mail } from "./rules/records.ts";

type RemindersDeps = AddMailsDeps &
  SessionRecordDeps &
  Pick<App, "courses" | "registrations" | "members" | "people" | "mailStops">;

export type ReminderFacts = {
  to: string;
  course: Course;
  member: Member;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  /** Against what an earlier mail said. */
  change: SessionChange | null;
};

const batchSize = 200;

/** Sessions that are due to be looked at. */
export function listToRemind(
  { events, clock }: Pick<RemindersDeps, "events" | "clock">,
  limit: number,
): Promise<EventToRemind[]> {
  const now = clock.now();
  return events.listToRemind(now, now - longestReminderMs, limit);
}

/**
 * Mails the people of each session whose time has come, and those who were mailed a time that no longer holds. The mails are stored
 * before the session counts as done, and the same mail exists once, so a run that is cut short is only repeated. @returns how many sessions.
 */
export async function sendReminders(deps: RemindersDeps): Promise<number> {
  const now = deps.clock.now();
  let reminded = 0;
  for (const event of await listToRemind(deps, maxSessionsPerRun)) {
    if (await remind(deps, event, now)) reminded += 1;
    await letOthersRun();
  }
  return reminded;
}

async function remind(deps: RemindersDeps, event: EventToRemind, now: number): Promise<boolean> {
  const { startsAt, courseId, eventId, cancelled } = event;
  if (startsAt === null || courseId === null) return false;
  const course = await deps.courses.find(courseId);
  const minutes = course === null ? 0 : await remindersOfCourse(deps, course);
  const session =
    course === null || minutes === 0 ? null : await findSession(deps, course, `event:${eventId}`);
  const isDue = minutes > 0 && !cancelled && startsAt > now && dueAt(startsAt, minutes) <= now;
  if (course !== null && session !== null) {
    const known = await knownTimes(deps, course, eventId);
    await mailChange(deps, course, event, known);
    const knows = (personId: string) => {
      const theirs = known.get(personId) ?? null;
      return changeSince(theirs, event, now) !== null || isJustKnown(theirs, startsAt, minutes);
    };
    if (isDue) await mailEverybody(deps, course, session, { eventId, startsAt, knows });
  }
  await deps.events.remindNextAt(event, nextLook({ startsAt, cancelled }, minutes, now));
  return isDue;
}

/** What each person was mailed about a session last. */
async function knownTimes(
  deps: RemindersDeps,
  { id }: Course,
  eventId: string,
): Promise<Map<string, KnownTime>> {
  const mails = await deps.mails.listAbout(id, beginningOfMatters(eventId));
  const known = new Map<string, KnownTime>();
  for (const [personId, theirs] of Map.groupBy(mails, (mail) => mail.personId)) {
    const last = lastKnown(theirs, eventId);
    if (personId !== null && last !== null) known.set(personId, last);
  }
  return known;
}

/** Those who read another time in a mail. Whether they still want to know is asked when it is sent. */
async function mailChange(
  deps: RemindersDeps,
  { registrationId, id: courseId }: Course,
  event: EventToRemind,
  known: ReadonlyMap<string, KnownTime>,
): Promise<void> {
  const now = deps.clock.now();
  const { eventId, revision = 0 } = event;
  const about = changeMatter({ eventId, startsAt: timeOf(event), revision });
  const wanted = [...known].flatMap(([personId, theirs]) => {
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
  for (const some of slicesOf(wanted, batchSize)) await addMails(deps, some);
}

/** Minutes before a session; 0 for none, as where the LMS is switched off. */
export async function remindersOfCourse(
  deps: Pick<App, "registrations">,
  { registrationId, reminders }: Pick<Course, "registrationId" | "reminders">,
): Promise<number> {
  const registration = await deps.registrations.find(registrationId);
  return registration?.active === true ? reminders : 0;
}

async function mailEverybody(
  deps: RemindersDeps,
  course: Course,
  session: SessionRecord,
  matter: { eventId: string; startsAt: number; knows: (personId: string) => boolean },
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  for (let after = ""; ;) {
    const members = await deps.members.listAfter(key, after, batchSize);
    const invited = members.filter((member) => isInvited(session, member)).map(({ personId }) => personId);
    const [people, stopped] = await Promise.all([
      deps.people.findMany(invited),
      deps.mailStops.amongMany({ registrationId: course.registrationId, kind: "reminder" }, invited),
    ]);
    const mailed = people.filter(
      ({ id, email }) => mailAddressOf(email) !== null && !stopped.has(id) && !matter.knows(id),
    );
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
function isInvited(session: SessionRecord, member: Member): boolean {
  if (!member.active || member.testUser) return false;
  if (member.role === "learner" && !member.student) return false;
  return isForMember({ sectionIds: sectionsOf(session) }, member);
}

function sectionsOf({ plan, event }: SessionRecord): readonly string[] {
  const own = plan?.sectionIds ?? [];
  return own.length > 0 ? own : (event?.sectionIds ?? []);
}

/**
 * What a mail about a session says now, or in a word why it is not sent: the session has changed since it was wanted, the reader knows
 * it already, left, or wants none.
 */
export async function reminderFacts(deps: RemindersDeps, mail: Mail): Promise<ReminderFacts | NotSent> {
  const { courseId } = mail;
  const course = courseId === null ? null : await deps.courses.find(courseId);
  if (course === null) return "gone";
  const minutes = await remindersOfCourse(deps, course);
  if (minutes === 0) return "off";
  const matter = matterOf(mail);
  const session = await findSession(deps, course, `event:${matter.eventId}`);
  const event = session?.event ?? null;
  if (session === null || event === null || timeOf(event) !== matter.startsAt) return "over";
  const reader = await readerOf(deps, course, session, mail.personId);
  if (typeof reader === "string") return reader;
  const change = await changeFor(deps, reader.member, mail, { event, minutes });
  return change === "known" ? "over" : { ...reader, ...factsOf(session), course, change };
}

/** @returns "known" when the reader has read what the mail would say. */
async function changeFor(
  { mails, clock }: RemindersDeps,
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

async function readerOf(
  deps: RemindersDeps,
  { registrationId, id: courseId }: Course,
  session: SessionRecord,
  personId: string | null,
): Promise<Pick<ReminderFacts, "to" | "member"> | NotSent> {
  const member = personId === null ? null : await deps.members.find(registrationId, courseId, personId);
  if (member === null || !isInvited(session, member)) return "gone";
  const person = await deps.people.find(member.personId);
  if (await deps.mailStops.has({ registrationId, personId: member.personId, kind: "reminder" }))
    return "stopped";
  const to = mailAddressOf(person?.email ?? null);
  return to === null ? "no-address" : { to, member };
}
