import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { nothingTurned } from "../../src/sandbox/assumptions.ts";
import { demoSeed } from "../../src/sandbox/demo-seed.ts";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../src/sandbox/open-course-link.ts";
import {
  type StandInClassroom,
  startStandInClassroom,
} from "../../src/sandbox/stand-in-classroom/stand-in-classroom.ts";
import { type StandInLms, startStandInLms } from "../../src/sandbox/stand-in-lms/start-stand-in-lms.ts";
import { freePort } from "../../src/sandbox/tool-process.ts";
import { createVisitor, type Seen, type Visitor } from "../../src/sandbox/visitor.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const patience = { timeout: 60_000, interval: 200 };
const link = "1";
const key = randomIds.secret();

let world: DemoWorld;
/** The institution's own LMS and classroom. */
let college: StandInLms;
let classroom: StandInClassroom;
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

beforeAll(async () => {
  world = await startWorld({ learners: 2, variables: { ADMIN_PASSWORD: "a password for one story only" } });
  college = await startLms();
  classroom = await startStandInClassroom({
    ...{ port: await freePort(0), clock: systemClock, logger: createLogger("silent") },
    ...{ apiKey: key, webhookSecret: "a secret that nobody has set", spelling: "a", turned: nothingTurned },
  });
  const invited = await operator("invite", "--institution", "North College", "--new-account", "north");
  const { url } = z.object({ url: z.url() }).parse(invited);
  expect(textOf(await createVisitor().open(url))).toContain("This invitation is for North College.");
  const done = await createVisitor().open(await college.beginRegistration(url), { framed: true });
  expect(textOf(done)).toContain("choose “Open administration”");
  for (const { id } of college.tools()) college.activateTool(id);
  admin = createVisitor();
});
afterAll(async () => {
  await classroom.close();
  await college.close();
  await world.close();
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

  test("keeps a key that works when another one is refused", async () => {
    expect((await send("/connection", connection("a-key-of-somebody-else"))).status).toBe(422);
    const elsewhere = await send("/connection", { ...connection(""), baseUrl: `${classroom.apiUrl}/v2` });
    expect([elsewhere.status, textOf(elsewhere)]).toEqual([
      422,
      expect.stringContaining("give the key again"),
    ]);
    expect(statesOn(await look())).toMatchObject({ connection: "Done", doctor: "Done" });
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

  test("pauses its account after being asked, and nobody enters meanwhile", async () => {
    expect(textOf(await admin.open(`${setUp}/pause`))).toContain("nobody can enter the classroom");
    const asked = await admin.open(`${setUp}/pause`);
    expect((await admin.submit(asked, { action: "/pause", fields: { to: "pause" } })).location).toContain(
      "paused",
    );
    await vi.waitFor(async () => {
      expect((await enterByCourseLink(createVisitor(), college, "student2", link)).location).toBeNull();
    }, patience);
    const again = await admin.open(`${setUp}/pause`);
    await admin.submit(again, { action: "/pause", fields: { to: "resume" } });
  });
});

describe("an administrator of another LMS", { timeout: 180_000 }, () => {
  let other: StandInLms;
  let stranger: Visitor;

  beforeAll(async () => {
    other = await startLms();
    const { url } = z
      .object({ url: z.url() })
      .parse(await operator("invite", "--institution", "South College", "--account", "production"));
    await createVisitor().open(await other.beginRegistration(url), { framed: true });
    for (const { id } of other.tools()) other.activateTool(id);
    stranger = createVisitor();
    await comesIn(other, stranger);
  });
  afterAll(() => other.close());

  test("finds neither the set-up nor anything to change of the institution's", async () => {
    const own = await stranger.open(`${world.toolUrl}/admin/registrations`);
    const page = await stranger.open(own.location ?? "");
    const form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect(form).not.toBe("");
    expect((await stranger.open(setUp)).status).toBe(404);
    for (const what of ["connection", "webhooks", "doctor", "deployments", "steps", "pause"]) {
      const action = `${setUp}/${what}`;
      const forged = {
        status: 200,
        url: action,
        location: null,
        text: `<form method="post" action="${action}"></form>`,
      };
      const fields = { form, ...connection(key), what: "secret", to: "pause", step: "look", mark: "done" };
      expect([what, (await stranger.submit(forged, { fields })).status]).toEqual([what, 404]);
    }
    for (const path of ["accounts", "accounts/north"])
      expect((await stranger.open(`${world.toolUrl}/admin/${path}`)).status).toBe(404);
  });

  test("sees that the operator looks after an account that others use, and changes nothing of it", async () => {
    const own = await stranger.open(`${world.toolUrl}/admin/registrations`);
    const page = await stranger.open(`${own.location ?? ""}/set-up`);
    expect(textOf(page)).toContain("The operator of this tool looks after your classroom account");
    expect(textOf(page)).toMatch(/of 4 steps done/);
    const form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    for (const what of ["connection", "webhooks", "doctor", "pause"]) {
      const action = `${own.location ?? ""}/set-up/${what}`;
      const forged = {
        status: 200,
        url: action,
        location: null,
        text: `<form method="post" action="${action}"></form>`,
      };
      const answer = await stranger.submit(forged, {
        fields: { form, ...connection(key), what: "secret", to: "pause" },
      });
      expect([what, answer.status]).toEqual([what, 403]);
    }
  });

  test("ends the institution's own changes once it uses the account, too", async () => {
    const platforms = z
      .array(z.object({ id: z.string(), name: z.string() }))
      .parse(await operator("platform", "list"));
    const south = platforms.find(({ name }) => name === "South College")?.id ?? "";
    await operator("account", "bind", "north", "--registration", south);
    const answer = await admin.open(`${setUp}/pause`);
    expect([answer.status, textOf(answer)]).toEqual([403, expect.stringContaining("Only the operator")]);
  });
});

describe("An institution that leaves", { timeout: 180_000 }, () => {
  const removes = async (typed: string) =>
    admin.submit(await admin.open(setUp), { action: "/remove", fields: { typed } });

  test("uninstalls the tool by its name, and no other: all of it is gone, and the operator sees who did it", async () => {
    const listed = async () =>
      z.array(z.object({ id: z.string(), name: z.string() })).parse(await operator("platform", "list"));
    const id = /registrations\/([^/]+)\//.exec(setUp)?.[1] ?? "";
    const name = (await listed()).find((one) => one.id === id)?.name ?? "";
    const wrong = await removes(`${name}, or not`);
    expect([wrong.status, textOf(wrong)]).toEqual([400, expect.stringContaining("name-differs")]);
    const gone = await removes(name);
    expect(textOf(gone)).toContain("All data of your LMS is being erased.");
    expect((await admin.open(setUp)).status).toBe(401);
    await vi.waitFor(async () => expect((await listed()).map((one) => one.id)).not.toContain(id), patience);
    const entries = z
      .array(z.looseObject({ what: z.string(), who: z.string() }))
      .parse(await operator("audit", "export"));
    expect(entries).toContainEqual(
      expect.objectContaining({ what: "registration-uninstalled", who: "lms-administrator", on: name }),
    );
    expect((await listed()).length).toBeGreaterThan(0);
  });
});
