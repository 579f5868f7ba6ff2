import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { enterByCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const registration = z.object({ id: z.string(), clientId: z.string() });
const named = z.array(z.object({ title: z.string() }));
const said = z.object({
  kept: z.number(),
  moved: named,
  replaced: named,
  conflicts: named,
  deployments: z.array(z.object({ told: z.string(), kept: z.string() })),
});

let old: z.infer<typeof registration>;
let renewed: z.infer<typeof registration>;
const users = { first: "", third: "" };

const operator = (...command: string[]): Promise<unknown> => runCli(world.variables, command);
const platforms = async () => z.array(registration).parse(await operator("platform", "list"));
const chemistry = () => world.lms.world.courses.get("3")?.links[0]?.id ?? "";
/** All grades that a learner has in a course, by column. */
const gradesOf = (course: string, username: string) =>
  world.lms
    .gradebook(course)
    .learners.find((one) => one.username === username)
    ?.grades.map(({ value }) => value) ?? [];
const arrives = (course: string, username: string, grade: number) =>
  vi.waitFor(() => {
    expect(gradesOf(course, username)).toContain(grade);
  }, patience);

/** Somebody walks in, as `walkIn`; with the Space they come into. */
async function enters(person: string, link: string): Promise<{ userId: string; space: string }> {
  const userId = await walkIn(world, person, link);
  const login = world.classroom.authorizations().findLast((one) => one.userId === userId);
  return { userId, space: login?.spaceId ?? "" };
}
let space: string;

const world = await forAllTests(startWorld({ learners: 3 }));
beforeAll(async () => {
  const [registered] = await platforms();
  if (registered === undefined) throw new Error("no LMS is registered");
  old = registered;
  const came = await enters("student1", biology.link);
  [users.first, space] = [came.userId, came.space];
  expect(space).not.toBe("");
  holdSession(world, biology.name, users.first, "PRESENT");
  await arrives(biology.course, "student1", 100);

  // Moodle: the tool is deleted and registered anew; the activities are made anew, too.
  const [tool] = world.lms.tools();
  world.lms.deleteTool(tool?.id ?? "");
  const { url } = z.object({ url: z.url() }).parse(await operator("invite"));
  const dialog = await createVisitor().open(await world.lms.beginRegistration(url), { framed: true });
  expect(dialog.text).toContain("The tool is registered");
  const anew = world.lms.tools().find(({ id }) => id !== tool?.id);
  world.lms.activateTool(anew?.id ?? "");
  for (const course of world.lms.world.courses.values()) {
    for (const link of course.links) link.toolId = anew?.id ?? "";
  }
  const later = (await platforms()).find(({ id }) => id !== old.id);
  if (later === undefined) throw new Error("the LMS was not registered anew");
  renewed = later;
});

describe("A Moodle in which the tool was deleted and registered anew", { timeout: 180_000 }, () => {
  test("is another LMS to the tool at first: the course has a second Space", async () => {
    const again = await enters("student1", biology.link);
    expect(again.space).not.toBe(space);
    expect(again.userId).not.toBe(users.first);
    users.third = await walkIn(world, "student2", chemistry());
    const course = world.lms.world.courses.get("3");
    holdSession(world, course?.shortname ?? "", users.third, "LATE");
    await arrives("3", "student2", 80);
  });

  test("an operator sees beforehand what it comes to that it is the same LMS, and nothing is changed", async () => {
    const before = await platforms();
    const plan = said.parse(await operator("platform", "same-as", renewed.id, old.id, "--dry-run"));
    expect(plan).toMatchObject({ kept: 1, conflicts: [] });
    expect(plan.moved).toHaveLength(1);
    expect(plan.replaced).toHaveLength(1);
    expect(await platforms()).toEqual(before);
  });

  test("keeps the course's Space and people once it is said, and what was opened since goes over", async () => {
    await operator("platform", "same-as", renewed.id, old.id);
    expect(await platforms()).toEqual([{ id: old.id, clientId: renewed.clientId }]);
    expect(await enters("student1", biology.link)).toEqual({ userId: users.first, space });
    const spaces = world.classroom.spaces().length;
    expect(await walkIn(world, "student2", chemistry())).toBe(users.third);
    expect(world.classroom.spaces()).toHaveLength(spaces);
  });

  test("takes grades of earlier and of new sessions", async () => {
    holdSession(world, biology.name, users.first, "LATE");
    await arrives(biology.course, "student1", 90);
    const course = world.lms.world.courses.get("3");
    holdSession(world, course?.shortname ?? "", users.third, "PRESENT");
    await arrives("3", "student2", 90);
  });

  test("is not reached by the earlier client id any more, and cannot be said the same twice", async () => {
    const query = new URLSearchParams({
      iss: world.lms.url,
      client_id: old.clientId,
      login_hint: "3",
      target_link_uri: `${world.toolUrl}/lti/launch`,
    });
    const answer = await fetch(`${world.toolUrl}/lti/login?${query.toString()}`, { redirect: "manual" });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    await expect(operator("platform", "same-as", renewed.id, old.id)).rejects.toThrow();
    expect((await enterByCourseLink(createVisitor(), world.lms, "teacher1", biology.link)).status).toBe(303);
  });
});
