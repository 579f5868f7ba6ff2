import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf } from "../../domain/mail-address.ts";
import {
  factsOf,
  findSession,
  type SessionRecord,
  type SessionRecordDeps,
} from "../scheduling/session-record.ts";
import type { Mail } from "./rules/records.ts";
import { matterOfReminder } from "./rules/reminder-matter.ts";
import type { NotSent } from "./send-mails.ts";
import { isInvited, remindersOfCourse } from "./send-reminders.ts";

export type ReminderFactsDeps = SessionRecordDeps &
  Pick<App, "courses" | "institutionDefaults" | "registrations" | "members" | "people" | "mailStops">;

export type ReminderFacts = {
  to: string;
  course: Course;
  member: Member;
  title: string | null;
  startsAt: number;
  endsAt: number | null;
};

/** What a reminder says now, or in a word why it is not sent: the session moved or is cancelled, somebody left, or wants none. */
export async function reminderFacts(deps: ReminderFactsDeps, mail: Mail): Promise<ReminderFacts | NotSent> {
  const { courseId } = mail;
  const course = courseId === null ? null : await deps.courses.find(courseId);
  if (course === null) return "gone";
  if ((await remindersOfCourse(deps, course)) === 0) return "off";
  const { eventId, startsAt } = matterOfReminder(mail.about);
  const session = await findSession(deps, course, `event:${eventId}`);
  if (session?.event === null || session?.event.cancelled !== false || session.event.startsAt !== startsAt)
    return "over";
  const reader = await readerOf(deps, course, session, mail.personId);
  if (typeof reader === "string") return reader;
  const { title, endsAt } = factsOf(session);
  return { ...reader, course, title, startsAt, endsAt };
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
