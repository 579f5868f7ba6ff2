import type { App } from "../../app.ts";
import { userIdsOf, usersOf } from "../../domain/api-user.ts";
import type { Course, Person } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";

export type ChooseMemberDeps = Pick<App, "members" | "people">;

export type Choosable = {
  personId: string;
  name: string;
  hasUser: boolean;
  /** The classroom's ids of their users. */
  userIds: readonly string[];
  /** The LMS's ids of their sections. */
  sectionIds: readonly string[];
};

const batchSize = 500;
/** Nobody looks through a longer list. */
const maxMembers = 3_000;

/** Members whom an unmatched user may be: those without a user of the classroom first, then by name. */
export async function choosableMembers(
  deps: ChooseMemberDeps,
  course: Pick<Course, "id" | "registrationId">,
): Promise<Choosable[]> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const found: Choosable[] = [];
  let after = "";
  while (found.length < maxMembers) {
    const members = await deps.members.listAfter(key, after, batchSize);
    const ids = members.map(({ personId }) => personId);
    const people = new Map(
      (await deps.people.findMany(ids)).map((person): [string, Person] => [person.id, person]),
    );
    for (const { personId, role, sectionIds } of members) {
      const person = people.get(personId);
      if (person === undefined) continue;
      found.push({
        personId,
        name: personName(person, role),
        hasUser: usersOf(person).length > 0,
        userIds: userIdsOf(person),
        sectionIds,
      });
    }
    if (members.length < batchSize) break;
    after = members.at(-1)?.personId ?? "";
  }
  return found.sort(
    (one, other) =>
      Number(one.hasUser) - Number(other.hasUser) ||
      one.name.localeCompare(other.name) ||
      (one.personId < other.personId ? -1 : 1),
  );
}
