import type { App } from "../../app.ts";
import { userIdsOf, usersOf, personName } from "../../domain/person.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { byId, compareText } from "../../kernel/lists.ts";
import { whoAttended } from "../attendance/record-attendance.ts";
import { auditedPerson, writeCourseAudit } from "../audit/audit.ts";
import { cohortRecordId } from "../cohorts/rules/cohort.ts";
import { memberSlices } from "../members/sections.ts";
import type { UserMatch } from "./rules/records.ts";

type AnsweringApp = Pick<App, "events" | "members" | "people" | "unassignedEvents" | "userMatches"> &
  Pick<App, "courseAudit" | "clock" | "ids" | "wake">;

/** "has-another": the person already has a user, and nobody confirmed. */
type MatchedUser =
  | { kind: "matched"; match: UserMatch; person: Person }
  | { kind: "has-another"; person: Person };

/**
 * Matches a classroom user with a member, also for earlier reports. A matched user lets nobody in.
 * @param request.confirmed Although the person already has a user. @throws NamedError "learner-unknown", "user-matched-already"
 */
export async function matchUser(
  app: AnsweringApp,
  course: Course,
  actor: string,
  request: { userId: string; personId: string; confirmed: boolean },
): Promise<MatchedUser> {
  const { registrationId, deploymentId, environment } = course;
  const { userId, personId } = request;
  const person = await app.people.find(personId);
  const member = await app.members.find(registrationId, course.id, personId);
  if (person === null || member === null) throw refusal("learner-unknown", { status: 404 });
  if ((await whoAttended(app, course, environment, userId)) !== null) throw matchedAlready();
  const others = await app.userMatches.listOfPerson(registrationId, personId);
  if (!request.confirmed && (usersOf(person).length > 0 || others.length > 0))
    return { kind: "has-another", person };
  const at = app.clock.now();
  const match = {
    id: app.ids.id("mat"),
    registrationId,
    deploymentId,
    environment,
    userId,
    personId,
    courseId: course.id,
    by: actor,
    at,
  };
  if (!(await app.userMatches.insert(match))) throw matchedAlready();
  app.wake("matches");
  await writeCourseAudit(app, course, actor, {
    what: "person-matched",
    on: auditedPerson(person),
    after: userId,
  });
  return { kind: "matched", match: { ...match, state: "holds" }, person };
}

/** Takes a match back: its attendance leaves the course. @returns the person, or null if there is no such match. */
export async function undoMatch(app: AnsweringApp, course: Course, actor: string, matchId: string) {
  const match = await app.userMatches.findById(matchId);
  if (match === null || match.courseId !== course.id || match.state !== "holds") return null;
  if (!(await app.userMatches.undo(match.id, app.clock.now()))) return null;
  app.wake("matches");
  const person = await app.people.find(match.personId);
  await writeCourseAudit(app, course, actor, {
    what: "person-match-undone",
    on: person === null ? null : auditedPerson(person),
    before: match.userId,
  });
  return person;
}

function matchedAlready(): NamedError {
  return refusal("user-matched-already", { status: 409 });
}

/**
 * Answers an event without a course: "ours" makes it a session of this course, including earlier reports, "not-ours" hides it here, and "open"
 * lists it again.
 * @returns false if it wasn't offered to this course, or belongs to a course by now.
 */
export async function answerEvent(
  app: AnsweringApp,
  course: Course,
  actor: string,
  eventId: string,
  answer: "ours" | "not-ours" | "open",
): Promise<boolean> {
  const key = keyOf(course, eventId);
  if ((await app.unassignedEvents.find(key)) === null) return false;
  const event = await app.events.find(course.environment, eventId);
  if (answer === "ours" && event !== null && event.courseId !== null && event.courseId !== course.id)
    return false;
  if (!(await app.unassignedEvents.answer(key, answer, { by: actor, at: app.clock.now() }))) return false;
  if (answer !== "ours") return true;
  app.wake("matches");
  await writeCourseAudit(app, course, actor, { what: "event-matched", session: sessionOf(eventId, event) });
  return true;
}

/** Takes "ours" back: attendance leaves the course, and grades follow. @returns false if it isn't "ours" (any more). */
export async function undoEvent(app: AnsweringApp, course: Course, actor: string, eventId: string) {
  const decision = { by: actor, at: app.clock.now() };
  if (!(await app.unassignedEvents.undo(keyOf(course, eventId), decision))) return false;
  app.wake("matches");
  const event = await app.events.find(course.environment, eventId);
  await writeCourseAudit(app, course, actor, {
    what: "event-match-undone",
    session: sessionOf(eventId, event),
  });
  return true;
}

function keyOf({ registrationId, id: courseId, environment }: Course, eventId: string) {
  return { registrationId, courseId, environment, eventId };
}

function sessionOf(eventId: string, event: ClassroomEvent | null) {
  return { eventId, title: event?.title ?? null, startsAt: event?.startsAt ?? null };
}

export type Choosable = {
  personId: string;
  name: string;
  hasUser: boolean;
  /** The classroom's ids of their users. */
  userIds: readonly string[];
  /** The LMS's ids of their sections. */
  sectionIds: readonly string[];
};

/** Nobody would look through a longer list. */
const maxMembers = 3_000;

/** Members that an unmatched user may be: those without a classroom user first, then by name. */
export async function choosableMembers(
  app: Pick<App, "members" | "people">,
  course: Pick<Course, "id" | "registrationId">,
): Promise<Choosable[]> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const found: Choosable[] = [];
  for await (const members of memberSlices(app, key)) {
    const ids = members.map(({ personId }) => personId);
    const people = byId(await app.people.findMany(ids));
    for (const { personId, role, sectionIds } of members) {
      const person = people.get(personId);
      if (person === undefined) continue;
      found.push({
        personId,
        name: personName(person, role),
        hasUser: usersOf(person).length > 0,
        userIds: userIdsOf(person),
        sectionIds,
      });
    }
    if (found.length >= maxMembers) break;
  }
  return found.sort(
    (one, other) =>
      Number(one.hasUser) - Number(other.hasUser) ||
      one.name.localeCompare(other.name) ||
      compareText(one.personId, other.personId),
  );
}

/** Sections, by linked cohorts, of users and events of the classroom. Empty for none. */
export type LinkedSections = {
  ofUser: (userId: string) => string[];
  ofCohorts: (cohortIds: readonly string[]) => string[];
};

/** Sections by the cohorts linked to them. Being in one doesn't match a user. */
export async function linkedSections(
  app: Pick<App, "cohorts" | "sectionLinks">,
  { registrationId, id }: Pick<Course, "id" | "registrationId">,
): Promise<LinkedSections> {
  const links = await app.sectionLinks.listLinked(registrationId, id);
  const cohorts = await app.cohorts.findMany([...new Set(links.map(cohortRecordId))]);
  const people = new Map(
    cohorts.map(({ id: cohort, attendees, organizers }) => [
      cohort,
      new Set([...(attendees ?? []), ...(organizers ?? [])].map(({ userId }) => userId)),
    ]),
  );
  return {
    ofUser: (userId) =>
      links
        .filter((link) => people.get(cohortRecordId(link))?.has(userId) === true)
        .map(({ lmsSectionId }) => lmsSectionId),
    ofCohorts: (cohortIds) =>
      links.filter(({ cohortId }) => cohortIds.includes(cohortId)).map(({ lmsSectionId }) => lmsSectionId),
  };
}
