import type { App } from "../../app.ts";
import type { ClassroomRole } from "../../domain/api-user.ts";
import type { Course, Person } from "../../domain/course.ts";
import { usersToRename } from "./rules/provisioning.ts";
import type { AccountId } from "../../domain/account.ts";

export type Provisions = {
  /** False while the environment is not configured. */
  makes: boolean;
  /** False while the dialect has no address for changing an API user. */
  renames: boolean;
};

export type WantApiUsersDeps = Pick<App, "provisioning" | "wake" | "clock"> & {
  provisionsOf: (environment: AccountId) => Provisions;
};

export type Entering = { person: Person; role: ClassroomRole };

function wantsProvisioning({ person, role }: Entering, { makes, renames }: Provisions): boolean {
  if (person.apiUsers[role] === null) return makes;
  return makes && renames && usersToRename(person).length > 0;
}

/** Lists people who lack an API user for their role, or whose name is new; at most a few hundred. Others cost nothing. */
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
