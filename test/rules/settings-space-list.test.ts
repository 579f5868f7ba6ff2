import { describe, expect, test } from "vitest";
import { noApiUsers } from "../../src/domain/person.ts";
import type { Person } from "../../src/domain/course.ts";
import type { SpaceList } from "../../src/modules/spaces/space-list.ts";
import { spaceListLines } from "../../src/modules/courses/pages/settings-view.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { catalogues } from "../support/catalogues.ts";

const translatorOf = createTranslator();
const english = translatorOf("en");
const person = (name: string): Person => ({
  id: `per_${name}`,
  registrationId: "reg_1",
  deploymentId: "1",
  sub: name,
  name,
  givenName: null,
  familyName: null,
  email: null,
  environment: "production",
  apiUsers: noApiUsers,
});
const nobody: SpaceList = {
  hosts: [],
  later: [],
  hasHosts: false,
  learners: 0,
  failed: [],
  isPrivate: false,
  adds: [],
};
const spaceList = { ...nobody, hosts: [person("Ann")], hasHosts: true };
const both = ["host", "participant"] as const;

describe("a course's settings list the people its Space knows", () => {
  test.each<[string, SpaceList | null, RegExp[]]>([
    ["nothing without a Space", null, []],
    [
      "that nobody was sent as a host",
      { ...nobody, later: [person("Bob")] },
      [/^We haven’t sent the classroom/],
    ],
    ["its hosts", spaceList, [/^Instructors the classroom knows: Ann\.$/]],
    [
      "people who joined later, and what that means",
      { ...spaceList, later: [person("Bob"), person("Cy")] },
      [/Ann/, /^Joined later: Bob, Cy\. They may enter as participants/],
    ],
    [
      "people still to be added, if the dialect can add them",
      { ...spaceList, later: [person("Bob")], adds: both },
      [/Ann/, /^Joined later: Bob\. They become instructors/],
    ],
    [
      "how many learners a Private Space knows, and to invite the others",
      { ...spaceList, isPrivate: true, learners: 12 },
      [/Ann/, /: 12\. .*Invite/],
    ],
    [
      "no number of learners if learners are added",
      { ...spaceList, isPrivate: true, learners: 12, adds: both },
      [/Ann/],
    ],
    [
      "people whom the classroom did not add",
      { ...spaceList, failed: [person("Dee")], adds: both },
      [/Ann/, /didn’t add Dee/],
    ],
  ])("%s", (_what, given, lines) => {
    const said = spaceListLines(english, given);
    expect(said).toHaveLength(lines.length);
    for (const [at, line] of lines.entries()) expect(said[at]).toMatch(line);
  });

  test("names eight hosts and counts the others", () => {
    const many = Array.from({ length: 11 }, (_none, index) => person(`Nr${index}`));
    expect(spaceListLines(english, { ...spaceList, hosts: many })[0]).toMatch(/Nr7, 3 more\.$/);
  });

  test.each([...catalogues.keys()])("in %s, without a word of the operator's", (language) => {
    const everything = { ...spaceList, later: [person("Bob")], isPrivate: true, failed: [person("Dee")] };
    const text = spaceListLines(translatorOf(language), everything).join(" ");
    expect(text).toMatch(/Ann.*Bob.*Dee/);
    expect(text).not.toMatch(/told\.|dialect|addToSpace|API|\{\{/i);
  });
});
