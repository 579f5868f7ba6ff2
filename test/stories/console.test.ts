import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { demoSeed } from "../../sandbox/demo-seed.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { type StandInLms, startStandInLms } from "../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { follow, operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const biology = "1";

let world: DemoWorld;
/** Another LMS that the tool does not know. */
let college: StandInLms;

beforeAll(async () => {
  world = await startWorld();
  world.variables["ADMIN_PASSWORD"] = rightPassword;
  await world.tool().end("SIGTERM");
  await world.restartTool();
  college = await startStandInLms({
    port: 0,
    clock: systemClock,
    logger: createLogger("silent"),
    seed: demoSeed,
  });
});
afterAll(async () => {
  await college.close();
  await world.close();
});

/** A tab of a registration's page, by its link in the list. */
async function registrationOf(admin: Visitor, name: string, tab = ""): Promise<Seen> {
  const list = await admin.open(`${world.toolUrl}/admin/registrations`);
  const link = new RegExp(`href="(/admin/registrations/reg_\\w+)">${name}</a>`).exec(list.text)?.[1];
  expect(link, list.text).toBeDefined();
  return admin.open(`${world.toolUrl}${link ?? ""}${tab === "" ? "" : `?tab=${tab}`}`);
}

test("at midnight an administrator adds an LMS by hand, and in the morning a teacher gets in", async () => {
  const admin = await operatorAt(world.toolUrl);
  const form = await admin.open(`${world.toolUrl}/admin/registrations/new`);
  // The page shows what the LMS must know.
  const shown = (id: string) => new RegExp(`id="value-${id}">([^<]*)<`).exec(form.text)?.[1] ?? "";
  const tool = college.addToolByHand({
    name: "Classroom",
    loginUrl: shown("login"),
    launchUrl: shown("launch"),
    jwksUrl: shown("keySet"),
  });
  const addresses = await addressesOf(college);
  const typed = {
    family: "moodle",
    name: "Night College",
    issuer: college.url,
    clientId: tool.clientId,
    deploymentId: tool.deploymentId,
    ...addresses,
    newDeployments: "refuse",
  };

  // Being tired, they paste one address without its beginning, and forget another.
  const mistaken = await admin.submit(form, {
    action: "/admin/registrations",
    fields: { ...typed, tokenUrl: "college.test/token.php", jwksUrl: "" },
  });
  expect(mistaken.status).toBe(422);
  expect(textOf(mistaken)).toContain("Fix 2 fields");
  expect(textOf(mistaken)).toContain("is not a full web address");
  for (const kept of [typed.name, typed.clientId, typed.authorizationUrl, "college.test/token.php"])
    expect(mistaken.text).toContain(`value="${kept}"`);

  const added = await follow(
    admin,
    await admin.submit(mistaken, { action: "/admin/registrations", fields: { ...typed } }),
  );
  expect(textOf(added)).toContain("LMS added.");
  expect(added.text).toContain(`${world.toolUrl}/lti/login`);

  const launch = await enterByCourseLink(createVisitor(), college, "teacher1", biology);
  expect(launch.status, launch.text).toBe(303);
  expect(new URL(launch.location ?? "").origin).toBe(world.classroom.appUrl);
  const morning = await registrationOf(admin, "Night College");
  expect(textOf(morning)).toMatch(/Courses 1 /);
  expect(textOf(morning)).not.toMatch(/Last launch never/);

  // Sending the same again changes nothing and says why.
  const again = await admin.submit(form, { action: "/admin/registrations", fields: { ...typed } });
  expect(again.status).toBe(422);
  expect(textOf(again)).toContain("registered already with this client ID");
});

test("a new deployment is refused by policy, listed, and works once it is accepted", async () => {
  const admin = await operatorAt(world.toolUrl);
  const [tool] = college.tools();
  if (tool === undefined) throw new Error("the LMS has no tool");
  const known = tool.deploymentId;
  tool.deploymentId = "77:faculty-of-law";
  const open = () => enterByCourseLink(createVisitor(), college, "teacher1", biology);
  const refused = await open();
  expect(refused.status).toBe(403);

  const list = await admin.open(`${world.toolUrl}/admin/registrations`);
  expect(textOf(list)).toContain("A new deployment was refused and needs your decision");
  const page = await registrationOf(admin, "Night College", "connection");
  expect(textOf(page)).toContain("77:faculty-of-law Refused because it was new");
  const decide = (deployment: string, status: string) =>
    admin.submit(page, { action: "/deployments", fields: { deployment, status } });
  const accepted = await follow(admin, await decide("77:faculty-of-law", "accepted"));
  expect(textOf(accepted)).toContain("Deployment accepted.");
  expect(textOf(accepted)).toMatch(/77:faculty-of-law Accepted/);
  expect((await open()).status).toBe(303);

  // An administrator's own refusal holds, and nobody is asked again.
  await follow(admin, await decide("77:faculty-of-law", "refused"));
  expect((await open()).status).toBe(403);
  expect(textOf(await admin.open(`${world.toolUrl}/admin/registrations`))).not.toContain(
    "needs your decision",
  );
  expect((await decide("no-such-deployment", "accepted")).status).toBe(404);
  tool.deploymentId = known;
});

test("a registration that is switched off lets nobody in until it is switched on again", async () => {
  const admin = await operatorAt(world.toolUrl);
  const open = () => openCourseLink(createVisitor(), college, "student1", biology);
  const page = await registrationOf(admin, "Night College", "off");
  const off = await follow(admin, await admin.submit(page, { action: "/switch", fields: { to: "off" } }));
  expect(textOf(off)).toContain("nobody can enter from this LMS");
  expect((await open()).status).toBe(403);
  await follow(admin, await admin.submit(off, { action: "/switch", fields: { to: "on" } }));
  expect((await open()).status).toBe(303);
});

test("a rotated key is published immediately and announced, and an LMS tested meanwhile still answers", async () => {
  const admin = await operatorAt(world.toolUrl);
  const page = await registrationOf(admin, "Night College", "keys");
  const kidsOf = async (): Promise<string[]> => {
    const set: unknown = await (await fetch(`${world.toolUrl}/lti/keys`)).json();
    return JSON.stringify(set).match(/key_\w+/g) ?? [];
  };
  const before = await kidsOf();
  const rotated = await follow(
    admin,
    await admin.submit(page, { action: "/keys", fields: { how: "overlap" } }),
  );
  const made = (await kidsOf()).filter((kid) => !before.includes(kid));
  expect(made).toHaveLength(1);
  expect(textOf(rotated)).toContain(`${made[0] ?? ""} Published, not in use`);
  expect(textOf(rotated)).toMatch(/key_\w+ Signing/);
  expect(rotated.text).not.toContain('value="overlap"');

  const connection = await registrationOf(admin, "Night College", "connection");
  const report = await follow(admin, await admin.submit(connection, { action: "/test" }));
  expect(report.status).toBe(200);
  expect(textOf(report)).toContain("All tests passed.");
  for (const step of ["Keys of the LMS", "Launch", "Access token", "Roster"])
    expect(textOf(report)).toMatch(new RegExp(`Passed ${step}`));

  const replace = async () =>
    follow(admin, await admin.submit(rotated, { action: "/keys", fields: { how: "at-once" } }));
  college.faults.add({ on: "token", how: "answer", status: 503, times: 1 });
  expect(textOf(await replace())).toContain("may still accept the withdrawn ones");
  const replaced = await replace();
  expect(textOf(replaced)).toContain("A new key signs now; earlier ones are withdrawn.");
  expect(textOf(replaced)).not.toContain(made[0]);
});

test("an invitation made in the console registers the next LMS", async () => {
  const admin = await operatorAt(world.toolUrl);
  const form = await admin.open(`${world.toolUrl}/admin/invitations/new`);
  const made = await admin.submit(form, {
    action: "/admin/invitations",
    fields: { environment: "production", hours: "24" },
  });
  const url = /id="invitation">([^<]+)</.exec(made.text)?.[1] ?? "";
  const school = await startStandInLms({
    port: 0,
    clock: systemClock,
    logger: createLogger("silent"),
    seed: demoSeed,
  });
  try {
    const dialog = await createVisitor().open(await school.beginRegistration(url), { framed: true });
    expect(dialog.status).toBe(200);
    const launch = await openCourseLink(createVisitor(), school, "student1", biology);
    expect(launch.status).toBe(303);
    const list = await admin.open(`${world.toolUrl}/admin/registrations`);
    expect(list.text).toContain(school.url);
  } finally {
    await school.close();
  }
});

test("the audit log has everything, newest first, and the tool's log has no password", async () => {
  const admin = await operatorAt(world.toolUrl);
  const log = await admin.open(`${world.toolUrl}/admin/audit`);
  const order = [
    "Logged in",
    "Invitation created production, 24 h",
    "Keys replaced immediately Night College · key_",
    "Key rotated Night College · key_",
    "Registration switched on Night College",
    "Registration switched off Night College",
    "Deployment refused Night College · 77:faculty-of-law",
    "Deployment accepted Night College · 77:faculty-of-law",
    "LMS added by hand Night College",
  ];
  const words = textOf(log);
  const places = order.map((line) => words.indexOf(line));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const file = await admin.submit(log, { action: "/admin/audit/export" });
  const [first = ""] = file.text.split("\n");
  expect(JSON.parse(first)).toMatchObject({ what: "logged-in", who: "console" });
  expect(world.output()).not.toContain(rightPassword);
});

/** What the LMS shows its administrator after a tool was entered there. */
async function addressesOf(lms: StandInLms) {
  const administrator = createVisitor();
  administrator.addCookie(lms.url, lms.cookieFor("admin"));
  const { text } = await administrator.open(`${lms.url}/admin/tools`);
  const value = (label: string) =>
    new RegExp(`<dt>${label}</dt>\\s*<dd><code>([^<]+)</code>`).exec(text)?.[1] ?? "";
  return {
    authorizationUrl: value("Authentication request URL"),
    tokenUrl: value("Access token URL"),
    jwksUrl: value("Public keyset URL"),
  };
}
