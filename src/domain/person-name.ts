import type { Person } from "./course.ts";

/**
 * What to call a person: their name, else one put together from its parts, else a pseudonym. An LMS that withholds
 * names still gives an id, so the pseudonym is the same everywhere and an instructor can find the person by it:
 * "Learner 123". Long ids (Canvas) are cut to their end.
 * @param role Of the course they are in; the pseudonym says which.
 */
export function personName(
  person: Pick<Person, "name" | "givenName" | "familyName" | "sub">,
  role: "instructor" | "learner" = "learner",
): string {
  return listedName({ name: toldName(person), sub: person.sub }, role);
}

/** The name of a row in a list, which is the one above: what the LMS tells, else the pseudonym that the classroom shows. */
export function listedName(
  { name, sub }: { name: string | null; sub: string },
  role: "instructor" | "learner" = "learner",
): string {
  return name ?? `${role === "instructor" ? "Instructor" : "Learner"} ${shortened(sub)}`;
}

/** The name the LMS tells: the whole one, else one put together from its parts; null when it withholds both. */
export function toldName(person: Pick<Person, "name" | "givenName" | "familyName">): string | null {
  const { name, givenName, familyName } = person;
  const parts = [givenName, familyName].filter((part) => part !== null && part.trim() !== "");
  if (name !== null && name.trim() !== "") return name;
  return parts.length > 0 ? parts.join(" ") : null;
}

/** Ten characters tell people of one institution apart, and fit into a participant's tile. */
function shortened(sub: string): string {
  return sub.length <= 10 ? sub : sub.slice(-8);
}
