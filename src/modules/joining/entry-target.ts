import { minuteMs } from "../../kernel/clock.ts";
import { secretDigest } from "../../kernel/ids.ts";
import type { App } from "../../app.ts";
import { classroomRoleOf } from "../../domain/person.ts";
import { type CourseLink, otherSpaceOf } from "../../domain/course-link.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import {
  type Entry,
  entryLookbackMs,
  type EntryState,
  entryStateAt,
  type EntryWindowEvent,
  maxMinutes,
} from "../../domain/entry.ts";
import { joinUrl } from "../../domain/join-settings.ts";
import type { JoinSettings } from "../../settings/options.ts";
import { inLink } from "../../settings/in-effect.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { requireActiveRegistration } from "../registration/registrations.ts";

/** What finding an entry's target needs. */
export type EntryApp = Pick<App, "accounts" | "courseLinks" | "courses" | "members" | "people"> &
  Pick<App, "deployments" | "registrations">;

/** Where an entry leads under today's settings. */
export type EntryTarget = {
  course: Course;
  person: Person;
  /** Null if the person isn't a member any more. */
  member: Member | null;
  /** Null if there is no link, or it belongs to another course. */
  link: CourseLink | null;
  /** With the person's present role, which may be lower than at the launch. */
  entry: Entry;
  /** Null until the course has its own Space. */
  spaceId: string | null;
  /** The course's settings, overridden by the link's. */
  settings: JoinSettings;
};

/** @throws the errors of `findTargetToShow`, and NamedError "account-paused" */
export async function findTarget(app: EntryApp, entry: Entry): Promise<EntryTarget> {
  const target = await findTargetToShow(app, entry);
  refusePaused(app, target.course);
  return target;
}

/** For pages, which say if an account is paused. @throws "entry-unknown", "not-in-course", the errors of `requireActiveRegistration` */
export async function findTargetToShow(app: EntryApp, entry: Entry): Promise<EntryTarget> {
  const [course, person, found] = await Promise.all([
    app.courses.find(entry.courseId),
    app.people.find(entry.personId),
    entry.courseLinkId === null ? null : app.courseLinks.find(entry.courseLinkId),
  ]);
  if (course === null || person === null) throw refusal("entry-unknown", { status: 404 });
  const [member] = await Promise.all([
    app.members.find(course.registrationId, course.id, person.id),
    requireActiveRegistration(app, course),
  ]);
  refuseLeft(member);
  return targetOf({ course, person, member, link: found?.courseId === course.id ? found : null }, entry);
}

/** Also refuses logins that were authorized before the pause. @throws NamedError "account-paused" */
function refusePaused({ accounts }: EntryApp, { environment }: Course): void {
  const account = accounts.find(environment);
  if (account?.paused === true)
    throw refusal("account-paused", { status: 503, temporary: true, values: { account: account.name } });
}

/** Builds the target from records that a launch has just read or written, without reading or checking them again. */
export function targetOf(
  { course, person, member, link }: Pick<EntryTarget, "course" | "person" | "member" | "link">,
  entry: Entry,
): EntryTarget {
  const role = entry.role === "instructor" && member?.role === "instructor" ? "instructor" : "learner";
  return {
    course,
    person,
    member,
    link,
    entry: { ...entry, role },
    spaceId: (link === null ? null : otherSpaceOf(link.choice)) ?? course.spaceId,
    settings: inLink(course, link).settings,
  };
}

/**
 * Refuses people that the roster has removed; their next launch makes them active again. People without a member record
 * are let through, because nothing is known about them. @throws NamedError "not-in-course"
 */
function refuseLeft(member: Pick<Member, "active"> | null): void {
  if (member?.active === false) throw notInCourse();
}

export function notInCourse(): NamedError {
  return refusal("not-in-course", { status: 403 });
}

/** Returns the Space URL of an entry with its parameters, not encoded. */
export function redirectUrlOf(
  app: { appUrlOf: (environment: Course["environment"]) => string },
  target: EntryTarget,
  spaceId: string,
): string {
  const { course, entry, settings } = target;
  return joinUrl({
    appUrl: app.appUrlOf(course.environment),
    spaceId,
    settings,
    role: classroomRoleOf(entry.role),
    locale: entry.locale,
    mobile: entry.mobile,
  });
}

/** Identifies a login's API user and Space URL, so a login that differs isn't used. Null while the user or the Space is missing. */
export function fingerprintNow(
  app: { appUrlOf: (environment: Course["environment"]) => string },
  target: EntryTarget,
): string | null {
  const { spaceId, person } = target;
  const user = person.apiUsers[classroomRoleOf(target.entry.role)];
  if (spaceId === null || user === null) return null;
  return fingerprintOf(target, user.id, redirectUrlOf(app, target, spaceId));
}

export function fingerprintOf(
  { course, entry }: Pick<EntryTarget, "course" | "entry">,
  apiUserId: string,
  redirectUrl: string,
): string {
  // The URL doesn't always show the role: the classroom knows it from the user, who may be the same in both roles.
  const parts = [course.environment, entry.role, apiUserId, redirectUrl];
  return secretDigest(parts.join("\n"));
}

type EntryStateTarget = {
  course: Course;
  link: CourseLink | null;
  member: Pick<Member, "sectionIds" | "sectionsTold" | "student" | "testUser"> | null;
  entry: Pick<Entry, "role">;
};

export type ClosedEntry = Extract<EntryState, { state: "closed" }>;

/** Returns whether this person may enter now. Reads nothing if the window is always open, as it usually is. */
export async function entryStateOf(
  app: Pick<App, "events" | "clock">,
  target: EntryStateTarget,
): Promise<EntryState> {
  const { course, link, member, entry } = target;
  const { settings, door: entryWindow } = inLink(course, link);
  const { events, oneSession } =
    entry.role === "instructor" || entryWindow.opens === "always"
      ? { events: [], oneSession: false }
      : await entryWindowEvents(app, course, link);
  const knowsSections = member !== null && (member.sectionsTold || member.sectionIds.length > 0);
  const sectionIds = knowsSections ? member.sectionIds : null;
  return entryStateAt({
    entryWindow,
    role: entry.role,
    staysOut: settings.guests === "out" && member !== null && !member.student && !member.testUser,
    sectionIds,
    events,
    oneSession,
    now: app.clock.now(),
  });
}

/** Returns the sessions around which a link's window opens: the link's, if it has any, otherwise its course's. */
export async function entryWindowEvents(
  app: Pick<App, "events" | "clock">,
  course: Course,
  link: CourseLink | null,
): Promise<{ events: EntryWindowEvent[]; oneSession: boolean }> {
  if (link?.choice.kind === "session") {
    const event = await app.events.find(course.environment, link.choice.eventId);
    return { events: event === null ? [] : [event], oneSession: true };
  }
  const now = app.clock.now();
  const around = { since: now - entryLookbackMs, until: now + maxMinutes * minuteMs };
  // Of another Space, only this course's sessions are known. Without any, the window is open.
  const inSpace = link?.choice.kind === "space" ? link.choice.spaceId : null;
  const events = await app.events.listForEntryWindow(course.id, around, inSpace);
  return { events, oneSession: false };
}
