import { type ClassroomRole, userIdsOf } from "../../../src/domain/person.ts";
import type { Person } from "../../../src/domain/course.ts";
import type { PersonStore } from "../../../src/modules/members/store/person-store.ts";

type PersonFacts = Partial<Pick<Person, "name" | "sub" | "registrationId" | "deploymentId" | "environment">>;

/** A person that the LMS knows as "sub-<id>" and without a name, unless the test says otherwise. */
export const recordPerson = (
  people: Pick<PersonStore, "record">,
  id: string,
  { name = null, environment = "production", ...key }: PersonFacts = {},
) => {
  const names = { name, givenName: null, familyName: null, email: null };
  const usual = { registrationId: "reg_1", deploymentId: "1", sub: `sub-${id}` };
  return people.record({ ...usual, ...key }, names, { id, environment });
};

/** A person has a user of the classroom, created in a role, and known there by a name. */
export async function giveApiUser(
  people: Pick<PersonStore, "claimApiUser" | "keepApiUser">,
  personId: string,
  { userId, name = "", role = "participant" }: { userId: string; name?: string; role?: ClassroomRole },
): Promise<void> {
  await people.claimApiUser(personId, role, "test", { now: 1, until: 2 });
  const kept = await people.keepApiUser(personId, role, "test", { id: userId, name });
  if (!kept) throw new Error(`${userId} could not be kept for ${personId}`);
}

/** The same for a person who may have a user already; if theirs has the other role, they get another one in this role. */
export async function giveMissingApiUser(
  people: Pick<PersonStore, "claimApiUser" | "keepApiUser" | "find">,
  personId: string,
  { userId, name, role }: { userId: string; name: string; role: ClassroomRole },
): Promise<void> {
  const person = await people.find(personId);
  if (person?.apiUsers[role] != null) return;
  const first = person === null || userIdsOf(person).length === 0;
  await giveApiUser(people, personId, { userId: first ? userId : `${userId}-${role}`, name, role });
}

/** The only user of the classroom that a person has; null if they have none. */
export function onlyUserOf(person: Pick<Person, "apiUsers"> | null | undefined): string | null {
  const [userId = null, ...others] = person == null ? [] : userIdsOf(person);
  if (others.length > 0) throw new Error("they have more than one user");
  return userId;
}
