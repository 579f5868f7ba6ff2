import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { isAdmitted } from "../registration/registrations.ts";
import { knownSpaces, spaceOfLink } from "../spaces/space-rights.ts";
import { giveBackTry, spendTry } from "./give-feedback.ts";
import { type Attribution, type Occasion, occasionOf } from "./rules/feedback.ts";
import { dayMs } from "../../kernel/clock.ts";

/** What finding the visit that a person comes from needs. */
type FindVisitApp = Pick<App, "courses" | "courseLinks" | "deployments" | "events"> &
  Pick<App, "members" | "people" | "registrations" | "clock">;

/** A person's time in the Space of a course. */
export type Visit = { course: Course; member: Member; occasion: Occasion; sessionId: string | null };

/**
 * Finds whose visit an end-of-session address means: that of a member of a course with this Space. If there are several courses, the one
 * opened last.
 * @returns null if Space and user don't match, whichever is wrong.
 */
export async function findVisit(
  app: FindVisitApp,
  environment: AccountId,
  attribution: Attribution,
): Promise<Visit | null> {
  const { spaceId, userId, eventId, sessionId } = attribution;
  if (spaceId === null || userId === null) return null;
  const people = await app.people.listByApiUser(environment, userId);
  const found = await Promise.all(people.map(({ person }) => placesOf(app, person, environment, spaceId)));
  const latestFirst = found.flat().sort((one, other) => launchedAt(other) - launchedAt(one));
  for (const { course, member } of latestFirst) {
    if (!(await isAdmitted(app, course))) continue;
    const occasion = await occasionIn(app, course, spaceId, eventId);
    return { course, member, occasion, sessionId };
  }
  return null;
}

const launchedAt = ({ member }: Pick<Visit, "member">) => member.lastLaunchAt ?? 0;

/**
 * Finds the visit of a person known from a launch.
 * @param attribution What the classroom's redirect added on its way to our page. Only counts for the same Space.
 * @returns null if they aren't in the course any more, or it has no Space.
 */
export async function visitOfLaunch(
  app: FindVisitApp,
  launched: { registrationId: string; courseId: string; personId: string; courseLinkId: string | null },
  attribution: Attribution,
): Promise<Visit | null> {
  const course = await app.courses.find(launched.courseId);
  const member = await app.members.find(launched.registrationId, launched.courseId, launched.personId);
  if (course === null || member?.active !== true) return null;
  const spaceId = (await spaceOfLink(app, course, launched.courseLinkId)) ?? course.spaceId;
  if (spaceId === null) return null;
  const { eventId, sessionId } = attribution.spaceId === spaceId ? attribution : nothingReported;
  const occasion = await occasionIn(app, course, spaceId, eventId);
  return { course, member, occasion, sessionId };
}

/** A person's courses that own this Space or have a link to it. */
async function placesOf(
  app: FindVisitApp,
  person: Person,
  environment: AccountId,
  spaceId: string,
): Promise<Pick<Visit, "course" | "member">[]> {
  const { registrationId } = person;
  const members = (await app.members.listOfPerson(registrationId, person.id)).filter(({ active }) => active);
  const courseIds = members.map(({ courseId }) => courseId);
  const owners = (await app.courses.findBySpace(environment, spaceId)).map(({ id }) => id);
  const opening = new Set([
    ...owners,
    ...(await app.courseLinks.coursesOpening(registrationId, courseIds, spaceId)),
  ]);
  const places = await Promise.all(
    members
      .filter(({ courseId }) => opening.has(courseId))
      .map(async (member) => ({ member, course: await app.courses.find(member.courseId) })),
  );
  return places.flatMap(({ member, course }) =>
    course?.environment === environment ? [{ member, course }] : [],
  );
}

const nothingReported = { eventId: null, sessionId: null };

async function occasionIn(app: FindVisitApp, course: Course, spaceId: string, eventId: string | null) {
  const now = app.clock.now();
  const latest = await app.events.listBetween(course.id, now - dayMs, now + dayMs);
  const named = eventId === null ? null : await app.events.find(course.environment, eventId);
  const known = named === null ? latest : [named, ...latest];
  return occasionOf(spaceId, eventId, known, now, course.timeZone);
}

/** A whole school may share one address, so a class of a thousand must get through. */
const maxMisses = 1_500;

/**
 * Like `findVisit`, for an address that could be typed by hand: after too many misses from one place every answer is null, so ids can't be
 * guessed. A Space of no course can't be hit, so trying one doesn't count.
 * @param from Where the request comes from, as a digest.
 */
export async function findVisitByAttribution(
  app: FindVisitApp & Pick<App, "feedback" | "clock">,
  environment: AccountId,
  attribution: Attribution,
  from: string,
): Promise<Visit | null> {
  if (attribution.spaceId === null || attribution.userId === null) return null;
  if (!(await knownSpaces(app)(environment, attribution.spaceId))) return null;
  // Counted before the outcome is known, because simultaneous attempts would each still find one left.
  const what = `wrong ${from}`;
  const spent = await spendTry(app, what, maxMisses);
  if (!spent) return null;
  const visit = await findVisit(app, environment, attribution);
  if (visit !== null) await giveBackTry(app, what);
  return visit;
}
