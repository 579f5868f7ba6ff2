import type { App } from "../../app.ts";
import type { Person } from "../../domain/course.ts";
import { sharedPlace } from "../../domain/person-place.ts";
import type { AccountId } from "../../domain/account.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { UserOfPerson } from "../members/store/person-store.ts";
import { unknownPerson } from "./erase.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";

export type FindPersonApp = Pick<
  App,
  "accounts" | "deployments" | "people" | "personalRecords" | "registrations"
>;

/** Our id, the LMS's user id in a deployment, or the classroom's user id. */
type PersonWords =
  | { personId: string }
  | { registrationId: string; deploymentId: string; sub: string }
  | { environment: AccountId; userId: string; registrationId: string | null };

/**
 * The person of some words. Records that earlier releases kept of one person, one for each deployment in a Canvas, are
 * merged first, so that what is shown, exported or erased is all of them.
 * @throws NamedError "no-such-person"
 */
export async function findPerson(app: FindPersonApp, words: PersonWords): Promise<Person> {
  const person = await personOf(app, words);
  const { idsHoldWithin } = capabilitiesOf(await app.registrations.find(person.registrationId));
  const shared = sharedPlace(person.deploymentId);
  if (idsHoldWithin !== "registration" || person.deploymentId === shared) return person;
  return (await app.people.findBySub({ ...person, deploymentId: shared })) ?? person;
}

async function personOf(app: FindPersonApp, words: PersonWords): Promise<Person> {
  if ("personId" in words) return found(await app.people.find(words.personId));
  if ("sub" in words) return found(await app.people.findBySub(words));
  const { environment, userId, registrationId } = words;
  const people = await app.people.listByApiUser(environment, userId);
  const ofLms = ({ person }: UserOfPerson) =>
    registrationId === null || person.registrationId === registrationId;
  return found(people.find(ofLms)?.person ?? null);
}

function found(person: Person | null): Person {
  if (person === null) throw unknownPerson();
  return person;
}

/** Who looks for another one types more. */
const maxRows = 30;
const batchSize = 500;

/**
 * People of an LMS: by exactly a user id of the LMS or the classroom, or by the beginning of an e-mail address or a
 * word of a name. Reads all people of the LMS when no id fits.
 */
export async function searchPeople(
  app: FindPersonApp,
  registrationId: string,
  typed: string,
): Promise<Person[]> {
  const wanted = typed.trim();
  if (wanted === "") return [];
  const named = await peopleOfId(app, registrationId, wanted);
  return named.length > 0 ? named : peopleOfWords(app, registrationId, wanted.toLowerCase());
}

/** By an id in one of the LMS's deployments or in the classroom. */
async function peopleOfId(app: FindPersonApp, registrationId: string, id: string): Promise<Person[]> {
  const hits = new Map<string, Person>();
  for (const { deploymentId } of await app.deployments.listOf(registrationId)) {
    const person = await app.people.findBySub({ registrationId, deploymentId, sub: id });
    if (person !== null) hits.set(person.id, person);
  }
  for (const environment of app.accounts.ids()) {
    for (const { person } of await app.people.listByApiUser(environment, id))
      if (person.registrationId === registrationId) hits.set(person.id, person);
  }
  return [...hits.values()];
}

async function peopleOfWords(
  { people, personalRecords }: FindPersonApp,
  registrationId: string,
  words: string,
): Promise<Person[]> {
  const hits: Person[] = [];
  for (let after = ""; ;) {
    const rows = await personalRecords.list("Person", { registrationId }, after, batchSize);
    for (const { _id } of rows.filter((row) => fits(row, words)).slice(0, maxRows - hits.length)) {
      const person = await people.find(_id);
      if (person !== null) hits.push(person);
    }
    if (rows.length < batchSize || hits.length >= maxRows) return hits;
    after = rows.at(-1)?._id ?? "";
    await letOthersRun();
  }
}

function fits(row: Readonly<Record<string, unknown>>, words: string): boolean {
  return ["name", "givenName", "familyName", "email", "idNumber"].some((field) => {
    const value = row[field];
    if (typeof value !== "string") return false;
    const text = value.toLowerCase();
    return text.startsWith(words) || text.includes(` ${words}`);
  });
}
