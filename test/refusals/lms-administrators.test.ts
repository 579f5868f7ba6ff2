import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import type { Session } from "../../src/web/session.ts";
import { instructorRole, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { required } from "../support/required.ts";
import { operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { allConsoleRoutes } from "../support/tool/routes.ts";
import { sessionsOf } from "../support/tool/pages-app.ts";

const lis = "http://purl.imsglobal.org/vocab/lis/v2";
const admin = `${lis}/institution/person#Administrator`;
const secretKey = randomBytes(48).toString("base64");

let other: Registration;
/** Courses in the administrator's own LMS and in the other one. */
let own: { courseId: string };
let foreign: { courseId: string };

const world = await forAllTests(
  startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword, SECRET_KEY: secretKey }),
);
beforeAll(async () => {
  other = await world.register({ clientId: "client-2", name: "Somebody else's LMS" });
  await launch([instructorRole]);
  const claims = claimsOf({ sub: "stranger", name: "Sam Stranger", course: "77" });
  await world.launch({ registration: other, claims });
  own = { courseId: (await world.courseOf("2")).id };
  const [theirs] = await world.stores.courses.findByContexts(other.id, ["77"]);
  foreign = { courseId: theirs?.id ?? "" };
  await world.stores.audit.add({
    id: "audit_0000000000000001",
    at: 1,
    who: "console",
    what: "registration-switched-on",
    registrationId: other.id,
    on: "Somebody else's LMS",
  });
  await letIn(true);
});

const letIn = (enter: boolean) =>
  world.stores.registrations.set(world.registration.id, { administratorsEnter: enter });
const launch = (roles: readonly string[]) =>
  world.launch({ claims: claimsOf({ sub: "admin-1", name: "Ada Admin", roles }) });
const opensTheWay = ({ text }: Seen) => text.includes('action="/admin/lms"');

/** An administrator of the LMS who entered from a course. */
async function entered(): Promise<Visitor> {
  const page = await launch([instructorRole, admin]);
  const answer = await page.visitor.submit(page, { action: "/admin/lms" });
  expect(answer.status, answer.text).toBe(303);
  expect(answer.location).toBe(`${world.toolUrl}/admin/registrations/${world.registration.id}`);
  return page.visitor;
}

describe("the way into the console", () => {
  test.each([
    ["an administrator of the institution", [admin]],
    ["an administrator of the system", [instructorRole, `${lis}/system/person#Administrator`]],
    ["a system administrator", [learnerRole, `${lis}/system/person#SysAdmin`]],
  ])("is shown to %s", async (_who, roles) => expect(opensTheWay(await launch(roles))).toBe(true));

  test.each([
    ["an instructor", [instructorRole]],
    ["an administrator of the course alone", [`${lis}/membership#Administrator`]],
    ["a role without its vocabulary", [instructorRole, "Administrator"]],
    ["a role of LTI 1.1", [instructorRole, "urn:lti:sysrole:ims/lis/Administrator"]],
    ["a member of staff", [instructorRole, `${lis}/institution/person#Staff`]],
    ["somebody with a longer role name", [instructorRole, `${admin}Assistant`]],
    ["a preview student", [learnerRole, admin, "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"]],
  ])("is not shown to %s", async (_who, roles) => expect(opensTheWay(await launch(roles))).toBe(false));

  test("exists only after the operator has opened it, and closing it ends sessions inside", async () => {
    const inside = await entered();
    const page = `${world.toolUrl}/admin/registrations/${world.registration.id}`;
    expect((await inside.open(page)).status).toBe(200);
    const before = await launch([admin]);
    await letIn(false);
    try {
      expect(opensTheWay(await launch([admin]))).toBe(false);
      expect((await inside.open(page)).status).toBe(401);
      const late = await before.visitor.submit(before, { action: "/admin/lms" });
      expect([late.status, textOf(late)]).toEqual([403, expect.stringContaining("administration-closed")]);
    } finally {
      await letIn(true);
    }
    expect((await inside.open(page)).status).toBe(200);
    await world.stores.registrations.set(world.registration.id, { active: false });
    expect((await inside.open(page)).status).toBe(401);
    await world.stores.registrations.set(world.registration.id, { active: true });
  });

  test("is open to administrators whom the course's roster does not list", async () => {
    const page = await launch([instructorRole, admin]);
    const key = { registrationId: world.registration.id, courseId: own.courseId };
    const all = await world.stores.members.listAfter(key, "", 100);
    const left = all.map(({ id, personId }) => ({ id, personId, to: { active: false } }));
    await world.stores.members.applyRoster(key, Date.now() + 60_000, { made: [], changed: left });
    expect((await page.visitor.submit(page, { action: "/course/home" })).status).toBe(403);
    expect((await page.visitor.submit(page, { action: "/admin/lms" })).status).toBe(303);
  });

  test("accepts no session of anybody else, no old one, and no invented one", async () => {
    const key = { registrationId: world.registration.id, courseId: own.courseId };
    const personId = (await world.stores.members.listAfter(key, "", 1))[0]?.personId ?? "";
    const session: Session = {
      registrationId: world.registration.id,
      courseId: own.courseId,
      personId,
      courseLinkId: null,
      role: "instructor",
      staffRole: "teacher",
      locale: null,
    };
    const issued = (given: Session) => sessionsOf(world.stores).issue(given);
    const send = async (token: string, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams({ session: token });
      const answer = await fetch(`${world.toolUrl}/admin/lms`, {
        method: "POST",
        redirect: "manual",
        body,
        headers,
      });
      return [answer.status, answer.headers.getSetCookie().length];
    };
    const soon = Date.now() + 60_000;
    expect(await send(await issued({ ...session, consoleUntil: soon }))).toEqual([303, 1]);
    expect(await send(await issued(session))).toEqual([403, 0]);
    expect(await send(await issued({ ...session, consoleUntil: Date.now() - 1 }))).toEqual([403, 0]);
    expect(await send(await issued({ ...session, consoleUntil: soon + 86_400_000 }))).toEqual([403, 0]);
    expect(await send(await issued({ ...session, consoleUntil: soon, only: "entry" }))).toEqual([401, 0]);
    const right = await issued({ ...session, consoleUntil: soon });
    const [handle = ""] = right.split(".");
    expect(await send(`${handle}.${randomBytes(32).toString("base64url")}`)).toEqual([401, 0]);
    expect(await send(right, { "sec-fetch-site": "cross-site" })).toEqual([403, 0]);
    expect(await send(right, { origin: "https://evil.test" })).toEqual([403, 0]);
  });
});

/** What is open to administrators of an LMS, with the status for their own. Everything else is closed. */
const open: Readonly<Record<string, number>> = {
  "GET /": 303,
  "GET /search": 200,
  "POST /search": 200,
  "GET /registrations": 303,
  "GET /registrations/:id": 200,
  "POST /registrations/:id/test": 303,
  "POST /registrations/:id/description": 400,
  "GET /registrations/:id/defaults": 200,
  "POST /registrations/:id/defaults": 303,
  "GET /registrations/:id/look": 200,
  "POST /registrations/:id/look": 303,
  "POST /registrations/:id/sign-out": 303,
  "GET /registrations/:id/set-up": 200,
  "POST /registrations/:id/set-up/steps": 400,
  // Another administrator's deployment, and an account that is not theirs alone.
  "POST /registrations/:id/set-up/connection": 422,
  "POST /registrations/:id/set-up/webhooks": 400,
  "POST /registrations/:id/set-up/doctor": 403,
  "GET /registrations/:id/set-up/pause": 403,
  "POST /registrations/:id/set-up/pause": 400,
  "POST /registrations/:id/set-up/remove": 400,
  "GET /courses": 200,
  "GET /courses/:id": 200,
  "POST /courses/:id/again": 303,
  "POST /courses/:id/sign-out": 303,
  "GET /spaces": 200,
  // The requests of these tests are no decision about a Space.
  "POST /courses/:id/spaces": 400,
  "GET /deliveries": 200,
  "GET /deliveries/again": 200,
  "POST /deliveries/again": 303,
  "GET /mails": 200,
  "GET /readiness": 200,
  "GET /readiness/again": 200,
  "POST /readiness/again": 303,
  "GET /api-keys": 200,
  "GET /api-keys/new": 200,
  // The requests of these tests name nothing that a key could read.
  "POST /api-keys/new": 400,
  "GET /audit": 200,
  "GET /usage": 200,
  "GET /usage/file": 200,
  "GET /last-attendance": 200,
  "GET /limits": 200,
};
/** These show or lead to their own data for any request, and have no id to try. */
const withoutId = Object.keys(open).filter((name) => !name.includes(":id"));
/** Not behind the login (the password, the way in), and the way out, which would end the session. */
const apart = ["POST /", "POST /lms", "POST /log-out"];

describe("an administrator of an LMS, at every address of the console", () => {
  const routes = allConsoleRoutes().map(({ method, path }) => ({ method, path, name: `${method} ${path}` }));
  const fields = {
    what: "roster",
    revision: "0",
    to: "on",
    how: "overlap",
    status: "accepted",
    hours: "24",
    whom: "all",
  };
  let visitor: Visitor;
  let form: string;

  beforeAll(async () => {
    visitor = await entered();
    const page = await visitor.open(`${world.toolUrl}/admin/registrations/${world.registration.id}`);
    form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    expect(form).not.toBe("");
  });
  const ask = (method: string, path: string): Promise<Seen> => {
    const url = `${world.toolUrl}/admin${path}`;
    if (method === "GET") return visitor.open(url);
    return visitor.submit(
      { status: 200, url, location: null, text: `<form method="post" action="${url}"></form>` },
      { fields: { ...fields, form } },
    );
  };
  const filled = (path: string, id: string) => path.replaceAll(/:\w+/g, encodeURIComponent(id));

  test("keys to the API can be made, seen and ended only for their LMS", async () => {
    const { apiKeys } = world.stores;
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const make = (reads: string) =>
      visitor.submit(
        {
          status: 200,
          url: `${world.toolUrl}/admin/api-keys/new`,
          location: null,
          text: `<form method="post" action="${world.toolUrl}/admin/api-keys/new"></form>`,
        },
        { fields: { form, reads, name: "Report", until, scopes: "grades:read" } },
      );
    expect((await make(other.id)).status).toBe(400);
    const made = await make(world.registration.id);
    const [, key = ""] = /<code id="api-key">([^<]+)</.exec(made.text) ?? [];
    const courses = await fetch(`${world.toolUrl}/api/v1/courses`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([courses.status, await courses.text()]).toEqual([200, expect.stringContaining(own.courseId)]);
    const [kept] = await apiKeys.list(world.registration.id);
    const theirs = { ...kept, id: "spacesapi_theirs", name: "Theirs", registrationId: other.id };
    const ofInstitution = { ...kept, id: "spacesapi_separate", name: "Separate", deploymentId: "9" };
    for (const one of [theirs, ofInstitution]) await apiKeys.insert({ ...required(kept), ...one });
    await world.stores.deployments.record({
      registrationId: world.registration.id,
      deploymentId: "9",
      status: "accepted",
      firstSeenAt: 1,
    });
    await world.stores.deployments.setAccount(world.registration.id, "9", "their-own");
    const list = textOf(await ask("GET", "/api-keys"));
    expect(list).toContain("Report");
    expect(list).not.toMatch(/Theirs|Separate/);
    for (const id of ["spacesapi_theirs", "spacesapi_separate"])
      expect((await ask("POST", `/api-keys/${id}/end`)).status).toBe(404);
    expect((await ask("POST", `/api-keys/${kept?.id ?? ""}/end`)).status).toBe(303);
    expect((await apiKeys.list(null)).map(({ name }) => name).toSorted()).toEqual(["Separate", "Theirs"]);
  });

  test("the log of e-mails has only those of their LMS, neither another's nor the operators'", async () => {
    const mail = {
      courseId: null,
      personId: null,
      operator: null,
      about: "event@1",
      reply: null,
      createdAt: 1,
      nextAt: 1,
      endsAt: 1,
      attempts: 0,
      changedAt: 1,
      kind: "reminder" as const,
    };
    await world.stores.mails.add([
      { ...mail, id: "mail_own", registrationId: world.registration.id, state: "sent" },
      { ...mail, id: "mail_other", registrationId: other.id, state: "refused" },
      { ...mail, id: "mail_alarm", registrationId: null, kind: "alarm", state: "failed" },
    ]);
    const pills = async (path: string) =>
      [...(await ask("GET", path)).text.matchAll(/class="pill (\w+)"/g)].map(([, tone]) => tone);
    expect(await pills("/mails")).toEqual(["good"]);
    expect(await pills("/mails?state=refused")).toEqual([]);
    expect(await pills("/mails?state=failed")).toEqual([]);
  });

  test("there are routes to try, and every one that is meant to be open exists", () => {
    const names = routes.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(20);
    for (const name of [...Object.keys(open), ...apart]) expect(names).toContain(name);
  });

  test.each(routes.filter(({ name }) => !apart.includes(name) && !withoutId.includes(name)))(
    "$name reveals nothing of another LMS",
    async ({ method, path }) => {
      for (const id of [other.id, foreign.courseId, "no-such-id"]) {
        const answer = await ask(method, filled(path, id));
        expect([id, answer.status]).toEqual([id, 404]);
        expect(textOf(answer)).toContain("Code: no-such-console-page");
        expect(answer.text).not.toContain("Somebody else");
      }
    },
  );

  test.each(routes.filter(({ name }) => !apart.includes(name)))(
    "$name is open for their own LMS only if it was declared",
    async ({ method, path, name }) => {
      const ids = [world.registration.id, own.courseId];
      const statuses = await Promise.all(ids.map(async (id) => (await ask(method, filled(path, id))).status));
      expect(statuses).toContain(open[name] ?? 404);
      if (open[name] === undefined) expect(new Set(statuses)).toEqual(new Set([404]));
    },
  );

  test("lists, searches and the log reveal nothing of another LMS", async () => {
    const asked = ["/courses", "/courses?q=Course", `/courses?q=77`, `/courses?lms=${other.id}`, "/audit"];
    asked.push(`/courses?q=${foreign.courseId}`, `/courses?q=${encodeURIComponent("Course 77")}`);
    for (const path of asked) {
      const page = await ask("GET", path);
      expect(page.status).toBe(200);
      // The field has what was typed.
      const found = page.text.replace(/<input[^>]*>/g, "");
      for (const theirs of [foreign.courseId, "Course 77", "Somebody else", other.id])
        expect(found).not.toContain(theirs);
    }
    expect((await ask("GET", "/courses?q=course+2")).text).toContain(own.courseId);
  });

  test("the search finds their LMS and its courses, but no people, references or anything of another LMS", async () => {
    const search = (q: string) =>
      visitor.submit(
        {
          status: 200,
          url: `${world.toolUrl}/admin/search`,
          location: null,
          text: `<form method="post" action="${world.toolUrl}/admin/search"></form>`,
        },
        { fields: { q, form } },
      );
    const person = (await world.stores.people.listBeginning("sam", 5))[0]?.id ?? "";
    const asked = ["Course 77", "77", foreign.courseId, other.id, "Somebody else", "Sam Stranger", person];
    for (const q of [...asked, "stranger", "Ada Admin", "production"]) {
      const page = await search(q);
      expect([q, page.status, textOf(page)]).toEqual([q, 200, expect.stringContaining("Nothing found.")]);
      expect(textOf(page)).not.toContain("a person:");
    }
    expect((await search("course 2")).text).toContain(`/admin/courses/${own.courseId}`);
    expect((await search("Tiny LMS")).text).toContain(`/admin/registrations/${world.registration.id}`);
  });

  test("scores of another LMS's course are not found, and the course is not named", async () => {
    for (const asked of [foreign.courseId, `${foreign.courseId}&lms=${other.id}`]) {
      for (const state of ["refused", "waiting", "delivered"])
        for (const path of ["/deliveries", "/deliveries/again"]) {
          const page = await ask("GET", `${path}?state=${state}&course=${asked}`);
          expect(page.status).toBe(200);
          expect(page.text).not.toContain("Course 77");
          expect(page.text).not.toContain("Somebody else");
        }
    }
    const mine = await ask("GET", `/deliveries?course=${own.courseId}`);
    expect(textOf(mine)).toContain("Scores of one course: Course 2");
  });

  test("reports are of their own LMS, whatever is requested", async () => {
    const week = weekOf(Date.now());
    const numbers = { courses: 1, sessions: 1, minutes: 60, grades: 0, failedLaunches: 0, refusedScores: 0 };
    for (const [registrationId, people] of [
      [world.registration.id, 41],
      [other.id, 977],
    ] as const)
      await world.stores.usage.setWeek({ registrationId, account: "production", week, people, ...numbers });
    for (const asked of ["", `?lms=${other.id}`, "?account=production"]) {
      const page = await ask("GET", `/usage${asked}`);
      expect(textOf(page)).toMatch(/\b41\b/);
      expect(page.text).not.toMatch(/\b(977|1,018)\b|Somebody else/);
      const file = await ask("GET", `/usage/file${asked}`);
      expect(file.text.trim().split("\r\n")).toHaveLength(2);
      expect(file.text).not.toContain(other.id);
    }
  });

  test("the navigation and the registration's page offer only open pages", async () => {
    const path = `/registrations/${world.registration.id}`;
    const tabs = ["", "connection", "access", "keys", "off"];
    const pages = await Promise.all(tabs.map((tab) => ask("GET", `${path}?tab=${tab}`)));
    const links = pages.flatMap(({ text }) =>
      [...text.matchAll(/(?:href|action)="\/admin(\/[^"?#]*)/g)].map(([, link = ""]) => link),
    );
    expect(links).toContain("/courses");
    for (const link of new Set(links)) {
      const name = link.replace(world.registration.id, ":id");
      const known = [...Object.keys(open), "POST /log-out"].some((one) => one.endsWith(` ${name}`));
      expect([link, known]).toEqual([link, true]);
    }
  });

  test("their actions are in the audit log, and the operator can find who they are", async () => {
    const entries = await world.stores.audit.list(null, 200, world.registration.id);
    const mine = entries.filter(({ who }) => who === "lms-administrator");
    expect(mine.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "administrator-entered",
        "connection-tested",
        "roster-asked-for",
        "defaults-changed",
      ]),
    );
    expect(mine.every(({ personId }) => personId !== undefined)).toBe(true);
  });

  test("without the form's own token nothing happens, and after the logout nothing is left", async () => {
    const kept = form;
    form = "forged";
    expect((await ask("POST", `/registrations/${world.registration.id}/test`)).status).toBe(403);
    form = kept;
    expect((await ask("POST", "/log-out")).status).toBe(303);
    expect((await ask("GET", `/registrations/${world.registration.id}`)).status).toBe(401);
  });
});

test("an operator whose browser uses the administrators' way in stays an operator", async () => {
  const operator = await operatorAt(world.toolUrl);
  const page = await launch([admin]);
  const answer = await operator.submit(page, { action: "/admin/lms" });
  expect(answer.status).toBe(303);
  expect((await operator.open(`${world.toolUrl}/admin/jobs`)).status).toBe(200);
});
