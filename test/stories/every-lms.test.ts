import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const registrations = z.array(z.object({ id: z.string(), family: z.string(), active: z.boolean() }));
const reportSchema = z.object({ checks: z.array(z.object({ step: z.string(), outcome: z.string() })) });

const arrives = (world: DemoWorld, username: string, grade: number) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, biology.course, username)).toBe(grade);
  }, patience);

describe.each(["moodle", "canvas", "other"] as const)("in an LMS that behaves like %s", (manners) => {
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

  test("the connection test finds no problems", async () => {
    const [registration] = registrations.parse(await runCli(world.variables, ["platform", "list"]));
    expect(registration).toMatchObject({ family: manners, active: true });
    const report = await runCli(world.variables, ["platform", "test", registration?.id ?? ""]);
    const outcomes = reportSchema.parse(report).checks.map(({ step, outcome }) => `${step} ${outcome}`);
    const steps = ["keys", "launch", "token", "roster", "line-items", "results"];
    if (manners === "canvas") steps.push("description");
    expect(outcomes).toEqual(steps.map((step) => `${step} works`));
  });
});
