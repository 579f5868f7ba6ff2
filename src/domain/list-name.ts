import type { Person } from "./course.ts";
import { cutTo } from "../kernel/text.ts";

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
