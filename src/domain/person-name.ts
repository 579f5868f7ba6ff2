import { cutTo, endOf, showsNothing } from "../kernel/text.ts";
import type { Person } from "./course.ts";

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
  const plain = given
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .trim();
  return cutTo(plain, 100);
}
