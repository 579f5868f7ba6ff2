import type { Member, Person } from "./course.ts";
import { cutTo, endOf, showsNothing } from "../kernel/text.ts";

/** Name, else one from its parts, else a pseudonym such as "Learner 123", by whose LMS id (its end, if long) an instructor finds them. */
export function personName(
  person: Pick<Person, "name" | "givenName" | "familyName" | "sub">,
  role: "instructor" | "learner" = "learner",
): string {
  return listedName({ name: fullName(person), sub: person.sub }, role);
}

/** The name in a list: the LMS's, else the pseudonym shown in the classroom. */
export function listedName(
  { name, sub }: { name: string | null; sub: string },
  role: "instructor" | "learner" = "learner",
): string {
  return name ?? `${role === "instructor" ? "Instructor" : "Learner"} ${shortened(sub)}`;
}

/** The LMS's name, whole or from its parts; null when it withholds both. */
export function fullName(person: Pick<Person, "name" | "givenName" | "familyName">): string | null {
  const { name, givenName, familyName } = person;
  const parts = [givenName, familyName].filter((part) => part !== null && !showsNothing(part));
  if (name !== null && !showsNothing(name)) return name;
  return parts.length > 0 ? parts.join(" ") : null;
}

/** By person id, without those whose name the LMS withholds. */
export function namesOf(people: readonly Pick<Person, "id" | "name" | "givenName" | "familyName">[]) {
  return new Map(
    people.flatMap((one) => {
      const name = fullName(one);
      return name === null ? [] : [[one.id, name] as const];
    }),
  );
}

/** Ten characters distinguish people of one institution, and fit into a participant's tile. */
function shortened(sub: string): string {
  return sub.length <= 10 ? sub : endOf(sub, 8);
}

/** Family name first, without accents and capitals, for plain text comparison; the LMS's id where it withholds names. */
export function listNameOf(person: Pick<Person, "name" | "givenName" | "familyName" | "sub">): string {
  const both = [person.familyName, person.givenName].filter((part) => part !== null).join(" ");
  const given = both === "" ? (person.name ?? person.sub) : both;
  return cutTo(plainName(given), 100);
}

/** Without accents, capitals, kinds of width and what is not seen, for comparing and searching: "Mª" is "ma". */
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
  /** As sent to the classroom; null when none was, or for users of early versions. */
  name: string | null;
};

/** `unknown`: of users made in a role that is not known (early versions, or users have no role there): reports count, no one enters with them. */
export type ApiUsers = Record<ClassroomRole | "unknown", ApiUser | null>;

export const noApiUsers: ApiUsers = { host: null, participant: null, unknown: null };

export const apiUserSlots = ["host", "participant", "unknown"] as const;

/** The classroom role for a role in a course; rights come from that course only. */
export function classroomRoleOf(role: Member["role"]): ClassroomRole {
  return role === "instructor" ? "host" : "participant";
}

/** All classroom users of a person; one that serves both roles once. */
export function usersOf({ apiUsers }: Pick<Person, "apiUsers">): ApiUser[] {
  const users = apiUserSlots.flatMap((slot) => apiUsers[slot] ?? []);
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

export function userIdsOf(person: Pick<Person, "apiUsers">): string[] {
  return usersOf(person).map(({ id }) => id);
}

/** The role a user was made with; "unknown" when it serves both. */
export function madeAs({ apiUsers }: Pick<Person, "apiUsers">, userId: string): ClassroomRole | "unknown" {
  const [slot = "unknown", ...others] = apiUserSlots.filter((one) => apiUsers[one]?.id === userId);
  return others.length === 0 ? slot : "unknown";
}

/** Our own id of a user, sent to the classroom so that its record can be found again: stable, one for each role of a person. */
export function referenceOf(personId: string, role: ClassroomRole | "unknown"): string {
  return role === "unknown" ? personId : `${personId}-${role}`;
}
