import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";

const biology = { course: "2", link: "1" };
const visitor = createVisitor();

async function peoplePage(world: DemoWorld): Promise<Seen> {
  const enter = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  return visitor.submit(enter, { action: "/course/people" });
}

function textOf(page: Seen): string {
  return page.text
    .slice(page.text.search(/<main\b/))
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

/** What the page says, once it says that. */
function whenPageSays(world: DemoWorld, says: RegExp): Promise<string> {
  return vi.waitFor(async () => {
    const text = textOf(await peoplePage(world));
    expect(text).toMatch(says);
    return text;
  }, patience);
}

const references = (world: DemoWorld) => world.classroom.users().map((user) => user.externalId);

describe("a class of thirty whose teacher opens the course", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  test("has its API users without anybody coming; who comes meanwhile is let in and has only one", async () => {
    const text = textOf(await peoplePage(world));
    expect(text).not.toContain("All 31 people");
    await whenPageSays(world, /\d+ people are being prepared, but can enter/);
    for (const person of ["student29", "student30", "student17"]) {
      const before = Date.now();
      await walkIn(world, person, biology.link);
      expect(Date.now() - before, `${person} did not wait behind the class`).toBeLessThan(5_000);
    }
    await whenPageSays(world, /All 31 people can enter right away/);
    expect(references(world)).toHaveLength(31);
    expect(new Set(references(world)).size).toBe(31);
    expect(world.classroom.users().filter(({ role }) => role === "host")).toHaveLength(1);
    const { refusedByLimit, mostInOneSecond } = world.classroom.callCounts();
    expect({ refusedByLimit, mostInOneSecond }).toEqual({ refusedByLimit: 0, mostInOneSecond: 4 });
  }, 90_000);
});
