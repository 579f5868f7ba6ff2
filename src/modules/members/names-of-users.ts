import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";
import { isKnownIn } from "../../domain/person-place.ts";

export type NamesOfUsersDeps = Pick<App, "people">;

const batchSize = 200;

/** Only of people known to the course's installation: the classroom may give one user to people of several LMSs. */
export async function namesOfUsers(
  deps: NamesOfUsersDeps,
  course: Pick<Course, "environment" | "registrationId" | "deploymentId">,
  userIds: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const ids = [...new Set(userIds.flatMap((id) => id ?? []))];
  const names = new Map<string, string>();
  for (let from = 0; from < ids.length; from += batchSize) {
    const found = await deps.people.listByApiUsers(course.environment, ids.slice(from, from + batchSize));
    for (const { userId, person } of found)
      if (isKnownIn(person, course)) names.set(userId, personName(person, "instructor"));
  }
  return names;
}
