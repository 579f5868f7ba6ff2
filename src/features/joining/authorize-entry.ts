import { classroomRoleOf } from "../../domain/api-user.ts";
import type { CallOptions } from "../../classroom/call-options.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { ensureSpace, type EnsureSpaceDeps } from "../courses/ensure-space.ts";
import { refuseForeignSpace } from "../courses/space-rights.ts";
import { ensureApiUser, type EnsureApiUserDeps } from "../members/ensure-api-user.ts";
import { type EntryTarget, fingerprintOf, redirectUrlOf } from "./find-target.ts";

type Environment = EntryTarget["course"]["environment"];

export type AuthorizeEntryDeps = Omit<EnsureSpaceDeps & EnsureApiUserDeps, "classroomOf"> & {
  classroomOf: (
    environment: Environment,
  ) => Pick<ClassroomClient, "usersHaveRoles" | "createSpace" | "createApiUser" | "authorize">;
  appUrlOf: (environment: Environment) => string;
};

/** A login as authorize gave it; the URL is a bearer secret. */
export type Login = { url: string; fingerprint: string };

/**
 * Authorizes an entry: makes the API user and then the Space if need be (document part 4), then asks for a login with the course's
 * parameters on the Space URL (never on the login URL, where they have no effect).
 * @throws the classroom client's errors, and those of `refuseForeignSpace`.
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
  const redirectUrl = redirectUrlOf(deps, target, spaceId);
  const { url } = await deps.classroomOf(course.environment).authorize({ userId, redirectUrl }, options);
  return { url, fingerprint: fingerprintOf(target, userId, redirectUrl) };
}
