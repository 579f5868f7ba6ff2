import type { LmsRole, LmsSeed, SeedPerson } from "./stand-in-lms/lms-records.ts";

/** Many alphabets, an apostrophe, a very long name and a single name. */
const learnerNames: [string, string][] = [
  ["Zoë", "Åkesson"],
  ["José", "Álvarez Núñez"],
  ["Nguyễn", "Thị Hạnh"],
  ["Łukasz", "Żółkiewski"],
  ["Олена", "Коваленко"],
  ["王", "小明"],
  ["Anna", "Bianchi"],
  ["Ben", "Carter"],
  ["Chloé", "Dubois"],
  ["Dan", "O'Connor"],
  ["Emre", "Yıldız"],
  ["Fatima", "الزهراء"],
  ["Grace", "Okafor"],
  ["Hana", "Suzuki"],
  ["Ivan", "Petrović"],
  ["Jana", "Müller-Lüdenscheidt"],
  ["Kofi", "Mensah"],
  ["Leila", "Haddad"],
  ["Mikael", "Ørsted"],
  ["Nina", "Kowalska"],
  ["Omar", "Farouk"],
  ["Priya", "Raghunathan"],
  ["Quentin", "Lefèvre"],
  ["Rosa", "Castellanos de la Fuente y Montemayor"],
  ["Sven", "Jónsson"],
  ["Tomáš", "Dvořák"],
  ["Uma", "Patel"],
  ["Βασιλική", "Παπαδοπούλου"],
  ["William", "Smith"],
  ["Ximena", "Ruiz"],
];

function person(
  id: number,
  username: string,
  [given, family]: readonly [string, string],
  role: LmsRole,
  sections: string[] = [],
): SeedPerson {
  return { id: String(id), username, given, family, email: `${username}@example.test`, role, sections };
}

function learner(index: number, section: string): SeedPerson {
  const name = learnerNames[index] ?? (["Learner", String(index + 1)] as const);
  return person(11 + index, `student${index + 1}`, name, "student", [section]);
}

const biologist = person(3, "teacher1", ["Tessa", "Lindqvist"], "teacher");
const historian = person(4, "teacher2", ["Ravi", "Anand"], "teacher");
const room = { title: "Online classroom", graded: true, url: null, custom: {} };

const everyone = learnerNames.map((_name, index) => index);

/**
 * Two courses with two sections each, two instructors, thirty learners. All take biology (odd ones in A, even ones in B), eighteen
 * history.
 */
export const demoSeed: LmsSeed = {
  name: "Riverside College",
  sharing: { names: true, email: true },
  courses: [
    {
      id: "2",
      shortname: "BIO101",
      title: "Biology 101 – Spring",
      sections: [
        { id: "1", name: "Section A" },
        { id: "2", name: "Section B" },
      ],
      people: [biologist, ...everyone.map((index) => learner(index, index % 2 === 0 ? "1" : "2"))],
      links: [{ id: "1", ...room }],
    },
    {
      id: "3",
      shortname: "HIS205",
      title: "History 205: Cities and Trade",
      sections: [
        { id: "3", name: "Morning" },
        { id: "4", name: "Evening" },
      ],
      people: [
        historian,
        { ...biologist, role: "non-editing-teacher" },
        ...everyone.slice(0, 18).map((index) => learner(index, index < 9 ? "3" : "4")),
      ],
      links: [
        { id: "2", ...room },
        { id: "3", ...room, title: "Reading room", graded: false },
      ],
    },
  ],
};
