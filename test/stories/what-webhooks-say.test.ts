import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/start-world.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const patience = { timeout: 60_000, interval: 200 };
let world: DemoWorld;
let ana: string;
let ben: string;
beforeAll(async () => {
  world = await startWorld({ learners: 3 });
  await walkIn(world, "teacher1", biology.link);
  [ana, ben] = [await walkIn(world, "student1", biology.link), await walkIn(world, "student2", biology.link)];
}, 90_000);
afterAll(() => world.close());

function spaceId(): string {
  const space = world.classroom.spaces().find(({ name }) => name.startsWith(biology.name));
  if (space === undefined) throw new Error("the course has no Space");
  return space.spaceId;
}

/** A session that has just begun. */
function begun(title: string): string {
  const startsAt = Date.now() - 60_000;
  return world.classroom.createEvent({ spaceId: spaceId(), title, startsAt, endsAt: startsAt + 3_600_000 })
    .eventId;
}

const textOf = ({ text }: Seen) =>
  text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&#34;", '"')
    .replace(/\s+/g, " ");

/** Every learner's page, as an instructor opens them from the table. */
async function learnerPages(): Promise<string[]> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  const grid = await visitor.submit(home, { action: "/course/grid" });
  const people = new Set([...grid.text.matchAll(/name="person" value="([^"]+)"/g)].map(([, id = ""]) => id));
  const pages = [];
  for (const person of people)
    pages.push(textOf(await visitor.submit(grid, { action: "/course/learner", fields: { person } })));
  return pages;
}

describe("A message of the classroom that got lost", () => {
  test("is noticed by the next one, what else was lost is read, and the trail shows the gap", async () => {
    const lesson = begun("Cells");
    const mark = (userId: string, status: "PRESENT" | "LATE" | "ABSENT") =>
      world.classroom.markAttendance({ eventId: lesson, userId, status });
    mark(ana, "PRESENT");
    await vi.waitFor(() => expect(gradeOfLearner(world, biology.course, "student1")).toBe(100), patience);
    world.classroom.setWebhookSwitches({ loseNext: 2 });
    mark(ana, "LATE");
    mark(ben, "LATE");
    mark(ana, "ABSENT");
    await vi.waitFor(() => expect(gradeOfLearner(world, biology.course, "student1")).toBe(0), patience);
    expect(gradeOfLearner(world, biology.course, "student2"), "nothing was heard of Ben").toBeNull();
    await vi.waitFor(() => expect(gradeOfLearner(world, biology.course, "student2")).toBe(80), patience);
    expect(world.classroom.calls().filter(({ operation }) => operation === "readAttendance")).toHaveLength(1);
    const trails = (await learnerPages()).join("\n");
    expect(
      trails.match(/Before this, the classroom had “Late”\. Its message about that has not/g),
    ).toHaveLength(1);
  });
});
