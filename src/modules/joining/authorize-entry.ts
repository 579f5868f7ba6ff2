import { classroomRoleOf } from "../../domain/api-user.ts";
import type { CallOptions } from "../../classroom/call-options.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { ensureSpace, type EnsureSpaceDeps } from "../spaces/ensure-space.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import { addToSpaceList, type AddToSpaceListDeps } from "../spaces/add-to-space-list.ts";
import { ensureApiUser, type EnsureApiUserDeps } from "../members/api-users.ts";
import { type EntryTarget, fingerprintOf, redirectUrlOf } from "./find-target.ts";

type Environment = EntryTarget["course"]["environment"];

export type AuthorizeEntryDeps = Omit<
  EnsureSpaceDeps & EnsureApiUserDeps & AddToSpaceListDeps,
  "classroomOf"
> & {
  classroomOf: (
    environment: Environment,
  ) => Pick<
    ClassroomClient,
    "usersHaveRoles" | "createSpace" | "createApiUser" | "addsToSpace" | "addToSpace" | "authorize"
  >;
  appUrlOf: (environment: Environment) => string;
};

/** A login as authorize gave it; the URL is a bearer secret. */
export type Login = { url: string; fingerprint: string };

/**
 * Makes the API user and the Space if need be (document part 4), or tells an existing Space of the user, then asks for
 * a login. The course's parameters go on the Space URL: they have no effect on the login URL.
 * @throws the classroom client's errors, those of `refuseForeignSpace`, and "space-list-refused".
 */
export async function authorizeEntry(
  deps: AuthorizeEntryDeps,
  target: EntryTarget,
  options: CallOptions,
): Promise<Login> {
  const { course, person, entry } = target;
  await refuseForeignSpace(deps, course, target.spaceId);
  const userId = await ensureApiUser(deps, person, classroomRoleOf(entry.role), options);
  const comer = { userId, role: entry.role };
  const spaceId = target.spaceId ?? (await ensureSpace(deps, course, comer, options));
  // Another Space may have been chosen for the course meanwhile.
  if (spaceId !== target.spaceId) await refuseForeignSpace(deps, course, spaceId);
  await addToSpaceList(deps, target, { spaceId, userId, role: classroomRoleOf(entry.role) }, options);
  const redirectUrl = redirectUrlOf(deps, target, spaceId);
  const { url } = await deps.classroomOf(course.environment).authorize({ userId, redirectUrl }, options);
  return { url, fingerprint: fingerprintOf(target, userId, redirectUrl) };
}
