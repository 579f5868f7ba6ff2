import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { ClassroomClient, NewClassroomSpace } from "../../classroom/client.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import { classroomRoleOf } from "../../domain/person.ts";
import type { NewSpace } from "../../domain/course-link.ts";
import { type Course, keyOfCourse, type Member, type Person } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import { makeOnce } from "../../kernel/with-claim.ts";
import { refusal } from "../../kernel/refusal.ts";
import { byId } from "../../kernel/lists.ts";
import { ensureApiUser } from "../members/api-users.ts";
import { maxHostsMadeFirst, maxPeople } from "./rules/space-right.ts";
import { originElsewhere, refuseForeignSpace } from "./space-rights.ts";

/** What making a course's Space and its users needs. */
export type SpaceMakingApp = Pick<App, "courses" | "members" | "people" | "spaceUsers" | "clock" | "ids"> &
  Pick<App, "onMatchable" | "isSpaceOrigin"> & {
    classroomOf: (
      environment: Course["environment"],
    ) => Pick<ClassroomClient, "usersHaveRoles" | "createApiUser" | "createSpace">;
  };

/**
 * Returns the course's Space, made once, however many people arrive together, with its hosts and participants as far as known. It's made by
 * the settings valid when it's stored: its access can't be changed later, so a Space made while they changed stays unused.
 * @param entrant The person who enters, or null.
 * @param options `onPermit` is also called when another process makes the Space, because nothing waits here.
 * @throws the classroom client's errors (the next caller tries again); NamedError "space-id-taken" if the new Space already has an owner,
 * "space-elsewhere" if it's on another host; the errors of `refuseForeignSpace`.
 */
export async function ensureSpace(
  app: SpaceMakingApp,
  course: Course,
  entrant: Entrant | null,
  options: CallOptions = { priority: "entry" },
): Promise<string> {
  if (course.spaceId !== null) {
    await refuseForeignSpace(app, course, course.spaceId);
    return course.spaceId;
  }
  const { courses } = app;
  const read = async () => {
    const current = await courses.find(course.id);
    if (current === null) throw refusal("course-unknown", { status: 404 });
    return current;
  };
  let made = course.newSpace;
  return makeOnce(app, {
    onOthersMake: options.onPermit,
    read: async () => (await read()).spaceId,
    claim: (holder, now, until) => courses.claimSpace(course.id, holder, now, until),
    extend: (holder, until) => courses.extendSpace(course.id, holder, until),
    make: async () => {
      // The present settings, because the page may have been open for a long time.
      made = (await read()).newSpace;
      return createSpaceFor(app, course, { made, entrant }, options);
    },
    keep: async (holder, spaceId) => {
      let now = await read();
      while (isDeepStrictEqual(now.newSpace, made)) {
        const seen = now.settingsRevision;
        if (await courses.keepSpace(course.id, holder, spaceId, { made, seen }, app.clock.now())) {
          await app.onMatchable({ kind: "space", environment: course.environment, id: spaceId });
          return true;
        }
        now = await read();
        if (now.settingsRevision === seen) return false; // the claim was lost
      }
      await courses.keepUnused(course, spaceId, app.clock.now());
      await courses.releaseSpace(course.id, holder);
      return false;
    },
    release: (holder) => courses.releaseSpace(course.id, holder),
  });
}

/**
 * Makes a Space after its users (document part 4), and records which users it was given. A Space on another host is kept unused, and no other
 * is made until an operator settles where Spaces are. @returns its id. @throws NamedError "space-elsewhere"
 */
export async function createSpaceFor(
  app: SpaceMakingApp,
  course: Course,
  { made, entrant }: { made: NewSpace; entrant: Entrant | null },
  options: CallOptions,
): Promise<string> {
  const origin = await originElsewhere(app, course);
  if (origin !== null) throw isElsewhere(origin);
  const unused = (await app.courses.spacesElsewhere(course)).find((one) => isDeepStrictEqual(one.made, made));
  if (unused !== undefined) return unused.spaceId;
  const people = await peopleOfSpace(app, course, entrant, options);
  const space = { name: spaceName(course), ...made };
  const client = app.classroomOf(course.environment);
  const { spaceId, elsewhere, listed } = await client
    .createSpace({ ...space, ...people }, options)
    .catch((thrown: unknown) => {
      // A user may be gone from the classroom, which must not keep the others out of the course.
      const isRefused = thrown instanceof NamedError && thrown.code === "classroom-refused";
      if (!isRefused || isDeepStrictEqual(people, only(entrant))) throw thrown;
      return client.createSpace({ ...space, ...only(entrant) }, options);
    });
  await app.spaceUsers.noteMade(course, spaceId, listed, app.clock.now());
  if (elsewhere === null) return spaceId;
  await app.courses.keepUnused(course, spaceId, app.clock.now(), { origin: elsewhere, made });
  throw isElsewhere(elsewhere);
}

function only(entrant: Entrant | null): PeopleOfSpace {
  if (entrant === null) return { ownerUserId: null };
  const { userId, role } = entrant;
  return role === "instructor"
    ? { ownerUserId: userId, hostUserIds: [userId] }
    : { ownerUserId: null, participantUserIds: [userId] };
}

function isElsewhere(origin: string): NamedError {
  return refusal("space-elsewhere", { status: 502, details: { origin } });
}

function spaceName(course: Course): string {
  const parts = [course.label, course.title].filter(
    (part, index, all) => part !== "" && all.indexOf(part) === index,
  );
  return parts.join(" - ") || "Online classroom";
}

/** A person who enters while the Space is made. Their user exists, but may not be on any list yet. */
export type Entrant = { userId: string; role: Member["role"] };

/** The users of a new Space. Leaves out empty lists. */
type PeopleOfSpace = Pick<NewClassroomSpace, "ownerUserId" | "hostUserIds" | "participantUserIds">;

/**
 * The users for a new Space (document part 4: users, then the Space): instructors and learners with a user in their role, and the person
 * entering. A few instructors get their user first, so the Space has hosts even if a learner comes first.
 * @param entrant Null if no person enters.
 */
async function peopleOfSpace(
  app: SpaceMakingApp,
  course: Course,
  entrant: Entrant | null,
  options: CallOptions,
): Promise<PeopleOfSpace> {
  const instructors = await present(app, course, "instructor");
  const learners = await present(app, course, "learner");
  const without = instructors.filter(({ apiUsers }) => apiUsers.host === null).slice(0, maxHostsMadeFirst);
  const made: string[] = [];
  for (const person of without) made.push(...(await hostMadeFirst(app, person, options)));
  const own = (role: Member["role"]) => (entrant?.role === role ? [entrant.userId] : []);
  const hosts = [...new Set([...own("instructor"), ...usersIn(instructors, "instructor"), ...made])];
  const participants = [...new Set([...own("learner"), ...usersIn(learners, "learner")])];
  const others = participants.filter((userId) => !hosts.includes(userId));
  return {
    ownerUserId: hosts[0] ?? null,
    // An empty list might mean that nobody is a host.
    ...(hosts.length === 0 ? {} : { hostUserIds: hosts }),
    ...(others.length === 0 ? {} : { participantUserIds: others }),
  };
}

async function present(app: SpaceMakingApp, course: Course, role: Member["role"]): Promise<Person[]> {
  const key = keyOfCourse(course);
  const ids = await app.members.listPresentIds(key, role, maxPeople[role]);
  const people = byId(await app.people.findMany(ids));
  return ids.flatMap((id) => people.get(id) ?? []);
}

function usersIn(people: readonly Person[], role: Member["role"]): string[] {
  return people.flatMap(({ apiUsers }) => apiUsers[classroomRoleOf(role)]?.id ?? []);
}

/** If the classroom refuses a person, that doesn't hold up others. They see the problem when they enter. */
async function hostMadeFirst(app: SpaceMakingApp, person: Person, options: CallOptions): Promise<string[]> {
  try {
    // The Space is needed now, so these few go before a roster that is being prepared.
    const priority = options.priority === "background" ? "session" : options.priority;
    return [await ensureApiUser(app, person, "host", { ...options, priority })];
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code.startsWith("classroom-")) return [];
    throw thrown;
  }
}
