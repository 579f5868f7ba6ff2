import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { classroomRoleOf, type ClassroomRole } from "../../domain/api-user.ts";
import type { Course, Person } from "../../domain/course.ts";
import { type CourseLink, otherSpaceOf, spaceAccessOf } from "../../domain/course-link.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import { maxShown } from "./rules/limits.ts";

export type ShowSpaceListDeps = Pick<App, "spaceUsers" | "members" | "people"> & {
  classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "addsToSpace">;
};

/** People of this course only: a shared Space's others stay unnamed. */
export type SpaceList = {
  /** Instructors of the course, told and not told as hosts. */
  hosts: Person[];
  later: Person[];
  /** The Space was told of any host of any course, so it may go by its list. */
  hasHosts: boolean;
  /** Told through this course. */
  learners: number;
  failed: Person[];
  /** As far as anybody said: it lets in only people on its list. */
  isPrivate: boolean;
  /** Roles in which the dialect can add users. */
  adds: readonly ClassroomRole[];
};

/** @param link The link whose Space it is; null for the course's own. @returns null while there is no Space. */
export async function showSpaceList(
  deps: ShowSpaceListDeps,
  course: Course,
  link: CourseLink | null,
): Promise<SpaceList | null> {
  const { environment, registrationId, id: courseId } = course;
  const spaceId = (link === null ? null : otherSpaceOf(link.choice)) ?? course.spaceId;
  if (spaceId === null) return null;
  const space = { environment, spaceId };
  const listed = new Set(
    (await deps.spaceUsers.listHosts(space, maxShown.hosts)).map(({ userId }) => userId),
  );
  const ids = await deps.members.listPresentIds(
    { registrationId, courseId },
    "instructor",
    maxShown.instructors,
  );
  const people = new Map((await deps.people.findMany(ids)).map((person) => [person.id, person]));
  const instructors = ids.flatMap((id) => people.get(id) ?? []);
  const isListed = ({ apiUsers }: Person) => listed.has(apiUsers[classroomRoleOf("instructor")]?.id ?? "");
  const failed = await deps.spaceUsers.listFailed(space, maxShown.failed);
  const found = await deps.people.listByApiUsers(
    environment,
    failed.map(({ userId }) => userId),
  );
  const failedHere = found.filter(({ person }) => isKnownIn(person, course)).map(({ person }) => person);
  return {
    hosts: instructors.filter(isListed),
    later: instructors.filter((person) => !isListed(person)),
    hasHosts: listed.size > 0,
    learners: await deps.spaceUsers.countParticipants(space, courseId),
    failed: [...new Map(failedHere.map((person) => [person.id, person])).values()],
    isPrivate: spaceAccessOf(course, link) === "invited-only",
    adds: deps.classroomOf(environment).addsToSpace,
  };
}

/** A Space that goes by its list of hosts, and does not take more, lets a later instructor in as a participant. */
export async function joinedTooLate(
  deps: Pick<ShowSpaceListDeps, "spaceUsers" | "people" | "classroomOf">,
  { environment, spaceId }: Pick<Course, "environment" | "spaceId">,
  personId: string,
): Promise<boolean> {
  if (spaceId === null || deps.classroomOf(environment).addsToSpace.includes("host")) return false;
  const space = { environment, spaceId };
  if ((await deps.spaceUsers.listHosts(space, 1)).length === 0) return false;
  const userId = (await deps.people.find(personId))?.apiUsers[classroomRoleOf("instructor")]?.id ?? "";
  return (await deps.spaceUsers.find(space, userId))?.role !== "host";
}
