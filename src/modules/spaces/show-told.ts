import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { classroomRoleOf, type ClassroomRole } from "../../domain/api-user.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import { otherSpaceOf } from "../../domain/other-space-of.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import { spaceAccessOf } from "../../domain/space-access.ts";

export type ShowToldDeps = Pick<App, "spaceUsers" | "members" | "people"> & {
  classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "addsToSpace">;
};

/** Whom a Space was told of, as far as people of this course go: of others of a shared Space nothing is told. */
export type ToldOfSpace = {
  /** Instructors of the course whom the Space was told of as hosts, and those it was not told of. */
  hosts: Person[];
  later: Person[];
  /** The Space was told of any host, of whatever course: then it may go by its list. */
  hasHosts: boolean;
  /** How many learners it was told of through this course. */
  learners: number;
  /** Whom the classroom did not add when it was asked to. */
  failed: Person[];
  /** It lets in only who is on its list, as far as anybody said. */
  isPrivate: boolean;
  /** In which roles the dialect can add somebody. */
  adds: readonly ClassroomRole[];
};

/** So many of each are looked at. */
const most = { hosts: 1_000, instructors: 100, failed: 20 };

/**
 * What a course's settings say of its Space's lists.
 * @param link The link whose Space it is about; null for the course's own.
 * @returns null while there is no Space.
 */
export async function showTold(
  deps: ShowToldDeps,
  course: Course,
  link: CourseLink | null,
): Promise<ToldOfSpace | null> {
  const { environment, registrationId, id: courseId } = course;
  const spaceId = (link === null ? null : otherSpaceOf(link.choice)) ?? course.spaceId;
  if (spaceId === null) return null;
  const space = { environment, spaceId };
  const told = new Set((await deps.spaceUsers.listHosts(space, most.hosts)).map(({ userId }) => userId));
  const ids = await deps.members.listPresentIds({ registrationId, courseId }, "instructor", most.instructors);
  const people = new Map((await deps.people.findMany(ids)).map((person) => [person.id, person]));
  const instructors = ids.flatMap((id) => people.get(id) ?? []);
  const isTold = ({ apiUsers }: Person) => told.has(apiUsers[classroomRoleOf("instructor")]?.id ?? "");
  const failed = await deps.spaceUsers.listFailed(space, most.failed);
  const found = await deps.people.listByApiUsers(
    environment,
    failed.map(({ userId }) => userId),
  );
  const failedHere = found.filter(({ person }) => isKnownIn(person, course)).map(({ person }) => person);
  return {
    hosts: instructors.filter(isTold),
    later: instructors.filter((person) => !isTold(person)),
    hasHosts: told.size > 0,
    learners: await deps.spaceUsers.countParticipants(space, courseId),
    failed: [...new Map(failedHere.map((person) => [person.id, person])).values()],
    isPrivate: spaceAccessOf(course, link) === "invited-only",
    adds: deps.classroomOf(environment).addsToSpace,
  };
}
