import { expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { metric, startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const world = await forAllTests(startWorld({ manners: "canvas" }));

const asked = () => world.lms.log().filter(({ service }) => service === "notice-handlers");
const open = (person: string, linkId: string) =>
  openCourseLink(createVisitor(), world.lms, person, linkId, { framed: true });

test("a launch in an LMS that offers notices subscribes once to those about copied courses", async () => {
  for (const person of ["student1", "teacher1", "student2"]) {
    expect((await open(person, "1")).status).toBe(200);
  }
  const [tool] = world.lms.tools();
  await vi.waitFor(() => {
    expect(tool?.noticeHandlers.get("LtiContextCopyNotice")).toBe(`${world.toolUrl}/lti/notices`);
  }, patience);
  await open("student3", "1");
  expect(asked().map(({ method, status }) => [method, status])).toEqual([["PUT", 200]]);
});

test("a notice of a copy is enough to ask its instructors, if launches send no history", async () => {
  const [tool] = world.lms.tools();
  if (tool === undefined) throw new Error("no tool");
  delete tool.custom["spaces_context_history"];
  // A course without a classroom, and with the default settings, has nothing to pass on.
  await walkIn(world, "student1", "1");
  const copy = world.lms.copyCourse("2");
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_notices_total{outcome="copy"}')).toBe(1);
  }, patience);
  const page = await open("teacher1", copy.links[0]?.id ?? "");
  expect(page.text).toContain("This course was copied from Biology 101 – Spring");
});
