import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { AccountId } from "../../domain/account.ts";
import { isKnownIn } from "../../domain/person-place.ts";

export type WhoAttendedDeps = Pick<App, "people" | "userMatches">;

export type Attendee = {
  person: Person;
  by: "api-user" | "match";
  /** For the user they have as a host. */
  as?: "host";
};

/** The person with this classroom user in a course's LMS deployment; null for nobody. Never by name. */
export async function whoAttended(
  deps: WhoAttendedDeps,
  course: Pick<Course, "registrationId" | "deploymentId" | "environment">,
  environment: AccountId,
  userId: string,
): Promise<Attendee | null> {
  const { registrationId, deploymentId } = course;
  const people = await deps.people.listByApiUser(environment, userId);
  const own = people.find(({ person }) => isKnownIn(person, course));
  if (own !== undefined)
    return { person: own.person, by: "api-user", ...(own.role === "host" ? { as: own.role } : {}) };
  const match = await deps.userMatches.find({ registrationId, deploymentId, environment, userId });
  const matched = match === null ? null : await deps.people.find(match.personId);
  return matched === null ? null : { person: matched, by: "match" };
}

export async function everybodyWithUser(
  deps: WhoAttendedDeps,
  environment: AccountId,
  userId: string,
): Promise<Pick<Person, "id" | "registrationId">[]> {
  const people = await deps.people.listByApiUser(environment, userId);
  const matches = await deps.userMatches.listOfUser(environment, userId);
  return [
    ...people.map(({ person }) => person),
    ...matches.map(({ personId, registrationId }) => ({ id: personId, registrationId })),
  ];
}
