import type { App } from "../../app.ts";
import { type ClassroomEvent, assumedLengthMs } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import { sha256, secretDigest } from "../../kernel/ids.ts";
import { dayMs } from "../../kernel/clock.ts";
import { type ActiveRegistrationApp, isAdmitted } from "../registration/registrations.ts";
import { eventsWithPlans, isForMember, sessionOf, type SessionsApp } from "./list-sessions.ts";
import type { PlannedSession } from "./rules/course-session.ts";
import type { CalendarAddress } from "./rules/records.ts";

export type CalendarApp = ActiveRegistrationApp &
  SessionsApp &
  Pick<App, "calendars" | "courses" | "members" | "clock">;

export type CalendarOwner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

/** Makes a new address; the earlier one stops working. @param locale Its maker's language. @returns its token, 192 random bits. */
export async function makeCalendarAddress(
  app: Pick<App, "calendars" | "clock" | "ids" | "sealer">,
  owner: CalendarOwner,
  locale: string | null,
): Promise<string> {
  const token = app.ids.secret(24);
  const digest = calendarDigest(token);
  const sealed = app.sealer.seal(purposeOf(digest), token);
  await app.calendars.renew({ ...owner, digest, sealed, createdAt: app.clock.now(), locale });
  return token;
}

/** Returns the token for its owner. Null if its SECRET_KEY is gone: the address works, but can't be shown again. */
export function calendarToken(
  { sealer }: Pick<App, "sealer">,
  { digest, sealed }: Pick<CalendarAddress, "digest" | "sealed">,
): string | null {
  try {
    return sealer.open(purposeOf(digest), sealed);
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "sealed-with-unknown-key") return null;
    throw thrown;
  }
}

/** The purpose of the seal, so a token sealed for one address can't be opened as another's. */
function purposeOf(digest: string): string {
  return `calendar ${digest}`;
}

function calendarDigest(token: string): string {
  return secretDigest(`calendar\n${token}`);
}

export type CalendarEntry = ReturnType<typeof entryOf>[number];
export type Calendar = Awaited<ReturnType<typeof readMemberCalendar>>;

/** Milliseconds. Older sessions are left out. */
const maxAgeMs = 180 * dayMs;
/** How many courses with sessions a person's calendar has at most. */
const maxCourses = 50;

/**
 * Reads the calendar at an address. A person's calendar has their sessions of all courses in which they are a member
 * and whose deployment is admitted. @returns null for an unknown address, and for an LMS that is switched off.
 */
export async function readCalendar(app: CalendarApp, token: string): Promise<Calendar | null> {
  const address = await app.calendars.findByDigest(calendarDigest(token));
  if (address === null) return null;
  return address.scope === "course" ? ofCourse(app, address) : ofPerson(app, address);
}

async function ofCourse(app: CalendarApp, { ownerId, locale }: CalendarAddress): Promise<Calendar | null> {
  const course = await app.courses.find(ownerId);
  if (course === null || !(await isAdmitted(app, course))) return null;
  const { timeZone } = course;
  return { courseName: nameOf(course), timeZone, locale, entries: await entriesOf(app, course, null) };
}

async function ofPerson(app: CalendarApp, address: CalendarAddress): Promise<Calendar | null> {
  const memberships = await app.members.listOfPerson(address.registrationId, address.ownerId);
  const active = memberships.filter((member) => member.active);
  const entries: CalendarEntry[] = [];
  const zones = new Set<string | null>();
  let courses = 0;
  for (const member of active) {
    const course = courses < maxCourses ? await app.courses.find(member.courseId) : null;
    if (course === null || !(await isAdmitted(app, course))) continue;
    zones.add(course.timeZone);
    const own = await entriesOf(app, course, member);
    if (own.length > 0) courses += 1;
    entries.push(...own);
  }
  if (active.length > 0 && zones.size === 0) return null;
  const [timeZone = null] = zones.size === 1 ? zones : [];
  return { courseName: null, timeZone, locale: address.locale, entries };
}

/** A member's sessions in one course, for a file to download. @param eventId The only session to include. Null for all. */
export async function readMemberCalendar(
  app: Pick<App, "events" | "sessionPlans" | "clock">,
  course: Course,
  member: Member,
  eventId: string | null,
): Promise<{
  /** Null for a person's calendar, which covers several courses. */
  courseName: string | null;
  timeZone: string | null;
  /** The language of the person who made the address. */
  locale: string | null;
  entries: CalendarEntry[];
}> {
  const entries = await entriesOf(app, course, member);
  return {
    courseName: nameOf(course),
    timeZone: course.timeZone,
    locale: null,
    entries: entries.filter((entry) => eventId === null || entry.eventId === eventId),
  };
}

async function entriesOf(
  app: Pick<App, "events" | "sessionPlans" | "clock">,
  course: Course,
  member: Member | null,
): Promise<CalendarEntry[]> {
  const since = app.clock.now() - maxAgeMs;
  const recent = (await eventsWithPlans(app, course))
    .filter(({ event: { startsAt } }) => startsAt !== null && startsAt >= since)
    .toReversed();
  return recent.flatMap(({ event, plan }) => entryOf(course, member, event, plan));
}

/** An entry for calendar programs, without names of people. */
function entryOf(course: Course, member: Member | null, event: ClassroomEvent, plan: PlannedSession | null) {
  const session = sessionOf(event, plan);
  const { startsAt, endsAt, title, cancelled } = session;
  if (startsAt === null || (member !== null && !isForMember(session, member))) return [];
  return [
    {
      /** Stable, and doesn't reveal the classroom's id. */
      uid: sha256(`${course.id}\n${event.id}`).slice(0, 32),
      /** The classroom's id, which no calendar file contains. */
      eventId: event.eventId,
      title,
      courseName: nameOf(course),
      /** The course's page in the LMS, where people enter as themselves. */
      courseUrl: course.courseUrl,
      startsAt,
      endsAt: endsAt !== null && endsAt > startsAt ? endsAt : startsAt + assumedLengthMs,
      cancelled,
      sequence: (event.revision ?? 0) + (plan?.revision ?? 0),
      changedAt: event.changedAt ?? event.readAt,
    },
  ];
}

function nameOf({ title, label }: Course): string {
  return title || label;
}
