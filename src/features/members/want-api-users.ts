import type { Course, Person } from "../../domain/course.ts";
import { changedName } from "../../domain/provisioning.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ProvisioningStore } from "../../storage/provisioning-store.ts";

/** What can be done about API users in an environment. */
export type Provisions = {
  /** False while the environment is not configured. */
  makes: boolean;
  /** False while the dialect has no address for changing an API user. */
  renames: boolean;
};

export type WantApiUsersDeps = {
  provisioning: Pick<ProvisioningStore, "want">;
  provisionsOf: (environment: EnvironmentName) => Provisions;
  /** Wakes the worker that makes API users. */
  onApiUsersWanted: () => void;
  clock: Clock;
};

/** Whether something is to be done for a person: an API user to be made, or told another name. */
export function wantsProvisioning(person: Person, { makes, renames }: Provisions): boolean {
  if (person.apiUserId === null) return makes;
  return makes && renames && changedName(person) !== null;
}

/**
 * Puts those people of a course on the list who lack an API user, or whose name the classroom does not know yet; a
 * few hundred at most. For the others it costs nothing.
 */
export async function wantApiUsers(
  deps: WantApiUsersDeps,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  people: readonly Person[],
): Promise<void> {
  const provisions = deps.provisionsOf(course.environment);
  const ids = people.filter((person) => wantsProvisioning(person, provisions)).map(({ id }) => id);
  if (ids.length === 0) return;
  const { registrationId, environment } = course;
  const place = { registrationId, courseId: course.id, environment };
  if ((await deps.provisioning.want(place, ids, deps.clock.now())) > 0) deps.onApiUsersWanted();
}
