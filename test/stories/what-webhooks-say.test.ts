import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
let world: DemoWorld;
let teacher: string;
let ana: string;
let ben: string;
beforeAll(async () => {
  world = await startWorld({ learners: 3 });
  teacher = await walkIn(world, "teacher1", biology.link);
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

/** A page of the course as somebody sees it now. */
async function pageOf(person: string, action: string, fields: Record<string, string> = {}): Promise<string> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, person, biology.link, { framed: true });
  return textOf(action === "" ? home : await visitor.submit(home, { action, fields }));
}

/** Every learner's page, as an instructor opens them from the table. */
async function learnerPages(): Promise<string[]> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  const grid = await visitor.submit(home, { action: "/course/grid" });
  const rows = [...grid.text.matchAll(/name="who" value="(\d+)"/g)].map(([, row = ""]) => row);
  const pages = [];
  for (const who of rows)
    pages.push(textOf(await visitor.submit(grid, { action: "/course/learner", fields: { who } })));
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
      trails.match(/Before this, the classroom had “Late”\. That message never arrived here/g),
    ).toHaveLength(1);
  });
});

describe("What was done in the classroom", () => {
  test("is told with the name of who did it, where we know them; a deleted session is not called cancelled", async () => {
    const [off, gone, moved] = ["Off", "Gone", "Moved"].map((title) => begun(title));
    if (off === undefined || gone === undefined || moved === undefined) throw new Error("no sessions");
    const page = () => pageOf("teacher1", "/course/sessions");
    // Of one that is gone before we heard of it nobody can say anything.
    await vi.waitFor(async () => expect(await page()).toMatch(/ Gone .*/), patience);
    world.classroom.cancelEvent({ eventId: off, by: teacher });
    world.classroom.deleteEvent({ eventId: gone, by: teacher });
    world.classroom.updateEvent({ eventId: moved, title: "Moved by the key's account" });
    await vi.waitFor(async () => {
      const text = await page();
      expect(text).toMatch(/ Off [^.]*?cancelled in the classroom by Tessa Lindqvist cancelled/);
      expect(text).toMatch(
        / Gone [^.]*?deleted in the classroom by Tessa Lindqvist deleted in the classroom/,
      );
      expect(text).toMatch(/Moved by the key's account [^·]*Change/);
    }, patience);
    const mine = await pageOf("student1", "/course/my-sessions");
    expect(mine).toMatch(/ Gone .*? deleted in the classroom/);
    expect(mine).not.toContain("Tessa");
  });
});

describe("An alert that nobody came", () => {
  test("is closed by the register when it says otherwise, and names who takes care of it", async () => {
    const lesson = begun("Genes");
    const alert = world.classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId: lesson });
    const home = () => pageOf("teacher1", "");
    await vi.waitFor(async () => expect(await home()).toContain("Nobody came to “Genes”"), patience);
    world.classroom.updateAlert({ alertId: alert.alertId, assigneeId: teacher, by: teacher });
    // The page of alerts stays open; the way there is on the home page only while there is something to see.
    const visitor = createVisitor();
    const page = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
    const alerts = async () => textOf(await visitor.submit(page, { action: "/course/alerts" }));
    await vi.waitFor(async () => {
      const open = await alerts();
      expect(open).toContain("Tessa Lindqvist in the classroom’s control centre is on it.");
      expect(open).toMatch(/Raised, by the classroom .*Changed, by Tessa Lindqvist/);
    }, patience);
    world.classroom.markAttendance({ eventId: lesson, userId: ana, status: "LATE" });
    await vi.waitFor(async () => expect(await home()).not.toContain("Nobody came to"), patience);
    expect(await alerts()).toContain("Register: 1 was there");
    world.classroom.markAttendance({ eventId: lesson, userId: ana, status: "ABSENT" });
    await vi.waitFor(async () => expect(await home()).toContain("Nobody came to “Genes”"), patience);
  });
});
