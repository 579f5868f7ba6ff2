import type { LmsSeed, SeedPerson } from "./stand-in-lms/lms-records.ts";

/** Many alphabets, an apostrophe, a very long one and a single name. */
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

function learner(index: number, sections: string[]): SeedPerson {
  const [given, family] = learnerNames[index] ?? ["Learner", String(index + 1)];
  const username = `student${index + 1}`;
  return {
    id: String(11 + index),
    username,
    given,
    family,
    email: `${username}@example.test`,
    role: "student",
    sections,
  };
}

const biologist: SeedPerson = {
  id: "3",
  username: "teacher1",
  given: "Tessa",
  family: "Lindqvist",
  email: "teacher1@example.test",
  role: "teacher",
  sections: [],
};

const historian: SeedPerson = {
  id: "4",
  username: "teacher2",
  given: "Ravi",
  family: "Anand",
  email: "teacher2@example.test",
  role: "teacher",
  sections: [],
};

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
      people: [biologist, ...everyone.map((index) => learner(index, [index % 2 === 0 ? "1" : "2"]))],
      links: [{ id: "1", title: "Online classroom", graded: true, url: null, custom: {} }],
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
        ...everyone.slice(0, 18).map((index) => learner(index, [index < 9 ? "3" : "4"])),
      ],
      links: [
        { id: "2", title: "Online classroom", graded: true, url: null, custom: {} },
        { id: "3", title: "Reading room", graded: false, url: null, custom: {} },
      ],
    },
  ],
};
