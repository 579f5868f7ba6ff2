import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { arriveAndWait, askState, ticketOf, waitingAddressOf } from "../support/tool/in-queue.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";
const world = await forAllTests(startWorld());
beforeAll(async () => {
  await walkIn(world, "student1", biology);
});
afterEach(() => {
  world.classroom.clearFaults();
});

test("when authorize answers with garbage, a learner sees what to do, an instructor why, and the next attempt works", async () => {
  world.classroom.addFault({ operation: "authorize", kind: "garbage", times: 1_000 });
  const learner = createVisitor();
  const seen = await openCourseLink(learner, world.lms, "student1", biology);
  expect(seen.status).toBeGreaterThanOrEqual(500);
  expect(seen.text).toMatch(/try again/i);
  expect(seen.text).toContain("tell your teacher");
  expect(seen.text).not.toContain("answered in an unexpected way");
  const instructor = await enterByCourseLink(createVisitor(), world.lms, "teacher1", biology);
  expect(instructor.text).toContain("answered in an unexpected way");
  for (const page of [seen, instructor]) expect(page.text).not.toContain(world.variables.CLASSROOM_API_KEY);

  world.classroom.clearFaults();
  const again = await learner.submit(seen);
  expect(again.status).toBe(303);
});

test("when authorize answers with 500 for a while, people are told, wait on, and are let in by themselves", async () => {
  world.classroom.addFault({ operation: "authorize", kind: "500", times: 1_000 });
  const arrival = await arriveAndWait(world.lms, "student1", biology);
  // What is told may be a second old, so of the trouble before this one: both are awaited together.
  await vi.waitFor(
    async () => {
      expect(await askState(world.toolUrl, ticketOf(arrival))).toMatchObject({ trouble: true });
      const page = await arrival.visitor.open(waitingAddressOf(arrival));
      expect(page.text).toContain("The classroom isn’t answering.");
    },
    { timeout: 15_000, interval: 200 },
  );
  world.classroom.clearFaults();
  const inside = await waitInQueue(arrival.visitor, arrival.seen);
  expect([inside.status, inside.location]).toEqual([303, expect.stringContaining(world.classroom.appUrl)]);
});

test("when the Space cannot be made, the next person makes it", async () => {
  world.classroom.addFault({ operation: "createSpace", kind: "500", times: 1 });
  const first = await openCourseLink(createVisitor(), world.lms, "student1", "2");
  expect(first.status).toBeGreaterThanOrEqual(500);
  await walkIn(world, "student2", "2");
  expect(world.classroom.spaces().filter((space) => space.name.startsWith("HIS205"))).toHaveLength(1);
});
