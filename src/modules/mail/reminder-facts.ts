import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf } from "../../domain/mails.ts";
import {
  factsOf,
  findSession,
  type SessionRecord,
  type SessionRecordDeps,
} from "../scheduling/session-record.ts";
import type { Mail } from "./rules/records.ts";
import {
  changeSince,
  isJustKnown,
  lastKnown,
  matterOf,
  type SessionChange,
  timeOf,
} from "./rules/reminder-matter.ts";
import type { NotSent } from "./send-mails.ts";
import { isInvited, remindersOfCourse } from "./send-reminders.ts";

export type ReminderFactsDeps = SessionRecordDeps &
  Pick<
    App,
    | "clock"
    | "courses"
    | "institutionDefaults"
    | "mails"
    | "mailStops"
    | "members"
    | "people"
    | "registrations"
  >;

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

/**
 * What a mail about a session says now, or in a word why it is not sent: the session has changed since it was wanted, the reader knows
 * it already, left, or wants none.
 */
export async function reminderFacts(deps: ReminderFactsDeps, mail: Mail): Promise<ReminderFacts | NotSent> {
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
  { mails, clock }: ReminderFactsDeps,
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
  deps: ReminderFactsDeps,
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
