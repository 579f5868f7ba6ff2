import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { classroomRoleOf } from "../../domain/api-user.ts";
import type { Course, Member, Person } from "../../domain/course.ts";

export type CallsToEnterDeps = Pick<App, "spaceUsers"> & {
  classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "addsToSpace">;
};

/** `person` is undefined when their record is gone. */
type Entrant = { person: Pick<Person, "apiUsers"> | undefined; role: Member["role"] };

/**
 * The login, the API user if there is none in this role, and adding them to the Space where the dialect can and it was
 * not done. @param spaceId Null for a Space still to be made: it gets its people then.
 */
export async function callsToEnter(
  deps: CallsToEnterDeps,
  { environment }: Pick<Course, "environment">,
  spaceId: string | null,
  entrants: readonly Entrant[],
): Promise<number[]> {
  const adds = deps.classroomOf(environment).addsToSpace;
  const users = entrants.map(({ person, role }) => person?.apiUsers[classroomRoleOf(role)]?.id ?? null);
  const added =
    spaceId === null || adds.length === 0
      ? null
      : await deps.spaceUsers.rolesOf(
          { environment, spaceId },
          users.flatMap((id) => id ?? []),
        );
  return entrants.map(({ role }, at) => {
    const user = users[at] ?? null;
    const inRole = classroomRoleOf(role);
    const isAdded = added === null || !adds.includes(inRole) || (user !== null && added.get(user) === inRole);
    return 1 + (user === null ? 1 : 0) + (isAdded ? 0 : 1);
  });
}
