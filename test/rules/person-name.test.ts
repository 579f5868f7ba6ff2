import { expect, test } from "vitest";
import { listedName, personName } from "../../src/domain/person.ts";

const nobody = { name: null, givenName: null, familyName: null, sub: "123" };

test.each([
  ["the name in the LMS", { ...nobody, name: "Zoë Åkesson", givenName: "Zoë" }, "Zoë Åkesson"],
  ["a name composed of its parts", { ...nobody, givenName: "Zoë", familyName: "Åkesson" }, "Zoë Åkesson"],
  ["the only part of a name", { ...nobody, name: " ", familyName: "Suharto" }, "Suharto"],
  ["a pseudonym if the LMS withholds names", nobody, "Learner 123"],
  ["the end of a long id", { ...nobody, sub: "4b1f9a52-7c07-4a52-9d59-1fd0a1b2c3d4" }, "Learner a1b2c3d4"],
])("a person is called by %s", (_what, person, expected) => expect(personName(person)).toBe(expected));

test.each([
  ["learner", "123", "Learner 123"],
  ["instructor", "4b1f9a52-7c07-4a52-9d59-1fd0a1b2c3d4", "Instructor a1b2c3d4"],
] as const)("a list names a %s without a name as the classroom does", (role, sub, expected) => {
  expect(listedName({ name: null, sub }, role)).toBe(expected);
  expect(personName({ ...nobody, sub }, role)).toBe(expected);
  expect(listedName({ name: "Zoë Åkesson", sub }, role)).toBe("Zoë Åkesson");
});

test("an instructor whose name is withheld is called “Instructor”", () => {
  expect(personName(nobody, "instructor")).toBe("Instructor 123");
});
