import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { UserInRole } from "../../classroom/people.ts";
import { classroomRoleOf } from "../../domain/person.ts";
import { type CourseLink, otherSpaceOf, spaceAccessOf } from "../../domain/course-link.ts";
import type { Course, Person } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-scope.ts";
import { NamedError } from "../../kernel/errors.ts";
import { makeOnce } from "../../kernel/with-claim.ts";
import { refusal } from "../../kernel/refusal.ts";
import { byId } from "../../kernel/lists.ts";
import { prepareOnce, whenTurnComes } from "../../tasks/prepare-once.ts";
import { maxListed, notOnList } from "./rules/space-right.ts";

/** What maintaining a Space's list of users needs. */
export type SpaceListApp = Pick<App, "spaceUsers" | "clock" | "ids" | "logger"> & {
  classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "addsToSpace" | "addToSpace">;
};

export type SpaceList = NonNullable<Awaited<ReturnType<typeof showSpaceList>>>;

/**
 * Only shows people of this course: other people of a shared Space aren't named.
 * @param link The link whose Space it is. Null for the course's own. @returns null while there is no Space.
 */
export async function showSpaceList(
  app: SpaceListApp & Pick<App, "members" | "people">,
  course: Course,
  link: CourseLink | null,
) {
  const { environment, registrationId, id: courseId } = course;
  const spaceId = (link === null ? null : otherSpaceOf(link.choice)) ?? course.spaceId;
  if (spaceId === null) return null;
  const space = { environment, spaceId };
  const listed = new Set(
    (await app.spaceUsers.listHosts(space, maxListed.hosts)).map(({ userId }) => userId),
  );
  const ids = await app.members.listPresentIds(
    { registrationId, courseId },
    "instructor",
    maxListed.instructors,
  );
  const people = byId(await app.people.findMany(ids));
  const instructors = ids.flatMap((id) => people.get(id) ?? []);
  const isListed = ({ apiUsers }: Person) => listed.has(apiUsers[classroomRoleOf("instructor")]?.id ?? "");
  const failed = await app.spaceUsers.listFailed(space, maxListed.failed);
  const found = await app.people.listByApiUsers(
    environment,
    failed.map(({ userId }) => userId),
  );
  const failedHere = found.filter(({ person }) => isKnownIn(person, course)).map(({ person }) => person);
  return {
    /** Instructors on the Space's list of hosts, and those who aren't. */
    hosts: instructors.filter(isListed),
    later: instructors.filter((person) => !isListed(person)),
    /** The list has a host, of any course, so the classroom may rely on the list. */
    hasHosts: listed.size > 0,
    /** Added to the list through this course. */
    learners: await app.spaceUsers.countParticipants(space, courseId),
    failed: [...byId(failedHere).values()],
    /** As far as known, it only lets in people on its list. */
    isPrivate: spaceAccessOf(course, link) === "invited-only",
    /** Roles in which the dialect can add users. */
    adds: app.classroomOf(environment).addsToSpace,
  };
}

/** Whether a later instructor gets in only as a participant, because the Space relies on its list of hosts and accepts no more. */
export async function joinedTooLate(
  app: Pick<SpaceListApp, "spaceUsers" | "classroomOf"> & Pick<App, "people">,
  { environment, spaceId }: Pick<Course, "environment" | "spaceId">,
  personId: string,
): Promise<boolean> {
  if (spaceId === null || app.classroomOf(environment).addsToSpace.includes("host")) return false;
  const space = { environment, spaceId };
  if ((await app.spaceUsers.listHosts(space, 1)).length === 0) return false;
  const userId = (await app.people.find(personId))?.apiUsers[classroomRoleOf("instructor")]?.id ?? "";
  return (await app.spaceUsers.find(space, userId))?.role !== "host";
}

type Entrant = UserInRole & { spaceId: string };

/**
 * Adds a user to a Space's list in a role it doesn't know, if the dialect can: once for all processes. A Public Space lets in people who
 * aren't on its list, so a failure is recorded and retried at the next entry. Nobody is removed, because the dialect has no operation for
 * that.
 * @param target The course, and the link into the Space, which may be another course's.
 * @throws NamedError "space-list-refused" for a Private Space, and the classroom client's errors for one if a retry can help. Before a
 * session, any of them for a host, so it's retried when they come.
 */
export async function addToSpaceList(
  app: SpaceListApp,
  target: { course: Course; link: CourseLink | null },
  who: Entrant,
  options: CallOptions,
): Promise<void> {
  const { course, link } = target;
  const { environment } = course;
  const { spaceId, userId, role } = who;
  if (!app.classroomOf(environment).addsToSpace.includes(role)) return;
  const known = await app.spaceUsers.find({ environment, spaceId }, userId);
  if (known?.role === role) return;
  const needsList = spaceAccessOf(course, link) === "invited-only";
  try {
    // A failing service doesn't hold up people who get in anyway.
    await addOnce(app, course, who, needsList ? options : { ...options, attempts: 1 });
  } catch (thrown) {
    if (!isOfClassroom(thrown)) throw thrown;
    await noteFailure(app, course, who, thrown);
    if (needsList) throw thrown.temporary ? thrown : refusedByList(thrown);
    // The authorize call lets a person in who enters now. A prepared login would let a host in as a participant.
    if (options.priority !== "entry" && role === "host") throw thrown;
  }
}

async function addOnce(app: SpaceListApp, course: Course, who: Entrant, options: CallOptions): Promise<void> {
  const { spaceUsers, clock } = app;
  const { environment } = course;
  const { spaceId, userId, role } = who;
  const add = async (options: CallOptions): Promise<string> => {
    await app.classroomOf(environment).addToSpace(who, options);
    return role;
  };
  const once = {
    onOthersMake: options.onPermit,
    read: async () => {
      const now = await spaceUsers.find({ environment, spaceId }, userId);
      return now?.role === role ? role : null;
    },
    claim: (holder: string, now: number, until: number) =>
      spaceUsers.claim(course, who, { holder, now, until }),
    extend: (holder: string, until: number) => spaceUsers.extend(course, who, holder, until),
    keep: (holder: string) => spaceUsers.keep(course, who, holder, clock.now()),
    release: (holder: string) => spaceUsers.release(course, who, holder),
  };
  if (options.priority === "entry") await makeOnce(app, { ...once, make: () => add(options) });
  else await prepareOnce(app, { ...once, make: (turn) => add(whenTurnComes(options, turn)) }, options.signal);
}

async function noteFailure(
  { spaceUsers, clock, logger }: SpaceListApp,
  course: Course,
  { spaceId, userId, role }: Entrant,
  { code, details }: NamedError,
): Promise<void> {
  await spaceUsers.noteFailure(course, { spaceId, userId }, { at: clock.now(), problem: code });
  logger.warn(
    { course: course.id, space: spaceId, user: userId, role, code, answer: details.answer },
    "a person could not be added to their Space; the next attempt is when they enter again",
  );
}

function isOfClassroom(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.code.startsWith("classroom-");
}

function refusedByList(cause: NamedError): NamedError {
  return refusal(notOnList, { status: 403, cause, details: cause.details });
}
