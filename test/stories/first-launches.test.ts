import { expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";
const history = { graded: "2", ungraded: "3" };

const world = await forAllTests(startWorld());

test("twenty-five first launches at the same moment create one Space, and one API user for each person", async () => {
  const { lms, classroom } = world;
  const learners = Array.from({ length: 15 }, (_, index) => `student${index + 1}`);
  const arriving = [...learners, ...learners.slice(0, 10)];
  const pages = await Promise.all(
    arriving.map((person) => openCourseLink(createVisitor(), lms, person, biology, { framed: true })),
  );
  expect(pages.map((page) => page.status)).toEqual(arriving.map(() => 200));
  await vi.waitFor(
    () => {
      expect(classroom.users()).toHaveLength(15);
    },
    { timeout: 25_000, interval: 100 },
  );
  expect(classroom.spaces()).toHaveLength(1);
  // Everybody comes again, and nothing is created again.
  await Promise.all(learners.slice(0, 8).map((person) => walkIn(world, person, biology)));
  expect(classroom.spaces()).toHaveLength(1);
  expect(classroom.users()).toHaveLength(15);
  expect(new Set(classroom.users().map((user) => user.externalId)).size).toBe(15);
  expect(classroom.callCounts().refusedByLimit).toBe(0);
}, 60_000);

test("all links of a course open its one Space, and another course has its own", async () => {
  await walkIn(world, "student1", history.graded);
  await walkIn(world, "student2", history.ungraded);
  expect(world.classroom.spaces().map((space) => space.name)).toEqual([
    "BIO101 - Biology 101 – Spring",
    "HIS205 - History 205: Cities and Trade",
  ]);
});

test("a person is the same API user in both of their courses", async () => {
  const inBiology = await walkIn(world, "student3", biology);
  const inHistory = await walkIn(world, "student3", history.graded);
  expect(inHistory).toBe(inBiology);
});

test("a learner in the LMS's frame gets a button that opens the Space in a new tab", async () => {
  const visitor = createVisitor();
  const page = await openCourseLink(visitor, world.lms, "student5", biology, { framed: true });
  expect(page.text).toContain('target="_blank"');
  const pressed = await waitInQueue(visitor, await visitor.submit(page, { action: "/enter" }));
  expect(pressed.status).toBe(303);
  const inside = await visitor.open(pressed.location ?? "");
  expect(inside.text).toContain("Biology 101");
});
