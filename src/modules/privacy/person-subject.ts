import type { App } from "../../app.ts";
import { userIdsOf } from "../../domain/api-user.ts";
import type { Person } from "../../domain/course.ts";
import type { PersonSubject } from "../../domain/held-record.ts";

export type PersonSubjectDeps = Pick<App, "people" | "members" | "personalRecords">;

/** Of one person; more would be a fault. */
const maxMatches = 100;

/** A user whose match was undone is not theirs. */
export async function personSubject(deps: PersonSubjectDeps, person: Person): Promise<PersonSubject> {
  const { id, registrationId, deploymentId, sub, environment } = person;
  const merged = await deps.people.listMergedInto(person);
  const personIds = [id, ...merged.map((one) => one.id)];
  const made = [person, ...merged].flatMap(userIdsOf);
  const matches = await deps.personalRecords.list(
    "UserMatch",
    { registrationId, personId: id, state: "holds" },
    "",
    maxMatches,
  );
  const matched = matches.flatMap(({ userId }) => (typeof userId === "string" ? [userId] : []));
  const userIds = [...new Set([...made, ...matched])];
  const soleUserIds: string[] = [];
  for (const userId of userIds) {
    const people = await deps.people.listByApiUser(environment, userId);
    const others = await deps.personalRecords.list(
      "UserMatch",
      { environment, userId, personId: { $ne: id }, state: "holds" },
      "",
      1,
    );
    if (others.length === 0 && people.every((one) => one.person.id === id)) soleUserIds.push(userId);
  }
  const members = await deps.members.listOfPerson(registrationId, id);
  const courseIds = members.map(({ courseId }) => courseId);
  return { registrationId, deploymentId, sub, personIds, environment, userIds, soleUserIds, courseIds };
}
