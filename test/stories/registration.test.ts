import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { developerKeyProblems } from "../support/stand-ins/canvas-rules.ts";
import { follow, operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";

const platforms = z.array(
  z.object({ id: z.string(), issuer: z.string(), clientId: z.string(), tokenUrl: z.string() }),
);
const deployments = z.object({
  newDeployments: z.string(),
  deployments: z.array(z.object({ deploymentId: z.string(), status: z.string(), firstSeenAt: z.number() })),
});
const report = z.object({
  checks: z.array(
    z.object({
      step: z.string(),
      outcome: z.string(),
      message: z.string(),
      missingScope: z.string().nullable(),
    }),
  ),
});

const incident = z.object({
  sessions: z.number(),
  launches: z.array(
    z.object({ role: z.string(), personId: z.string(), courseId: z.string(), at: z.string() }),
  ),
});

let world: DemoWorld;

async function operator(...command: string[]): Promise<unknown> {
  return runCli(world.variables, command);
}
const listed = async () => platforms.parse(await operator("platform", "list"));
async function onlyPlatform() {
  const [one] = await listed();
  if (one === undefined) throw new Error("no LMS is registered");
  return one;
}
async function invited(): Promise<string> {
  return z.object({ url: z.url() }).parse(await operator("invite")).url;
}
/** The connection test's outcomes by step; a failing one does not fail the story. */
async function connection() {
  const { id } = await onlyPlatform();
  const printed = await operator("platform", "test", id);
  return report.parse(printed).checks;
}
const launch = () => enterByCourseLink(createVisitor(), world.lms, "teacher1", "1");

describe("The administrator of a Moodle", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  test("registers once, and registering again from Moodle's side changes nothing here", async () => {
    const before = await listed();
    expect(before).toHaveLength(1);
    const [tool] = world.lms.tools();
    const address = await world.lms.beginRegistrationUpdate(tool?.id ?? "", await invited());
    const dialog = await createVisitor().open(address, { framed: true });
    expect(dialog.status).toBe(200);
    expect(dialog.text).toContain("already registered");
    expect(dialog.text).not.toMatch(/pending|switched off/);
    // Moodle has hidden it again (it sets "preconfigured"), and its icon is a pencil since 4.5.
    expect(dialog.text).toContain("Moodle hides the tool after every registration and update");
    expect(dialog.text).toContain("settings (the pencil)");
    expect(await listed()).toEqual(before);
    expect((await launch()).status).toBe(303);
  });

  test("sees an invitation's page, which says when it was used", async () => {
    const url = await invited();
    const looked = await createVisitor().open(url);
    expect(looked.status).toBe(200);
    expect(looked.text).toContain("Manage tools");
    await createVisitor().open(await world.lms.beginRegistration(url));
    expect((await createVisitor().open(url)).status).toBe(410);
    const guessed = await createVisitor().open(`${world.toolUrl}/lti/register?invite=guessed`);
    expect(guessed.status).toBe(403);
    expect((await createVisitor().open(`${world.toolUrl}/lti/register`)).status).toBe(403);
  });
});

describe("The administrator of a Canvas", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const variables = { ADMIN_PASSWORD: rightPassword };
    world = await startWorld({ manners: "canvas", variables, turns: { canvasOffersUpdates: false } });
  });
  afterAll(() => world.close());

  test("registers without a deployment, which the first launch names, and which can be refused and accepted", async () => {
    const { id } = await onlyPlatform();
    const seen = async () => deployments.parse(await operator("platform", "deployments", id));
    expect(await seen()).toMatchObject({ newDeployments: "accept", deployments: [] });
    expect((await launch()).status).toBe(303);
    const [first] = (await seen()).deployments;
    expect(first).toMatchObject({ status: "accepted" });
    expect(Math.abs((first?.firstSeenAt ?? 0) - Date.now())).toBeLessThan(120_000);

    await operator("platform", "deployment", id, first?.deploymentId ?? "", "refuse");
    expect((await launch()).status).toBe(403);
    await operator("platform", "deployment", id, first?.deploymentId ?? "", "accept");
    expect((await launch()).status).toBe(303);
  });

  test("fetches the developer key's configuration by address, and Canvas accepts it", async () => {
    const response = await fetch(`${world.toolUrl}/lti/config/canvas.json`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const configuration: unknown = await response.json();
    expect(developerKeyProblems(configuration)).toEqual([]);
    expect(await operator("config", "canvas")).toEqual(configuration);
    const newer = await fetch(`${world.toolUrl}/lti/config/canvas.json?notices=1`);
    expect(await newer.text()).toContain("lti/scope/noticehandlers");
  });

  test("continues without interruption while the tool changes its key", async () => {
    const { id } = await onlyPlatform();
    const rotated = z.object({ kid: z.string(), unseen: z.string().nullable() });
    const rotate = async () => rotated.parse(await operator("keys", "rotate", id, "--now"));
    // Until the LMS has fetched the new key, Moodle uses the old one.
    world.lms.faults.add({ on: "token", how: "answer", status: 503, times: 1 });
    expect((await rotate()).unseen).not.toBeNull();
    const { kid, unseen } = await rotate();
    expect(unseen).toBeNull();
    const published = z
      .object({ keys: z.array(z.object({ kid: z.string() })) })
      .parse(await (await fetch(`${world.toolUrl}/lti/keys`)).json());
    expect(published.keys.map((key) => key.kid)).toEqual([kid]);
    expect((await connection()).filter(({ outcome }) => outcome === "fails")).toEqual([]);
  });

  test("sends a new description of the tool, accepts it in Canvas, and uses it", async () => {
    const { id } = await onlyPlatform();
    const [tool] = world.lms.tools();
    Object.assign(tool ?? {}, { name: "Classroom 2020" });
    const admin = await operatorAt(world.toolUrl);
    const page = () => admin.open(`${world.toolUrl}/admin/registrations/${id}`);
    expect(textOf(await page())).not.toContain("older description");
    const [last] = (await connection()).slice(-1);
    expect(last).toMatchObject({ step: "description", outcome: "works" });

    const older = await page();
    expect(textOf(older)).toMatch(
      /runs an older description.*New client_name: Online classroom No longer needed client_name: Classroom 2020/,
    );
    const press = async (how: string) =>
      follow(admin, await admin.submit(await page(), { action: "/description", fields: { how } }));
    expect(textOf(await press("send"))).toMatch(/still has to accept it in Canvas.*Update Available/);
    expect(tool?.name, "Canvas waits for its administrator").toBe("Classroom 2020");
    expect(textOf(await press("look"))).toContain("still has the older description");
    world.lms.acceptUpdate(tool?.id ?? "");
    const done = textOf(await press("look"));
    expect(done).toContain("The LMS has today’s description");
    expect(done).not.toContain("runs an older description");
    expect((await launch()).status).toBe(303);
  });

  test("gets a new key, no token and no session after an incident, and a list of who came and must come again", async () => {
    const { id } = await onlyPlatform();
    const visitor = createVisitor();
    const { url: page } = await openCourseLink(visitor, world.lms, "teacher1", "1");
    expect((await visitor.open(page)).status).toBe(200);
    const done = incident.parse(await operator("platform", "incident", id));
    expect(done.sessions).toBeGreaterThan(0);
    expect(done.launches.map(({ role }) => role)).toContain("instructor");
    expect((await visitor.open(page)).status, "the session has ended").toBe(410);
    expect(
      incident.parse(await operator("platform", "incident", id, "--since", "2099-01-01")).launches,
    ).toEqual([]);
    expect((await connection()).filter(({ outcome }) => outcome === "fails")).toEqual([]);
    expect((await launch()).status).toBe(303);
  });
});
