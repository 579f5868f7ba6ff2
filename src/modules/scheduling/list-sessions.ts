import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import {
  countedTo,
  type CourseSession,
  isForSections,
  type OwnFacts,
  type PlannedSession,
} from "./rules/course-session.ts";

export type SessionsApp = Pick<App, "events" | "sessionPlans">;

/** The most sessions of a course in a list. All lists read as many, so a page reads them once. */
export const maxSessions = 2_000;

/**
 * Lists sessions latest first, those without a time last. Includes cancelled sessions, and planned ones once they are made. Sessions with
 * `counts` false stay out of every grade.
 */
export async function listSessions(app: SessionsApp, course: Pick<Course, "id" | "countsFrom">) {
  return (await eventsWithPlans(app, course))
    .map(({ event, plan }) => sessionOf(event, plan))
    .map((session) => (isOfEarlierTerm(course, session) ? { ...session, counts: false } : session));
}

/** Latest first, those without a time last. */
export async function eventsWithPlans(app: SessionsApp, { id }: Pick<Course, "id">) {
  const [events, plans] = await Promise.all([
    app.events.listOfCourse(id, maxSessions),
    app.sessionPlans.listOfCourse(id, maxSessions),
  ]);
  const planOf = new Map(plans.map((plan) => [plan.eventId, plan]));
  return events.map((event) => ({ event, plan: planOf.get(event.eventId) ?? null }));
}

export function isOfEarlierTerm(
  { countsFrom = null }: Pick<Course, "countsFrom">,
  { startsAt }: Pick<CourseSession, "startsAt">,
): boolean {
  return countsFrom !== null && startsAt !== null && startsAt < countsFrom;
}

/** Why sessions stay out of every grade, by id: an instructor left them out, or they belong to an earlier term. */
export async function uncountedSessions(app: SessionsApp, course: Pick<Course, "id" | "countsFrom">) {
  const [left, cancelled] = await Promise.all([
    app.sessionPlans.listUncounted(course.id),
    app.events.listCancelledHere(course.id),
  ]);
  const uncounted = new Map<string, "left-out" | "earlier-term">();
  for (const eventId of [...left, ...cancelled]) uncounted.set(eventId, "left-out");
  if ((course.countsFrom ?? null) === null) return uncounted;
  for (const event of await app.events.listOfCourse(course.id, maxSessions))
    if (isOfEarlierTerm(course, event)) uncounted.set(event.eventId, "earlier-term");
  return uncounted;
}

export function sessionOf(
  event: ClassroomEvent,
  plan: (OwnFacts & Pick<PlannedSession, "seriesId" | "title">) | null,
): CourseSession {
  const { eventId, title, startsAt, endsAt, cancelled, sectionIds } = event;
  return {
    eventId,
    title: plan?.shownTitle ?? title ?? (plan?.title || null),
    startsAt,
    endsAt,
    cancelled,
    // An instructor's choice of sections takes precedence over the event's cohorts.
    sectionIds: plan?.sectionIds ?? sectionIds ?? [],
    seriesId: plan?.seriesId ?? null,
    counts: countsOf(event, plan),
    ...exceptionsOf(event, plan),
  };
}

function countsOf({ cancelledHere }: ClassroomEvent, plan: Pick<OwnFacts, "counts"> | null): boolean {
  return cancelledHere !== true && (plan?.counts ?? true);
}

/** Only includes the exceptions that apply. */
function exceptionsOf(event: ClassroomEvent, plan: OwnFacts | null) {
  const { deleted, ours, cancelledHere } = event;
  const countsTo = countedTo(event, plan);
  return {
    ...(cancelledHere === true ? { cancelledHere } : {}),
    ...(deleted === true ? { deleted } : {}),
    ...(ours === true ? { ours } : {}),
    ...(plan?.keepsMarks === true ? { keepsMarks: true } : {}),
    ...(countsTo === undefined ? {} : { countsTo }),
  };
}

/** Instructors see all sessions. Learners see those of their sections, or all while their sections are unknown, so they miss none. */
export function isForMember(
  session: Pick<CourseSession, "sectionIds">,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): boolean {
  if (member.role === "instructor") return true;
  if (member.sectionIds.length === 0 && !member.sectionsTold) return true;
  return isForSections(session, member.sectionIds);
}
