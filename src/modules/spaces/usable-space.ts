import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { rightStateOf, spaceIdFrom } from "./rules/space-right.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { withoutTrailingSlashes } from "../../kernel/text.ts";

type ProveSpaceDeps = Pick<App, "courses" | "courseLinks" | "members" | "spaceRegister">;

export type UsableSpaceDeps = ProveSpaceDeps &
  CourseAuditDeps &
  Pick<App, "spaceRequests"> & {
    appUrlOf: (environment: Course["environment"]) => string;
  };

/** Refusals of a Space that an instructor named; they choose another or wait. */
export const spaceRefusals: readonly string[] = [
  "space-needs-approval",
  "space-requests-full",
  "own-spaces-only",
];

/** A Space an instructor may choose: of another course of theirs. */
export type KnownSpace = { spaceId: string; course: Course };

/** Through another course, or by its own right (null). */
type Proof = { throughCourseId: string | null };

/**
 * Checks a Space that an instructor named by address or id. People enter through a link, and instructors as hosts, so
 * the course must have a right or the instructor must be its host in another course. Any other Space is refused in the
 * same words, whoever has it or even if it does not exist, and a request is recorded, except where the institution
 * allows only Spaces made for its courses.
 * @throws NamedError "space-unreadable", "space-needs-approval", "space-requests-full" or "own-spaces-only"
 */
export async function lookAtSpace(
  deps: UsableSpaceDeps,
  course: Course,
  personId: string,
  typed: string,
): Promise<{ spaceId: string } & Proof> {
  const spaceId = readSpaceId(deps, course, typed);
  const proof = await proofOf(deps, course, personId, spaceId);
  if (proof !== null) return { spaceId, ...proof };
  return refuseAndAsk(deps, course, personId, spaceId);
}

/** To use now; a right proven through another course is recorded. @throws those of {@link lookAtSpace} */
export async function usableSpace(
  deps: UsableSpaceDeps,
  course: Course,
  personId: string,
  typed: string,
): Promise<string> {
  const { spaceId, throughCourseId } = await lookAtSpace(deps, course, personId, typed);
  if (throughCourseId === null) return spaceId;
  const given = await deps.spaceRegister.allow(course, spaceId, { throughCourseId }, deps.clock.now());
  return given === "allowed" ? spaceId : refuseAndAsk(deps, course, personId, spaceId);
}

function readSpaceId(deps: Pick<UsableSpaceDeps, "appUrlOf">, course: Course, typed: string): string {
  const appUrl = deps.appUrlOf(course.environment);
  const spaceId = spaceIdFrom(typed, appUrl);
  if (spaceId !== null) return spaceId;
  throw refusal("space-unreadable", { values: { address: withoutTrailingSlashes(appUrl) }, status: 422 });
}

/** Records a request where it could be granted. */
async function refuseAndAsk(
  deps: UsableSpaceDeps,
  course: Course,
  personId: string,
  spaceId: string,
): Promise<never> {
  if (course.ownSpacesOnly === true) {
    throw refusal("own-spaces-only", { status: 422 });
  }
  const { id: courseId, registrationId, environment } = course;
  const asked = await deps.spaceRequests.ask({
    ...{ id: deps.ids.id("srq"), registrationId, courseId, personId, environment, spaceId },
    askedAt: deps.clock.now(),
  });
  if (asked === "asked")
    await writeCourseAudit(deps, course, personId, { what: "space-asked", after: spaceId });
  if (asked === "full") {
    throw refusal("space-requests-full", { status: 422 });
  }
  throw refusal("space-needs-approval", { status: 422 });
}

/** Null when the course may not have the Space. */
async function proofOf(
  deps: ProveSpaceDeps,
  course: Course,
  personId: string,
  spaceId: string,
): Promise<Proof | null> {
  if (await deps.courses.mayUse(course, spaceId)) return { throughCourseId: null };
  const { environment, registrationId } = course;
  if ((await deps.spaceRegister.find({ environment, spaceId }))?.closed !== null) return null;
  for (const right of await deps.spaceRegister.rightsTo({ environment, spaceId })) {
    if (right.registrationId !== registrationId) continue;
    if (rightStateOf(right, course) !== "usable") continue;
    const other = await deps.courses.find(right.courseId);
    if (other === null || other.deploymentId !== course.deploymentId) continue;
    if ((await usesNow(deps, other, spaceId)) && (await hostsIn(deps, other, personId)))
      return { throughCourseId: other.id };
  }
  return null;
}

async function usesNow(
  { courseLinks }: Pick<ProveSpaceDeps, "courseLinks">,
  course: Course,
  spaceId: string,
): Promise<boolean> {
  if (course.spaceId === spaceId) return true;
  return (await courseLinks.coursesOpening(course.registrationId, [course.id], spaceId)).length > 0;
}

/**
 * Whether a person entered a course as an instructor and still is one: by a launch, not only a roster, and no roster
 * has contradicted it. Only another launch tells Moodle's non-editing teacher from a person made a student.
 */
async function hostsIn(
  { members }: Pick<ProveSpaceDeps, "members">,
  course: Course,
  personId: string,
): Promise<boolean> {
  const member = await members.find(course.registrationId, course.id, personId);
  if (member?.role !== "instructor" || member.roleFrom !== "launch" || !member.active) return false;
  return member.lastLaunchAt !== null && member.lastLaunchAt >= (member.sessionsFrom ?? 0);
}

/** Spaces of a person's other courses in this deployment, where that proves a right. */
export async function knownSpaces(
  deps: ProveSpaceDeps,
  course: Course,
  personId: string,
): Promise<KnownSpace[]> {
  const found: KnownSpace[] = [];
  for (const member of await deps.members.listOfPerson(course.registrationId, personId)) {
    if (member.courseId === course.id || member.role !== "instructor" || !member.active) continue;
    const other = await deps.courses.find(member.courseId);
    if (other?.spaceId == null || other.environment !== course.environment) continue;
    if (other.spaceId === course.spaceId || other.deploymentId !== course.deploymentId) continue;
    if ((await proofOf(deps, course, personId, other.spaceId)) !== null)
      found.push({ spaceId: other.spaceId, course: other });
  }
  return found.sort((a, b) => a.course.title.localeCompare(b.course.title));
}
