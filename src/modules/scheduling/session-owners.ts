import { maxSessions, type SessionsApp } from "./list-sessions.ts";
import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { SectionLink } from "../cohorts/rules/cohort.ts";
import { memberSlices } from "../members/sections.ts";
import { coursesOpening } from "../courses/change-settings.ts";
import { isForSections, type PlannedSession } from "./rules/course-session.ts";

/** What assigning events to courses and sections needs. */
export type EventsApp = SessionsApp &
  Pick<
    App,
    "clock" | "courseLinks" | "courses" | "sectionLinks" | "unassignedEvents" | "whileSessionsChange"
  >;

type Seen = Pick<ClassroomEvent, "environment" | "eventId" | "spaceId" | "startsAt">;

type Known = {
  plan: PlannedSession | null;
  known: ClassroomEvent | null;
  links: readonly Pick<SectionLink, "courseId">[];
};

/**
 * An event belongs to the course that an instructor named, or that planned it, or that its Space belongs to: the owner or the only course with
 * a link to it. If several courses qualify, it belongs to none, unless only one of them has a section linked to a cohort of the event. A
 * course keeps its sessions when another course links the Space later.
 * @returns `isClaimed`: an instructor assigned it, and may take that back at any moment.
 */
export async function courseOfEvent(app: EventsApp, event: Seen, { plan, known, links }: Known) {
  const { environment, eventId, spaceId } = event;
  const claimed = known === null ? null : await app.unassignedEvents.courseOf(environment, eventId);
  if (claimed !== null) return { courseId: claimed, isClaimed: true };
  if (plan !== null && (spaceId === null || spaceId === plan.spaceId))
    return { courseId: plan.courseId, isClaimed: false };
  const courseId = spaceId === null ? null : await courseOfSpace(app, { ...event, spaceId }, known, links);
  return { courseId, isClaimed: false };
}

async function courseOfSpace(
  app: EventsApp,
  event: Seen & { spaceId: string },
  known: ClassroomEvent | null,
  links: Known["links"],
): Promise<Course["id"] | null> {
  const { environment, spaceId } = event;
  const before = known?.courseId ?? null;
  if (before !== null && isOwnSpace(app, event, known)) return before;
  const owners = (await app.courses.findBySpace(environment, spaceId)).map(({ id }) => id);
  const linked = (await coursesOpening(app, environment, spaceId)).map(({ id }) => id);
  if (before !== null && [...owners, ...linked].includes(before)) return before;
  const courseIds = new Set([...owners, ...linked]);
  const byCohort = new Set(links.flatMap(({ courseId }) => (courseIds.has(courseId) ? [courseId] : [])));
  if (byCohort.size === 1) return [...byCohort][0] ?? null;
  const [owner] = owners;
  const [only = null] = linked.length === 1 ? linked : [];
  return owner ?? only;
}

/** A session that has begun stays with the course that opened its Space at that time. */
function isOwnSpace({ clock }: Pick<EventsApp, "clock">, event: Seen, known: ClassroomEvent | null) {
  return known?.spaceId === event.spaceId && event.startsAt !== null && event.startsAt <= clock.now();
}

export async function linksOfEvent(
  app: Pick<App, "sectionLinks">,
  { environment, cohortIds }: Pick<ClassroomEvent, "environment" | "cohortIds">,
): Promise<SectionLink[]> {
  return cohortIds == null ? [] : app.sectionLinks.listOfCohorts(environment, cohortIds);
}

/** The course's sections among these links, sorted. Empty if the event is for the whole course. */
export function sectionsOfCourse(links: readonly SectionLink[], courseId: string | null): string[] {
  const own = links.filter((link) => link.courseId === courseId);
  return [...new Set(own.map(({ lmsSectionId }) => lmsSectionId))].sort();
}

/** Call it after a link with a cohort was made or ended: the cohort's sessions become the section's, or the course's. */
export async function assignEventsAgain(
  app: Pick<App, "events" | "sectionLinks" | "whileSessionsChange">,
  course: Pick<Course, "id" | "registrationId">,
  cohortId: string,
): Promise<void> {
  const events = await app.events.listOfCourse(course.id, maxSessions);
  const concerned = events.filter(({ cohortIds }) => cohortIds?.includes(cohortId));
  if (concerned.length === 0) return;
  await app.whileSessionsChange(course, async () => {
    for (const event of concerned) {
      const sectionIds = sectionsOfCourse(await linksOfEvent(app, event), course.id);
      await app.events.setSections(event.environment, event.eventId, sectionIds);
    }
  });
}

/** A Space that a link opens instead of the course's own, and the course of the same LMS that owns it. */
export type LinkedSpace = { spaceId: string; ofCourse: Course | null };

export async function linkedSpaces(app: Pick<App, "courseLinks" | "courses">, course: Course) {
  const { registrationId, deploymentId, environment } = course;
  const links = await app.courseLinks.listOfCourse(registrationId, course.id);
  const chosen = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const ids = await app.courses.usableOf(course, chosen);
  if (course.spaceId !== null) ids.delete(course.spaceId);
  return Promise.all(
    [...ids].map(async (spaceId) => {
      const owners = await app.courses.findBySpace(environment, spaceId);
      const ours = owners.find(
        (owner) => owner.registrationId === registrationId && owner.deploymentId === deploymentId,
      );
      return { spaceId, ofCourse: ours ?? null };
    }),
  );
}

/** Further people aren't named, but may still enter. */
const maxPeople = 2_000;

/** People with a classroom user. For a session of some sections, people of unknown sections aren't named. */
export async function invitedPeople(
  app: Pick<App, "members" | "people">,
  plan: Pick<PlannedSession, "registrationId" | "courseId" | "sectionIds" | "hostPersonId">,
): Promise<{ hostUserId: string | null; attendeeUserIds: string[] }> {
  const { registrationId, courseId, hostPersonId } = plan;
  const sectionIds = plan.sectionIds ?? [];
  const attendeeUserIds: string[] = [];
  for await (const members of memberSlices(app, { registrationId, courseId })) {
    const invited = members.filter(
      (member) =>
        member.active && member.role === "learner" && isForSections({ sectionIds }, member.sectionIds),
    );
    const people = await app.people.findMany(invited.map(({ personId }) => personId));
    attendeeUserIds.push(...people.flatMap(({ apiUsers }) => apiUsers.participant?.id ?? []));
    if (attendeeUserIds.length >= maxPeople) break;
  }
  const host = hostPersonId === null ? null : await app.people.find(hostPersonId);
  return {
    hostUserId: host?.apiUsers.host?.id ?? null,
    attendeeUserIds: attendeeUserIds.slice(0, maxPeople),
  };
}

/** Cohorts linked to a plan's sections. If one section has no cohort, none is named, or the session would exclude people. */
export async function invitedCohorts(
  app: Pick<App, "sectionLinks">,
  plan: Pick<PlannedSession, "registrationId" | "courseId" | "sectionIds" | "environment">,
): Promise<{ cohortIds?: string[] }> {
  const sectionIds = plan.sectionIds ?? [];
  if (sectionIds.length === 0) return {};
  const links = await app.sectionLinks.listLinked(plan.registrationId, plan.courseId);
  const cohorts = sectionIds.map(
    (sectionId) =>
      links.find((link) => link.lmsSectionId === sectionId && link.environment === plan.environment)
        ?.cohortId,
  );
  const cohortIds = cohorts.filter((cohortId) => cohortId !== undefined);
  return cohortIds.length < cohorts.length ? {} : { cohortIds: [...new Set(cohortIds)] };
}
