import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { otherSpaceOf } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { withoutTrailingSlashes } from "../../kernel/text.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { coursesOfSpace } from "../courses/change-settings.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import { rightStateOf, spaceIdFrom, type SpaceRightState } from "./rules/space-right.ts";

/** Codes of the refusals after which pages offer instructors another Space. */
export const closedSpaceRefusals: readonly string[] = ["space-not-approved", "space-not-own"];

/**
 * Refuses a Space whatever settings, links, logins or sessions say. Checked at every entry, because the Space may have
 * been closed or forbidden since. @param spaceId Null for a Space still to be made. @throws NamedError
 * "space-not-approved" or "space-not-own"
 */
export async function refuseForeignSpace(
  app: Pick<App, "courses">,
  course: Pick<Course, "id" | "environment" | "ownSpacesOnly">,
  spaceId: string | null,
): Promise<void> {
  const rightState = spaceId === null ? "usable" : await app.courses.rightState(course, spaceId);
  if (rightState !== "usable") throw refusalOf(rightState);
}

function refusalOf(rightState: Exclude<SpaceRightState, "usable">): NamedError {
  if (rightState === "not-own") return refusal("space-not-own", { status: 403 });
  return refusal("space-not-approved", { status: 403 });
}

/** Whether an origin may be the classroom's. */
export type IsSpaceOrigin = (environment: Course["environment"], origin: string) => boolean;

/** The origin that the service named for the course's Space, unused because it isn't configured. Null for none. */
export async function originElsewhere(
  app: { courses: Pick<CourseStore, "spacesElsewhere">; isSpaceOrigin: IsSpaceOrigin },
  course: Pick<Course, "id" | "registrationId" | "environment">,
): Promise<string | null> {
  const unused = await app.courses.spacesElsewhere(course);
  return unused.find(({ origin }) => !app.isSpaceOrigin(course.environment, origin))?.origin ?? null;
}

/** The Space that an instructor chose for a link. Null for the course's own. */
export async function spaceOfLink(
  app: Pick<App, "courseLinks">,
  course: Course,
  courseLinkId: string | null,
): Promise<string | null> {
  if (courseLinkId === null) return null;
  const link = await app.courseLinks.find(courseLinkId);
  return link?.courseId === course.id ? otherSpaceOf(link.choice) : null;
}

/** Whether a course or a link uses a Space, or did: people may still be there. */
export type KnownSpaces = (environment: AccountId, spaceId: string) => Promise<boolean>;

/** Asks once per Space, because webhooks processed together are usually about the same few. */
export function knownSpaces({ courses, courseLinks }: Pick<App, "courses" | "courseLinks">): KnownSpaces {
  const known = new Map<string, Promise<boolean>>();
  const isUsed = async (environment: AccountId, spaceId: string) =>
    (await courses.findBySpace(environment, spaceId)).length > 0 ||
    (await coursesOfSpace({ courses, courseLinks }, environment, spaceId)).length > 0;
  return (environment, spaceId) => {
    const key = JSON.stringify([environment, spaceId]);
    const found = known.get(key) ?? isUsed(environment, spaceId);
    known.set(key, found);
    return found;
  };
}

/** What judging and deciding which Spaces a course may use needs. */
export type SpacesApp = Pick<App, "courses" | "courseLinks" | "members" | "people"> &
  Pick<App, "appUrlOf" | "clock" | "ids"> &
  Pick<App, "spaceRegister" | "spaceRequests" | "courseAudit">;

/** Refusals of a Space that an instructor named. They choose another one or wait. */
export const spaceRefusals: readonly string[] = [
  "space-needs-approval",
  "space-requests-full",
  "own-spaces-only",
];

/** A Space that an instructor may choose, from another course of theirs. */
export type KnownSpace = { spaceId: string; course: Course };

/** Through another course, or by its own right (null). */
type Proof = { throughCourseId: string | null };

/**
 * Checks a Space that an instructor named by address or id. People enter through a link, and instructors enter as hosts, so the course must
 * have a right, or the instructor must be a host of the Space in another course. Any other Space is refused in the same words, even if it
 * doesn't exist, and a request is recorded, unless the institution allows only Spaces made for its courses.
 * @throws NamedError "space-unreadable", "space-needs-approval", "space-requests-full" or "own-spaces-only"
 */
export async function checkSpace(
  app: SpacesApp,
  course: Course,
  personId: string,
  typed: string,
): Promise<{ spaceId: string } & Proof> {
  const spaceId = readSpaceId(app, course, typed);
  const proof = await proofOf(app, course, personId, spaceId);
  if (proof !== null) return { spaceId, ...proof };
  return refuseAndAsk(app, course, personId, spaceId);
}

/** Checks a Space to use now. A right proven through another course is recorded. @throws the errors of {@link checkSpace} */
export async function usableSpace(app: SpacesApp, course: Course, personId: string, typed: string) {
  const { spaceId, throughCourseId } = await checkSpace(app, course, personId, typed);
  if (throughCourseId === null) return spaceId;
  const given = await app.spaceRegister.allow(course, spaceId, { throughCourseId }, app.clock.now());
  return given === "allowed" ? spaceId : refuseAndAsk(app, course, personId, spaceId);
}

function readSpaceId(app: Pick<SpacesApp, "appUrlOf">, course: Course, typed: string): string {
  const appUrl = app.appUrlOf(course.environment);
  const spaceId = spaceIdFrom(typed, appUrl);
  if (spaceId !== null) return spaceId;
  throw refusal("space-unreadable", { values: { address: withoutTrailingSlashes(appUrl) }, status: 422 });
}

/** Records a request if it could be granted. */
async function refuseAndAsk(
  app: SpacesApp,
  course: Course,
  personId: string,
  spaceId: string,
): Promise<never> {
  if (course.ownSpacesOnly === true) throw refusal("own-spaces-only", { status: 422 });
  const { id: courseId, registrationId, environment } = course;
  const asked = await app.spaceRequests.ask({
    id: app.ids.id("srq"),
    registrationId,
    courseId,
    personId,
    environment,
    spaceId,
    askedAt: app.clock.now(),
  });
  if (asked === "asked")
    await writeCourseAudit(app, course, personId, { what: "space-asked", after: spaceId });
  if (asked === "full") throw refusal("space-requests-full", { status: 422 });
  throw refusal("space-needs-approval", { status: 422 });
}

/** Null if the course may not have the Space. */
async function proofOf(
  app: SpacesApp,
  course: Course,
  personId: string,
  spaceId: string,
): Promise<Proof | null> {
  if (await app.courses.mayUse(course, spaceId)) return { throughCourseId: null };
  const { environment, registrationId } = course;
  if ((await app.spaceRegister.find({ environment, spaceId }))?.closed !== null) return null;
  for (const right of await app.spaceRegister.rightsTo([{ environment, spaceId }])) {
    if (right.registrationId !== registrationId) continue;
    if (rightStateOf(right, course) !== "usable") continue;
    const other = await app.courses.find(right.courseId);
    if (other === null || other.deploymentId !== course.deploymentId) continue;
    if ((await usesNow(app, other, spaceId)) && (await hostsIn(app, other, personId)))
      return { throughCourseId: other.id };
  }
  return null;
}

async function usesNow({ courseLinks }: Pick<SpacesApp, "courseLinks">, course: Course, spaceId: string) {
  if (course.spaceId === spaceId) return true;
  return (await courseLinks.coursesOpening(course.registrationId, [course.id], spaceId)).length > 0;
}

/**
 * Whether a person entered a course as an instructor and still is one: by a launch, not only by a roster, and no roster has contradicted it.
 * Only another launch shows whether Moodle's non-editing teacher was made a student.
 */
async function hostsIn({ members }: Pick<SpacesApp, "members">, course: Course, personId: string) {
  const member = await members.find(course.registrationId, course.id, personId);
  if (member?.role !== "instructor" || member.roleFrom !== "launch" || !member.active) return false;
  return member.lastLaunchAt !== null && member.lastLaunchAt >= (member.sessionsFrom ?? 0);
}

/** Spaces of a person's other courses in this deployment, if that proves a right. */
export async function provenSpaces(app: SpacesApp, course: Course, personId: string): Promise<KnownSpace[]> {
  const found: KnownSpace[] = [];
  for (const member of await app.members.listOfPerson(course.registrationId, personId)) {
    if (member.courseId === course.id || member.role !== "instructor" || !member.active) continue;
    const other = await app.courses.find(member.courseId);
    if (other?.spaceId == null || other.environment !== course.environment) continue;
    if (other.spaceId === course.spaceId || other.deploymentId !== course.deploymentId) continue;
    if ((await proofOf(app, course, personId, other.spaceId)) !== null)
      found.push({ spaceId: other.spaceId, course: other });
  }
  return found.sort((a, b) => a.course.title.localeCompare(b.course.title));
}
