import type { App } from "../../app.ts";
import { classroomRoleOf } from "../../domain/api-user.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { NewClassroomSpace } from "../../classroom/client.ts";
import { ensureApiUser, type EnsureApiUserDeps } from "../members/api-users.ts";
import { maxHostsMadeFirst, maxPeople } from "./rules/limits.ts";

export type PeopleOfSpaceDeps = EnsureApiUserDeps & Pick<App, "members">;

/** Who enters while the Space is made: their user exists, but may be in no list yet. */
export type Comer = { userId: string; role: Member["role"] };

/** The users of a new Space; empty lists are left out. */
export type PeopleOfSpace = Pick<NewClassroomSpace, "ownerUserId" | "hostUserIds" | "participantUserIds">;

/**
 * For a new Space (document part 4: users, then the Space): instructors and learners with a user in their role, and the
 * person entering. A few instructors get their user first, so that the Space has hosts when a learner comes first.
 * @param comer Null when nobody enters.
 */
export async function peopleOfSpace(
  deps: PeopleOfSpaceDeps,
  course: Course,
  comer: Comer | null,
  options: CallOptions,
): Promise<PeopleOfSpace> {
  const instructors = await present(deps, course, "instructor");
  const learners = await present(deps, course, "learner");
  const without = instructors.filter(({ apiUsers }) => apiUsers.host === null).slice(0, maxHostsMadeFirst);
  const made: string[] = [];
  for (const person of without) made.push(...(await hostMadeFirst(deps, person, options)));
  const own = (role: Member["role"]) => (comer?.role === role ? [comer.userId] : []);
  const hosts = [...new Set([...own("instructor"), ...usersIn(instructors, "instructor"), ...made])];
  const participants = [...new Set([...own("learner"), ...usersIn(learners, "learner")])];
  const others = participants.filter((userId) => !hosts.includes(userId));
  return {
    ownerUserId: hosts[0] ?? null,
    // An empty list might mean that nobody is to be a host.
    ...(hosts.length === 0 ? {} : { hostUserIds: hosts }),
    ...(others.length === 0 ? {} : { participantUserIds: others }),
  };
}

/** By name. */
async function present(deps: PeopleOfSpaceDeps, course: Course, role: Member["role"]): Promise<Person[]> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const ids = await deps.members.listPresentIds(key, role, maxPeople[role]);
  const people = new Map((await deps.people.findMany(ids)).map((person) => [person.id, person]));
  return ids.flatMap((id) => people.get(id) ?? []);
}

function usersIn(people: readonly Person[], role: Member["role"]): string[] {
  return people.flatMap(({ apiUsers }) => apiUsers[classroomRoleOf(role)]?.id ?? []);
}

/** A person whom the classroom refuses holds up nobody else; they see the problem when they enter. */
async function hostMadeFirst(
  deps: PeopleOfSpaceDeps,
  person: Person,
  options: CallOptions,
): Promise<string[]> {
  try {
    // The Space is needed now: these few go before a roster that is being prepared.
    const priority = options.priority === "background" ? "session" : options.priority;
    return [await ensureApiUser(deps, person, "host", { ...options, priority })];
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code.startsWith("classroom-")) return [];
    throw thrown;
  }
}
