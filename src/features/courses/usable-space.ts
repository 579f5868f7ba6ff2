import type { Course } from "../../domain/course.ts";
import { spaceIdFrom } from "../../domain/space-address.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { MemberStore } from "../../storage/member-store.ts";

export type UsableSpaceDeps = {
  courses: CourseStore;
  members: MemberStore;
  appUrlOf: (environment: Course["environment"]) => string;
};

/** A Space that an instructor may choose from a list: of another course of theirs. */
export type KnownSpace = { spaceId: string; course: Course };

/**
 * The id of the Space that an instructor named by its address or id. A Space of a course in which they do not
 * teach is refused: whoever comes through a link enters it, and instructors enter it as hosts.
 * @throws NamedError "space-unreadable" or "space-of-others"
 */
export async function usableSpace(
  deps: UsableSpaceDeps,
  course: Course,
  personId: string,
  typed: string,
): Promise<string> {
  const appUrl = deps.appUrlOf(course.environment);
  const spaceId = spaceIdFrom(typed, appUrl);
  if (spaceId === null) {
    throw new NamedError(
      "space-unreadable",
      `This is no address of a Space. Paste one that begins with ${appUrl.replace(/\/+$/, "")}/spaces/, or the id that follows it.`,
      { status: 422 },
    );
  }
  const owners = await deps.courses.findBySpace(course.environment, spaceId);
  if (owners.length > 0 && !(await teachesInOne(deps, course, owners, personId))) throw spaceOfOthers();
  return spaceId;
}

/** The refusal of a Space that other people's course has. */
export function spaceOfOthers(): NamedError {
  return new NamedError(
    "space-of-others",
    "This Space belongs to a course in which you are not an instructor. Choose another one.",
    { status: 422 },
  );
}

/** Whether one of some courses is this one, or one in which the person teaches. */
export async function teachesInOne(
  deps: Pick<UsableSpaceDeps, "members">,
  course: Course,
  others: readonly Course[],
  personId: string,
): Promise<boolean> {
  for (const other of others) {
    if (other.id === course.id || (await teachesIn(deps, course, other, personId))) return true;
  }
  return false;
}

/** Spaces of the other courses of this deployment in which somebody teaches. */
export async function knownSpaces(
  deps: Pick<UsableSpaceDeps, "courses" | "members">,
  course: Course,
  personId: string,
): Promise<KnownSpace[]> {
  const found: KnownSpace[] = [];
  for (const member of await deps.members.listOfPerson(course.registrationId, personId)) {
    if (member.courseId === course.id || member.role !== "instructor" || !member.active) continue;
    const other = await deps.courses.find(member.courseId);
    if (other?.spaceId == null || other.environment !== course.environment) continue;
    if (other.spaceId === course.spaceId || other.deploymentId !== course.deploymentId) continue;
    found.push({ spaceId: other.spaceId, course: other });
  }
  return found.sort((a, b) => a.course.title.localeCompare(b.course.title));
}

async function teachesIn(
  deps: Pick<UsableSpaceDeps, "members">,
  course: Course,
  other: Course,
  personId: string,
): Promise<boolean> {
  if (other.registrationId !== course.registrationId || other.deploymentId !== course.deploymentId)
    return false;
  const member = await deps.members.find(other.registrationId, other.id, personId);
  return member?.role === "instructor" && member.active;
}
