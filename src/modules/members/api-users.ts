import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient, NewApiUser } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import {
  type ApiUser,
  apiUserSlots,
  type ClassroomRole,
  noApiUsers,
  referenceOf,
  usersOf,
  personName,
} from "../../domain/person.ts";
import type { Course, Person } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import { makeOnce } from "../../kernel/with-claim.ts";
import { refusal } from "../../kernel/refusal.ts";
import { prepareOnce, whenTurnComes } from "../../tasks/prepare-once.ts";
import { usersToRename } from "./rules/provisioning.ts";
import type { ApiUserSlot } from "./store/person-api-users.ts";

export type ApiUsersApp = Pick<App, "people" | "onMatchable" | "clock" | "ids"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "usersHaveRoles" | "createApiUser">;
};

/**
 * Returns a person's classroom user in a role, made if there is none: once for all courses and launches. A user of
 * another role is never used. If users have no roles (dialect `usersHaveRoles`), one user serves both. @param options
 * Default: "entry" priority. @throws the classroom client's errors; NamedError "person-unknown", "still-being-made"
 * (temporary), "classroom-user-shared" (the classroom answers with a user of another role), "classroom-address-taken"
 * (it refuses a second user)
 */
export async function ensureApiUser(
  app: ApiUsersApp,
  person: Person,
  role: ClassroomRole,
  options: CallOptions = { priority: "entry" },
): Promise<string> {
  const own = person.apiUsers[role];
  if (app.classroomOf(person.environment).usersHaveRoles) {
    if (own !== null && !isShared(person, own, role)) return own.id;
    return makeUser(app, person, { slot: role, inRole: role }, options);
  }
  if (own !== null) return own.id;
  const current = (await app.people.find(person.id)) ?? person;
  const only = apiUserSlots.map((slot) => current.apiUsers[slot]).find((user) => user !== null);
  const name = apiUserOf(person, role).name;
  const user = only ?? { id: await makeUser(app, person, { slot: "unknown", inRole: role }, options), name };
  await app.people.shareApiUser(person.id, role, user);
  return user.id;
}

/** Whether a user that was made without roles also serves another role. */
function isShared({ apiUsers }: Person, { id }: ApiUser, role: ClassroomRole): boolean {
  return apiUserSlots.some((slot) => slot !== role && apiUsers[slot]?.id === id);
}

/** @param how.slot Where the user is stored. @param how.inRole The role sent to the classroom. */
async function makeUser(
  app: ApiUsersApp,
  person: Person,
  { slot, inRole }: { slot: ApiUserSlot; inRole: ClassroomRole },
  options: CallOptions,
): Promise<string> {
  const { people } = app;
  const { id: personId, environment } = person;
  const user = { ...apiUserOf(person, inRole), reference: referenceOf(personId, slot) };
  const make = async (options: CallOptions) => {
    const { userId } = await createdUser(app, person, user, options);
    if (slot !== "unknown") await refuseOtherRole(app, environment, userId, slot);
    return userId;
  };
  const once = {
    onOthersMake: options.onPermit,
    read: async () => {
      const current = await people.find(personId);
      if (current === null) throw refusal("person-unknown", { status: 404 });
      const known = current.apiUsers[slot];
      if (known === null || slot === "unknown" || !isShared(current, known, slot)) return known?.id ?? null;
      await people.unshareApiUser(personId, known);
      return null;
    },
    claim: (holder: string, now: number, until: number) =>
      people.claimApiUser(personId, slot, holder, { now, until }),
    extend: (holder: string, until: number) => people.extendApiUser(personId, slot, holder, until),
    keep: async (holder: string, userId: string) => {
      const stored = await people.keepApiUser(personId, slot, holder, { id: userId, name: user.name });
      if (stored) await app.onMatchable({ kind: "user", environment, id: userId });
      // The classroom answers with one user for both roles, so the next attempt is refused.
      else await people.releaseApiUser(personId, slot, holder);
      return stored;
    },
    release: (holder: string) => people.releaseApiUser(personId, slot, holder),
  };
  if (options.priority === "entry") return makeOnce(app, { ...once, make: () => make(options) });
  return prepareOnce(app, { ...once, make: (turn) => make(whenTurnComes(options, turn)) }, options.signal);
}

/**
 * Recognizes a user who is refused because of the e-mail address: it isn't documented whether addresses may repeat.
 * @throws NamedError "classroom-address-taken", and the classroom client's errors
 */
async function createdUser(
  { people, classroomOf }: ApiUsersApp,
  { id, environment }: Person,
  user: NewApiUser,
  options: CallOptions,
): Promise<{ userId: string }> {
  try {
    return await classroomOf(environment).createApiUser(user, options);
  } catch (thrown) {
    const isRefused = thrown instanceof NamedError && thrown.code === "classroom-refused";
    const others = isRefused ? usersOf((await people.find(id)) ?? { apiUsers: noApiUsers }) : [];
    if (!isRefused || others.length === 0 || user.email === null) throw thrown;
    throw addressTaken(thrown, user.role);
  }
}

function addressTaken(cause: NamedError, role: ClassroomRole): NamedError {
  return refusal("classroom-address-taken", { values: { role }, status: 502, cause, details: cause.details });
}

/**
 * Refuses an existing user that the classroom may answer with, such as one with the same e-mail address (not documented). A user with another
 * or unknown role would give rights that the person doesn't have here.
 */
async function refuseOtherRole(
  { people }: ApiUsersApp,
  environment: Person["environment"],
  userId: string,
  role: ClassroomRole,
): Promise<void> {
  const known = await people.listByApiUser(environment, userId);
  if (known.every((one) => one.role === role)) return;
  throw refusal("classroom-user-shared", {
    values: { role },
    status: 502,
    details: { operation: "createApiUser", environment, role },
  });
}

export function apiUserOf(person: Person, role: ClassroomRole): NewApiUser {
  return {
    reference: referenceOf(person.id, role),
    name: personName(person, role === "host" ? "instructor" : "learner"),
    givenName: person.givenName,
    familyName: person.familyName,
    email: person.email,
    role,
  };
}

type Provisions = {
  /** False while the account isn't configured. */
  makes: boolean;
  /** False if the dialect has no operation for changing an API user. */
  renames: boolean;
};

export type Entering = { person: Person; role: ClassroomRole };

function wantsProvisioning({ person, role }: Entering, { makes, renames }: Provisions): boolean {
  if (person.apiUsers[role] === null) return makes;
  return makes && renames && usersToRename(person).length > 0;
}

/** Lists people who lack an API user for their role or have a new name, at most a few hundred. Others cost nothing. */
export async function enqueueApiUsers(
  app: Pick<App, "clock" | "provisioning" | "provisionsOf" | "wake">,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  people: readonly Entering[],
): Promise<void> {
  const provisions = app.provisionsOf(course.environment);
  const ids = people.filter((one) => wantsProvisioning(one, provisions)).map(({ person }) => person.id);
  if (ids.length === 0) return;
  const { registrationId, environment } = course;
  const courseKey = { registrationId, courseId: course.id, environment };
  if ((await app.provisioning.enqueue(courseKey, ids, app.clock.now())) > 0) app.wake("people");
}
