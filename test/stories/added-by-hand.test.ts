import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { operatorAt, rightPassword } from "../support/tool/console-tool.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const registration = z.object({
  id: z.string(),
  clientId: z.string(),
  family: z.string(),
  familyFrom: z.string().optional(),
  product: z.string().optional(),
});

let id: string;

/** The registration as the operator sees it. */
async function listed() {
  const all = z.array(registration).parse(await runCli(world.variables, ["platform", "list"]));
  const one = all.find((row) => row.id === id);
  if (one === undefined) throw new Error(`${id} is not registered`);
  return one;
}

const world = await forAllTests(
  startWorld({ manners: "canvas", learners: 3, variables: { ADMIN_PASSWORD: rightPassword } }),
);
beforeAll(async () => {
  const [registered] = world.lms.tools();
  if (registered === undefined) throw new Error("no tool is registered");
  const tool = world.lms.addToolByHand({
    name: "Classroom",
    loginUrl: registered.loginUrl,
    launchUrl: registered.launchUrl,
    jwksUrl: registered.jwksUrl,
    custom: registered.custom,
  });
  for (const course of world.lms.world.courses.values()) {
    for (const link of course.links) link.toolId = tool.id;
  }
  const { url } = world.lms;
  const added = await runCli(world.variables, [
    "platform",
    "add",
    "--issuer",
    url,
    "--client-id",
    tool.clientId,
    "--auth-url",
    `${url}/api/lti/authorize_redirect`,
    "--token-url",
    `${url}/login/oauth2/token`,
    "--jwks-url",
    `${url}/api/lti/security/jwks`,
  ]);
  id = registration.parse(added).id;
});

test("a Canvas added by hand as another product is recognized from the first launch on", async () => {
  expect(await listed()).toMatchObject({ family: "other" });
  expect((await listed()).product).toBeUndefined();
  const userId = await walkIn(world, "student1", biology.link);
  expect(await listed()).toMatchObject({ family: "canvas", product: "canvas" });
  holdSession(world, biology.name, userId, "PRESENT");
  await vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, "student1")).toBe(100);
  }, patience);
  // A standard score would open a new attempt (Canvas's extension, new_submission: true by default).
  const learner = world.lms.gradebook(biology.course).learners.find((one) => one.username === "student1");
  expect(learner?.grades.map(({ attempts }) => attempts)).toEqual([0]);
});

test("the product that an operator chose is kept, and the console shows that the LMS contradicts", async () => {
  await runCli(world.variables, ["platform", "family", id, "moodle"]);
  await openCourseLink(createVisitor(), world.lms, "student1", biology.link);
  expect(await listed()).toMatchObject({ family: "moodle", familyFrom: "operator", product: "canvas" });

  const operator = await operatorAt(world.toolUrl);
  const page = await operator.open(`${world.toolUrl}/admin/registrations/${id}`);
  expect(page.text).toContain("launches report “canvas”");
  const done = await operator.submit(page, { action: "/family", fields: { to: "learn" } });
  const after = await operator.open(done.location ?? "");
  expect(after.text).toContain("The LMS is now treated as this product.");
  expect(after.text).not.toContain("launches report");
  expect(await listed()).toMatchObject({ family: "canvas" });
  expect((await listed()).familyFrom).toBeUndefined();
});
