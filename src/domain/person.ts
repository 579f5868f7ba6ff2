import type { Member, Person } from "./course.ts";
import { cutTo, endOf, showsNothing } from "../kernel/text.ts";

/** The name, else one from its parts, else a pseudonym such as "Learner 123" with the end of their LMS id, so instructors can find them. */
export function personName(
  person: Pick<Person, "name" | "givenName" | "familyName" | "sub">,
  role: "instructor" | "learner" = "learner",
): string {
  return listedName({ name: fullName(person), sub: person.sub }, role);
}

/** The name in a list: the LMS's, or the pseudonym that the classroom shows. */
export function listedName(
  { name, sub }: { name: string | null; sub: string },
  role: "instructor" | "learner" = "learner",
): string {
  return name ?? `${role === "instructor" ? "Instructor" : "Learner"} ${shortened(sub)}`;
}

/** The LMS's name, whole or made from its parts; null when the LMS withholds both. */
export function fullName(person: Pick<Person, "name" | "givenName" | "familyName">): string | null {
  const { name, givenName, familyName } = person;
  const parts = [givenName, familyName].filter((part) => part !== null && !showsNothing(part));
  if (name !== null && !showsNothing(name)) return name;
  return parts.length > 0 ? parts.join(" ") : null;
}

/** Names by person id, without people whose name the LMS withholds. */
export function namesOf(people: readonly Pick<Person, "id" | "name" | "givenName" | "familyName">[]) {
  return new Map(
    people.flatMap((one) => {
      const name = fullName(one);
      return name === null ? [] : [[one.id, name] as const];
    }),
  );
}

/** Ten characters distinguish the people of one institution, and fit on a participant's tile. */
function shortened(sub: string): string {
  return sub.length <= 10 ? sub : endOf(sub, 8);
}

/** The sort key: family name first, without accents and capitals; the LMS's id if it withholds names. */
export function listNameOf(person: Pick<Person, "name" | "givenName" | "familyName" | "sub">): string {
  const both = [person.familyName, person.givenName].filter((part) => part !== null).join(" ");
  const given = both === "" ? (person.name ?? person.sub) : both;
  return cutTo(plainName(given), 100);
}

/** A name for comparing and searching, without accents, capitals, width variants and invisible characters: "Mª" becomes "ma". */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

/** A role in the classroom: API users are created "per host and per participant" (interface document 1 and 2). */
export type ClassroomRole = "host" | "participant";

export type ApiUser = {
  id: string;
  /** The name sent to the classroom; null when none was sent, or for users that early versions made. */
  name: string | null;
};

/** `unknown`: users of early versions, or of a service without roles. Reports about them count, but nobody enters as them. */
export type ApiUsers = Record<ClassroomRole | "unknown", ApiUser | null>;

export const noApiUsers: ApiUsers = { host: null, participant: null, unknown: null };

export const apiUserSlots = ["host", "participant", "unknown"] as const;

/** The classroom role for a role in a course; rights come from that course only. */
export function classroomRoleOf(role: Member["role"]): ClassroomRole {
  return role === "instructor" ? "host" : "participant";
}

/** All classroom users of a person. A user that serves both roles appears once. */
export function usersOf({ apiUsers }: Pick<Person, "apiUsers">): ApiUser[] {
  const users = apiUserSlots.flatMap((slot) => apiUsers[slot] ?? []);
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

export function userIdsOf(person: Pick<Person, "apiUsers">): string[] {
  return usersOf(person).map(({ id }) => id);
}

/** The role for which a user was made; "unknown" when it serves both. */
export function madeAs({ apiUsers }: Pick<Person, "apiUsers">, userId: string): ClassroomRole | "unknown" {
  const [slot = "unknown", ...others] = apiUserSlots.filter((one) => apiUsers[one]?.id === userId);
  return others.length === 0 ? slot : "unknown";
}

/** Our own id for a user, sent to the classroom so that we can find its record again. Stable, one for each role of a person. */
export function referenceOf(personId: string, role: ClassroomRole | "unknown"): string {
  return role === "unknown" ? personId : `${personId}-${role}`;
}
