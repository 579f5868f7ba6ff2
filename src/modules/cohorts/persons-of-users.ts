import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-place.ts";

export type PersonsOfUsersDeps = Pick<App, "people" | "userMatches">;

const batchSize = 200;

/** Of a course's deployment: made for them, in either role, or matched by an instructor. Never by name. */
export async function personsOfUsers(
  deps: PersonsOfUsersDeps,
  course: Pick<Course, "registrationId" | "deploymentId" | "environment">,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { registrationId, deploymentId, environment } = course;
  const place = { registrationId, deploymentId, environment };
  const found = new Map<string, string[]>();
  const add = (userId: string, personId: string) => {
    const before = found.get(userId) ?? [];
    if (!before.includes(personId)) found.set(userId, [...before, personId]);
  };
  for (let from = 0; from < userIds.length; from += batchSize) {
    const some = userIds.slice(from, from + batchSize);
    for (const { userId, personId } of await deps.userMatches.findMany(place, some)) add(userId, personId);
    for (const { userId, person } of await deps.people.listByApiUsers(environment, some))
      if (isKnownIn(person, course)) add(userId, person.id);
  }
  return found;
}
