import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
/** How an arrived grade is marked: in the LMS by its name. */
const arrived = { moodle: "In Moodle", canvas: "In Canvas", other: "In the gradebook" };
const visitor = createVisitor();
const registrations = z.array(z.object({ id: z.string(), family: z.string(), active: z.boolean() }));
const reportSchema = z.object({ checks: z.array(z.object({ step: z.string(), outcome: z.string() })) });

/** The teacher's page in the LMS's frame. */
function teachersPage(world: DemoWorld): Promise<Seen> {
  return openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
}

/** What the gradebook has, as the teacher's page of grades tells it. */
async function gradesPage(world: DemoWorld): Promise<Seen> {
  return visitor.submit(await teachersPage(world), { action: "/course/grades" });
}

/** The row of a learner on the teacher's page of grades, as text. */
function rowIn(world: DemoWorld, page: Seen, username: string): string {
  const family = [...world.lms.world.people.values()].find((one) => one.username === username)?.family ?? "";
  const row = page.text.split("<tr").find((one) => one.includes(family)) ?? "";
  return row
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const arrives = (world: DemoWorld, username: string, grade: number) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, username)).toBe(grade);
  }, patience);

describe.each(["moodle", "canvas", "other"] as const)("in an LMS with the manners of %s", (manners) => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld({ manners, turns: { canvasOffersUpdates: false } });
  });
  afterAll(() => world.close());

  test("a learner walks in, attendance is marked, and the grade arrives and changes", async () => {
    const userId = await walkIn(world, "student1", biology.link);
    const lesson = holdSession(world, biology.name, userId, "PRESENT");
    await arrives(world, "student1", 100);
    world.classroom.markAttendance({ eventId: lesson, userId, status: "LATE" });
    await arrives(world, "student1", 80);
  });

  test("the teacher sees that it arrived, and who is in the course", async () => {
    await vi.waitFor(async () => {
      expect(rowIn(world, await gradesPage(world), "student1")).toContain(arrived[manners]);
    }, patience);
    await vi.waitFor(async () => {
      const people = await visitor.submit(await teachersPage(world), { action: "/course/people" });
      expect(people.text).toMatch(/\d+ people in your LMS/);
    }, patience);
  });

  test("the connection test finds everything in order", async () => {
    const [registration] = registrations.parse(await runCli(world.variables, ["platform", "list"]));
    expect(registration).toMatchObject({ family: manners, active: true });
    const report = await runCli(world.variables, ["platform", "test", registration?.id ?? ""]);
    const outcomes = reportSchema.parse(report).checks.map(({ step, outcome }) => `${step} ${outcome}`);
    const steps = ["keys", "launch", "token", "roster", "line-items", "results"];
    if (manners === "canvas") steps.push("description");
    expect(outcomes).toEqual(steps.map((step) => `${step} works`));
  });

  test("all tokens forgotten, the next grade still arrives", async () => {
    const userId = await walkIn(world, "student2", biology.link);
    world.lms.revokeTokens();
    holdSession(world, biology.name, userId, "PRESENT");
    await arrives(world, "student2", 100);
  });
});
