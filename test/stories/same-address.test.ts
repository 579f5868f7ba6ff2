import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { deepMerge } from "../../src/classroom/parse-dialect.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { id: "2", link: "1" };
const history = { id: "3", link: "2" };
/** What an operator writes after reading the refusal. */
const ofRole = { host: "{local}+{role}@{domain}", participant: "{local}+{role}@{domain}" };

const firstUsers = new Map<string, string>();
const world = await forAllTests(
  startWorld({
    learners: 2,
    turns: { addressesAreFree: true, aUserForEachRole: false },
    // The operator does not know yet that this classroom accepts each address once.
    dialectWith: (usual) => ({ ...usual, email: { synthetic: "{reference}@learners.example.edu" } }),
  }),
);
beforeAll(async () => {
  firstUsers.set("teacher2", await walkIn(world, "teacher2", history.link));
  firstUsers.set("student1", await walkIn(world, "student1", biology.link));
  // The history teacher now learns biology, and a student of biology teaches history.
  enrol(biology.id, "teacher2", "student");
  enrol(history.id, "student1", "teacher");
});

function enrol(courseId: string, username: string, role: "student" | "teacher"): void {
  const person = [...world.lms.world.people.values()].find((one) => one.username === username);
  if (person === undefined) throw new Error(`nobody is called ${username}`);
  world.lms.enrol(courseId, { ...person, role });
}

const addressesOf = (username: string) =>
  world.classroom
    .users()
    .flatMap(({ email, role }) =>
      email?.startsWith(`${username}@`) === true || email?.startsWith(`${username}+`) === true
        ? [`${role} ${email}`]
        : [],
    )
    .toSorted();

test("a classroom that accepts each address once refuses a person's second user, which a code explains", async () => {
  const refused = await openCourseLink(createVisitor(), world.lms, "teacher2", biology.link);
  expect(refused.status).toBe(502);
  expect(refused.text).toContain("The classroom can’t be opened");
  expect(refused.text, "a learner reads nothing of dialects").not.toContain("email.ofRole");
  const instructor = await enterByCourseLink(createVisitor(), world.lms, "student1", history.link);
  expect(instructor.status).toBe(502);
  expect(instructor.text).toContain("classroom-address-taken");
  expect(instructor.text, "the log has the sentence for operators").not.toContain("email.ofRole");
  expect(instructor.text).toContain("Give your administrator the reference");
  expect([addressesOf("teacher2"), addressesOf("student1")]).toEqual([
    ["host teacher2@example.test"],
    ["participant student1@example.test"],
  ]);
});

test("with an address for each role both enter at the next try, and keep their earlier users", async () => {
  const file = world.variables.CLASSROOM_DIALECT ?? "";
  const before: unknown = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(deepMerge(before, { email: { ofRole } })));
  await world.tool().end("SIGTERM");
  await world.restartTool();
  await walkIn(world, "teacher2", biology.link);
  await walkIn(world, "student1", history.link);
  expect(await walkIn(world, "teacher2", history.link)).toBe(firstUsers.get("teacher2"));
  expect(await walkIn(world, "student1", biology.link)).toBe(firstUsers.get("student1"));
  expect([addressesOf("teacher2"), addressesOf("student1")]).toEqual([
    ["host teacher2@example.test", "participant teacher2+participant@example.test"],
    ["host student1+host@example.test", "participant student1@example.test"],
  ]);
});
