import type { App } from "../../app.ts";
import type { ClassroomRole } from "../../domain/api-user.ts";
import type { Course, Person } from "../../domain/course.ts";
import { usersToRename } from "./rules/provisioning.ts";
import type { EnvironmentName } from "../../domain/registration.ts";

/** What can be done about API users in an environment. */
export type Provisions = {
  /** False while the environment is not configured. */
  makes: boolean;
  /** False while the dialect has no address for changing an API user. */
  renames: boolean;
};

export type WantApiUsersDeps = Pick<App, "provisioning" | "wake" | "clock"> & {
  provisionsOf: (environment: EnvironmentName) => Provisions;
};

/** Somebody of a course, and what they are in its Space. */
export type Entering = { person: Person; role: ClassroomRole };

/** Whether something is to be done for a person: an API user to be made for this role, or one told another name. */
function wantsProvisioning({ person, role }: Entering, { makes, renames }: Provisions): boolean {
  if (person.apiUsers[role] === null) return makes;
  return makes && renames && usersToRename(person).length > 0;
}

/**
 * Puts those people of a course on the list who lack an API user for their role there, or whose name the classroom does not
 * know yet; a few hundred at most. For the others it costs nothing.
 */
export async function wantApiUsers(
  deps: WantApiUsersDeps,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  people: readonly Entering[],
): Promise<void> {
  const provisions = deps.provisionsOf(course.environment);
  const ids = people.filter((one) => wantsProvisioning(one, provisions)).map(({ person }) => person.id);
  if (ids.length === 0) return;
  const { registrationId, environment } = course;
  const place = { registrationId, courseId: course.id, environment };
  if ((await deps.provisioning.want(place, ids, deps.clock.now())) > 0) deps.wake("people");
}
