import { recordPages } from "./shared-steps.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { userIdsOf } from "../../domain/person.ts";
import type { Person } from "../../domain/course.ts";
import type { PersonSubject } from "../../domain/personal-data.ts";
import { sharedScope } from "../../domain/person-scope.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { writeAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/rules/audit.ts";
import type { UserOfPerson } from "../members/store/person-store.ts";
import { knownRegistration } from "../registration/registrations.ts";
import type { Erasure, ErasureSubject } from "./rules/erasure.ts";

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
 * Finds the person that some words identify. Earlier releases kept one record per deployment of the same person in Canvas. These are merged
 * first, so everything is shown, exported or erased.
 * @throws NamedError "no-such-person"
 */
export async function findPerson(app: FindPersonApp, words: PersonWords): Promise<Person> {
  const person = await personOf(app, words);
  const { idsHoldWithin } = capabilitiesOf(await app.registrations.find(person.registrationId));
  const shared = sharedScope(person.deploymentId);
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

/** Typing more finds others. */
const maxRows = 30;

/**
 * Finds people of an LMS: by exactly a user id of the LMS or the classroom, or by the beginning of an e-mail address or a word of a name. If
 * no id matches, it reads all people of the LMS.
 */
export async function searchPeople(app: FindPersonApp, registrationId: string, typed: string) {
  const query = typed.trim();
  if (query === "") return [];
  const named = await peopleOfId(app, registrationId, query);
  return named.length > 0 ? named : peopleOfWords(app, registrationId, query.toLowerCase());
}

/** Finds people by an id in one of the LMS's deployments or in the classroom. */
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

async function peopleOfWords(app: FindPersonApp, registrationId: string, words: string) {
  const hits: Person[] = [];
  for await (const rows of recordPages(app, "Person", { registrationId })) {
    for (const { _id } of rows.filter((row) => fits(row, words)).slice(0, maxRows - hits.length)) {
      const person = await app.people.find(_id);
      if (person !== null) hits.push(person);
    }
    if (hits.length >= maxRows) break;
  }
  return hits;
}

function fits(row: Readonly<Record<string, unknown>>, words: string): boolean {
  return ["name", "givenName", "familyName", "email", "idNumber"].some((field) => {
    const value = row[field];
    if (typeof value !== "string") return false;
    const text = value.toLowerCase();
    return text.startsWith(words) || text.includes(` ${words}`);
  });
}

/** What requesting erasures of people and courses needs. */
export type PrivacyApp = Pick<App, "audit" | "clock" | "courses" | "erasures" | "ids"> &
  Pick<App, "members" | "people" | "personalRecords" | "wake">;

type ErasureRequestApp = PrivacyApp & {
  who: Erasure["who"];
  /** An LMS's administrator, or an operator's e-mail address, for the audit log. */
  personId?: string;
  operator?: string;
};

const maxRowsOfCourse = 5_000;

/**
 * Enqueues the erasure of a course with all attendance and scores in it. Its people stay while they are in another course, and are erased
 * later otherwise. The next launch makes a new Space. The old one stays in the classroom, which has no call to remove it.
 * @param unopenedSince For retention: the course stays if it's opened after this (ms).
 * @throws NamedError "no-such-course"
 */
export async function eraseCourse(
  app: ErasureRequestApp,
  courseId: string,
  unopenedSince?: number,
): Promise<Erasure> {
  const course = await app.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId, environment, spaceId, title } = course;
  const fields = async (model: string, field: string) =>
    (await app.personalRecords.list(model, { courseId }, "", maxRowsOfCourse)).flatMap((row) => {
      const value = row[field];
      return typeof value === "string" ? [value] : [];
    });
  const spaceIds = [
    ...(spaceId === null ? [] : [spaceId]),
    ...(await fields("FormerSpace", "spaceId")),
    ...(await app.personalRecords.distinct("CourseLink", "choice.spaceId", { registrationId, courseId })),
  ];
  const eventIds = [
    ...(await fields("ClassroomEvent", "eventId")),
    ...(await fields("SessionPlan", "eventId")),
  ];
  return enqueueErasure(
    app,
    {
      kind: "course",
      registrationId,
      courseId,
      environment,
      spaceIds: [...new Set(spaceIds)],
      eventIds: [...new Set(eventIds)],
      ...(unopenedSince === undefined ? {} : { unopenedSince }),
    },
    title,
  );
}

export function unknownCourse(): NamedError {
  return refusal("no-such-course", { status: 404 });
}

/**
 * Enqueues the erasure of a person with attendance and scores. The LMS keeps its gradebook and is sent nothing. Later reports about them are
 * dropped until they open the tool again, as a new person. Their user stays in the classroom, which has no call to remove it.
 * @throws NamedError "no-such-person"
 */
export async function erasePerson(app: ErasureRequestApp, personId: string): Promise<Erasure> {
  const person = await app.people.find(personId);
  if (person === null) throw unknownPerson();
  return enqueueErasure(app, { kind: "person", ...(await personSubject(app, person)) }, null);
}

function unknownPerson(): NamedError {
  return refusal("no-such-person", { status: 404 });
}

/**
 * Switches an LMS off and enqueues the erasure of all its records.
 * @param typedName The LMS's name, typed to confirm.
 * @throws NamedError "no-such-registration", "name-differs"
 */
export async function uninstallRegistration(
  app: ErasureRequestApp & Pick<App, "registrations">,
  id: string,
  typedName: string,
): Promise<Erasure> {
  const { name, environment } = await knownRegistration(app.registrations, id);
  confirmTyped(typedName, name);
  await app.registrations.set(id, { active: false });
  return enqueueErasure(app, { kind: "registration", registrationId: id, accounts: [environment] }, name);
}

const actions: Record<ErasureSubject["kind"], AuditAction> = {
  person: "person-erased",
  course: "course-erased",
  registration: "registration-uninstalled",
};

/**
 * Stores an erasure for a worker. The audit log doesn't name erased people.
 * @param label What operators recognize it by. Null for people.
 */
async function enqueueErasure(
  app: ErasureRequestApp,
  subject: ErasureSubject,
  label: string | null,
): Promise<Erasure> {
  const { kind, registrationId } = subject;
  const erasure: Erasure = {
    id: app.ids.id("ers"),
    kind,
    registrationId,
    label,
    who: app.who,
    subject,
    state: "erasing",
    rounds: 0,
    step: 0,
    cursor: "",
    found: 0,
    erased: {},
    askedAt: app.clock.now(),
    doneAt: null,
  };
  await app.erasures.insert(erasure);
  const { who } = app;
  // Automatic erasures are in the list of erasures. The audit log is about what people did.
  if (who !== "retention")
    await writeAudit({ ...app, who }, { what: actions[kind], registrationId, on: label ?? erasure.id });
  app.wake("erasures");
  return erasure;
}

/** How many matches one person can have. More would be a fault. */
const maxMatchesOfPerson = 100;

/** If a user's match was undone, the user doesn't count as theirs. */
export async function personSubject(
  app: Pick<App, "people" | "members" | "personalRecords">,
  person: Person,
): Promise<PersonSubject> {
  const { id, registrationId, deploymentId, sub, environment } = person;
  const merged = await app.people.listMergedInto([person]);
  const personIds = [id, ...merged.map((one) => one.id)];
  const made = [person, ...merged].flatMap(userIdsOf);
  const matches = await app.personalRecords.list(
    "UserMatch",
    { registrationId, personId: id, state: "holds" },
    "",
    maxMatchesOfPerson,
  );
  const matched = matches.flatMap(({ userId }) => (typeof userId === "string" ? [userId] : []));
  const userIds = [...new Set([...made, ...matched])];
  const soleUserIds: string[] = [];
  for (const userId of userIds) {
    const people = await app.people.listByApiUser(environment, userId);
    const others = await app.personalRecords.list(
      "UserMatch",
      { environment, userId, personId: { $ne: id }, state: "holds" },
      "",
      1,
    );
    if (others.length === 0 && people.every((one) => one.person.id === id)) soleUserIds.push(userId);
  }
  const members = await app.members.listOfPerson(registrationId, id);
  const courseIds = members.map(({ courseId }) => courseId);
  return { registrationId, deploymentId, sub, personIds, environment, userIds, soleUserIds, courseIds };
}

/** Compares letter by letter, except for spaces (pages show several as one) and encodings of accents. @throws "name-differs" */
export function confirmTyped(typed: string, expected: string): void {
  if (plain(typed) === plain(expected)) return;
  throw refusal("name-differs", { status: 400 });
}

function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}
