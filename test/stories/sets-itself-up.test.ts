import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { nothingTurned } from "../../sandbox/assumptions.ts";
import { demoSeed } from "../../sandbox/demo-seed.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { startStandInClassroom } from "../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { type StandInLms, startStandInLms } from "../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const patience = { timeout: 60_000, interval: 200 };
const link = "1";
const key = randomIds.secret();

/** The institution's own LMS and classroom. */
let admin: Visitor;
/** The set-up page's address. */
let setUp: string;

const operator = (...command: string[]): Promise<unknown> => runCli(world.variables, command);
const startLms = async (): Promise<StandInLms> =>
  startStandInLms({
    ...{ port: await freePort(0), clock: systemClock, logger: createLogger("silent"), seed: demoSeed },
    ...{ manners: "moodle", turned: nothingTurned },
  });
/** An administrator comes from a course of their LMS. @returns where the console begins for them */
async function comesIn(lms: StandInLms, visitor: Visitor): Promise<Seen> {
  const page = await openCourseLink(visitor, lms, "admin", link);
  return visitor.submit(page, { action: "/admin/lms" });
}
const look = () => admin.open(setUp);
const send = async (action: string, fields: Record<string, string> = {}) =>
  admin.submit(await look(), { action, fields });
/** Each step's state, as a person reads it. */
const statesOn = ({ text }: Seen) =>
  Object.fromEntries(
    [...text.matchAll(/id="step-(\w+)"[\s\S]*?<span class="pill \w+">[\s\S]*?<\/svg>([^<]+)</g)].map(
      ([, step = "", state]) => [step, state],
    ),
  );
const connection = (apiKey: string) => ({ baseUrl: classroom.apiUrl, appUrl: classroom.appUrl, apiKey });

const world = await forAllTests(
  startWorld({ learners: 2, variables: { ADMIN_PASSWORD: "a password for one story only" } }),
);
const college = await forAllTests(startLms());
const classroom = await forAllTests(
  startStandInClassroom({
    ...{ port: await freePort(0), clock: systemClock, logger: createLogger("silent") },
    ...{ apiKey: key, webhookSecret: "a secret that nobody has set", spelling: "a", turned: nothingTurned },
  }),
);
beforeAll(async () => {
  const invited = await operator("invite", "--institution", "North College", "--new-account", "north");
  const { url } = z.object({ url: z.url() }).parse(invited);
  expect(textOf(await createVisitor().open(url))).toContain("This invitation is for North College.");
  const done = await createVisitor().open(await college.beginRegistration(url), { framed: true });
  expect(textOf(done)).toContain("choose “Open administration”");
  for (const { id } of college.tools()) college.activateTool(id);
  admin = createVisitor();
});

describe("an institution that was invited with an account of its own", { timeout: 180_000 }, () => {
  test("has nobody in its classroom yet, and its administrator is led to the set-up", async () => {
    const learner = await enterByCourseLink(createVisitor(), college, "student1", link);
    expect([learner.location, learner.status]).toEqual([null, 200]);
    expect(textOf(learner)).toContain("The classroom isn’t ready yet");
    expect(textOf(learner)).toContain("Tell your instructor.");
    const teacher = await openCourseLink(createVisitor(), college, "teacher1", link);
    expect(textOf(teacher)).toContain("The classroom isn’t ready yet");
    expect(textOf(teacher)).toContain("hasn’t finished its set-up. Tell your administrator.");
    const administrator = await openCourseLink(createVisitor(), college, "admin", link);
    expect(textOf(administrator)).toContain("Finish the set-up of your institution");
    const entered = await comesIn(college, admin);
    setUp = entered.location ?? "";
    expect(setUp).toMatch(/\/admin\/registrations\/reg_[^/]+\/set-up$/);
    const page = await look();
    expect(textOf(page)).toContain("Set up North College");
    expect(textOf(page)).toContain("2 of 7 steps done");
    expect(statesOn(page)).toEqual({
      ...{ connection: "To do", webhooks: "To do", doctor: "To do", launch: "Done", deployments: "Done" },
      ...{ defaults: "To do", look: "To do" },
    });
  });

  test("is told in words that a key is wrong; what was typed stays, but not the key", async () => {
    const wrong = "a-key-of-somebody-else";
    const refused = await send("/connection", connection(wrong));
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("The classroom refuses this key");
    expect(refused.text).toContain(`value="${classroom.apiUrl}"`);
    expect(refused.text).not.toContain(wrong);
    expect(statesOn(await look())).toMatchObject({ connection: "To do" });
  });

  test("gives the right key, connects the webhooks, and the doctor answers in words", async () => {
    expect((await send("/connection", connection(key))).location).toContain("note=connection");
    expect((await send("/webhooks", { what: "connect" })).location).toContain("note=connected");
    expect((await send("/doctor")).location).toContain("note=asked");
    await vi.waitFor(async () => {
      expect(statesOn(await look())).toMatchObject({ connection: "Done", webhooks: "Done", doctor: "Done" });
    }, patience);
    const page = await look();
    expect(textOf(page)).toMatch(/API key It’s accepted/);
    expect(page.text).not.toContain(key);
  });

  test("takes its half-done set-up up again after the tool has restarted", async () => {
    await send("/steps", { step: "look", mark: "skipped" });
    await world.tool().end("SIGTERM");
    await world.restartTool();
    const page = await look();
    expect(statesOn(page)).toMatchObject({
      connection: "Done",
      webhooks: "Done",
      doctor: "Done",
      look: "Skipped",
    });
    expect(textOf(page)).toContain("6 of 7 steps done");
    const platforms = z
      .array(z.object({ id: z.string(), name: z.string() }))
      .parse(await operator("platform", "list"));
    expect(platforms.map(({ name }) => name)).toContain("North College");
  });

  test("has its learners in its own classroom, and a session there becomes a grade", async () => {
    const learner = await enterByCourseLink(createVisitor(), college, "student1", link);
    const token = new URL(learner.location ?? "http://nowhere.test").searchParams.get("token");
    const login = classroom.authorizations().find((one) => one.token === token);
    expect(login, "they came into this account's Space").toBeDefined();
    expect(world.classroom.spaces()).toHaveLength(0);
    const [space] = classroom.spaces();
    const now = Date.now();
    const { eventId } = classroom.createEvent({
      ...{ spaceId: space?.spaceId ?? "", title: "Lesson", startsAt: now - 3_600_000, endsAt: now },
    });
    classroom.markAttendance({ eventId, userId: login?.userId ?? "", status: "PRESENT" });
    await vi.waitFor(() => {
      const grades = college.gradebook("2").learners.find((one) => one.username === "student1")?.grades ?? [];
      expect(grades.map(({ value }) => value)).toContain(100);
    }, patience);
  });
});
