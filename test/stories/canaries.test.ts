import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { listen } from "../../sandbox/listen.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/open-stores.ts";
import { get, logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { holdSession, startWorld } from "../support/tool/start-world.ts";
import { patience } from "../support/patience.ts";

/** Every secret and every fact about a person that this story brings to the tool, by what it is. */
const canaries = new Map<string, string>();
const canary = (what: string, value = `canary-${canaries.size}-${what.replaceAll(" ", "-")}-kept-quiet`) => {
  canaries.set(what, value);
  return value;
};

/** A proxy in front of the classroom, and an LMS; while it echoes, it answers 400 with everything it was sent. */
const echo = { target: "", echoing: false, urls: new Array<string>() };
let echoServer: Server;
let echoUrl = "";
let world: DemoWorld;
/** The learner's user in the classroom. */
let userId = "";

beforeAll(async () => {
  echoServer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const url = request.url ?? "/";
      echo.urls.push(url);
      if (echo.echoing || url.startsWith("/lms/")) {
        response.statusCode = 400;
        response.setHeader("content-type", "application/json");
        const said = { url, headers: request.headers, body: body.toString() };
        response.end(
          JSON.stringify({ error: JSON.stringify(said), error_description: said, errors: [said] }),
        );
        return;
      }
      const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
      fetch(echo.target + url, {
        method: request.method ?? "GET",
        headers: z.record(z.string(), z.string()).parse(headers),
        ...(body.length === 0 ? {} : { body }),
      }).then(
        async (answer) => {
          response.statusCode = answer.status;
          response.setHeader("content-type", answer.headers.get("content-type") ?? "application/json");
          response.end(Buffer.from(await answer.arrayBuffer()));
        },
        () => response.destroy(),
      );
    });
  });
  const port = await listen(echoServer);
  echoUrl = `http://127.0.0.1:${port}`;
  world = await startWorld({
    learners: 4,
    logLevel: "trace",
    variables: { CLASSROOM_BASE_URL: echoUrl, ADMIN_PASSWORD: rightPassword },
  });
  echo.target = world.classroom.apiUrl;
  canary("admin password", rightPassword);
  for (const name of ["SECRET_KEY", "CLASSROOM_API_KEY", "CLASSROOM_WEBHOOK_SECRET"])
    canary(name, world.variables[name] ?? "");
  canary("a teacher's family name", "Lindqvist");
  canary("a learner's given name", "Zoë");
  canary("a learner's family name", "Åkesson");
  canary("another learner's family name", "Álvarez Núñez");
  canary("an e-mail", "student1@example.test");
  canary("a teacher's e-mail", "teacher1@example.test");
});
afterAll(async () => {
  await world.close();
  echoServer.close();
  echoServer.closeAllConnections();
});

/** A visitor who remembers every long value in a form or redirect of theirs: tokens, states, nonces. */
function rememberingVisitor(): Visitor & { seen: Seen[] } {
  const visitor = createVisitor();
  const seen: Seen[] = [];
  const note = (page: Seen): Seen => {
    seen.push(page);
    for (const [, input = ""] of page.text.matchAll(/<input\b([^>]*)>/g)) {
      const [, name = ""] = /\bname="([^"]*)"/.exec(input) ?? [];
      const [, value = ""] = /\bvalue="([^"]*)"/.exec(input) ?? [];
      if (value.length >= 20 && !value.startsWith("http"))
        canary(`form field ${name} ${canaries.size}`, value);
    }
    const query = page.location === null ? [] : [...new URL(page.location).searchParams];
    for (const [name, value] of query)
      if (["state", "nonce", "token", "id_token", "login_hint"].includes(name) && value.length >= 12)
        canary(`parameter ${name} ${canaries.size}`, value);
    return page;
  };
  return {
    seen,
    cookiesFor: visitor.cookiesFor,
    addCookie: visitor.addCookie,
    open: async (...given) => note(await visitor.open(...given)),
    submit: async (...given) => note(await visitor.submit(...given)),
  };
}

const posted = async (path: string, body: string, headers: Record<string, string> = {}): Promise<number> => {
  const answer = await fetch(world.toolUrl + path, { method: "POST", body, headers, redirect: "manual" });
  await answer.arrayBuffer();
  return answer.status;
};
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { "content-type": "application/x-www-form-urlencoded" };

/** The canaries in a text, as they are or as JSON, an address or base64 would write them. */
function foundIn(text: string): string[] {
  return [...canaries].flatMap(([what, value]) => {
    const ways = [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      new URLSearchParams({ value }).toString().slice("value=".length),
      Buffer.from(value).toString("base64").replace(/=+$/, "").slice(0, -1),
    ];
    return ways.some((way) => text.includes(way)) ? [what] : [];
  });
}

describe("whatever enters in any way", () => {
  test("launches: good ones of a learner and an instructor, a repeated one, a forged one, one of another LMS", async () => {
    const instructor = rememberingVisitor();
    const home = await openCourseLink(instructor, world.lms, "teacher1", "1", { framed: true });
    expect(home.status).toBe(200);
    const settings = await instructor.submit(home, { action: "/course/settings" });
    expect(settings.status).toBe(200);
    const feedback = await instructor.submit(home, { action: "/course/feedback" });
    expect(feedback.status).toBe(200);

    const learner = rememberingVisitor();
    const entered = await openCourseLink(learner, world.lms, "student1", "1");
    expect(entered.status).toBe(303);
    const login = new URL(entered.location ?? "").searchParams.get("token");
    userId = world.classroom.authorizations().find((one) => one.token === login)?.userId ?? "";
    expect(userId).not.toBe("");
    const launch = learner.seen.findLast((page) => page.text.includes('name="id_token"'));
    if (launch === undefined) throw new Error("no id_token was seen");
    expect((await learner.submit(launch)).status).toBeGreaterThanOrEqual(400);
    expect([...canaries.keys()].some((what) => what.startsWith("form field id_token"))).toBe(true);
    expect([...canaries.keys()].some((what) => what.startsWith("form field session"))).toBe(true);

    const forged = {
      id_token: `eyJhbGciOiJSUzI1NiJ9.${canary("a forged token")}.x`,
      state: canary("a state"),
    };
    expect(await posted("/lti/launch", form(forged), asForm)).toBeGreaterThanOrEqual(400);
    const refused = { error: canary("an error"), error_description: canary("a description"), state: "x" };
    expect(await posted("/lti/launch", form(refused), asForm)).toBeGreaterThanOrEqual(400);
    expect(
      await posted("/course/settings", form({ session: canary("a session") }), asForm),
    ).toBeGreaterThanOrEqual(400);
    const attempt = {
      iss: canary("an issuer"),
      login_hint: canary("a hint"),
      target_link_uri: canary("a target"),
    };
    expect(await posted("/lti/login", form(attempt), asForm)).toBeGreaterThanOrEqual(400);
    const notice = { notices: [{ jwt: `${canary("a notice")}.x.y` }] };
    expect(
      await posted("/lti/notices", JSON.stringify(notice), { "content-type": "application/json" }),
    ).toBeGreaterThanOrEqual(400);
  });

  test("registration with a foreign invitation, and with one for an LMS that repeats everything", async () => {
    const query = form({
      invite: canary("an invitation"),
      openid_configuration: `${echoUrl}/lms/${canary("a configuration")}`,
      registration_token: canary("a registration token"),
    });
    expect((await get(`${world.toolUrl}/lti/register?${query}`)).status).toBeGreaterThanOrEqual(400);
    const { cookie, form: formToken } = await logIn(world.toolUrl);
    canary("the console's cookie", cookie.split("=")[1] ?? "");
    canary("the console's form token", formToken);
    const invited = await send(
      `${world.toolUrl}/admin/invitations`,
      { form: formToken, environment: "production", hours: "1" },
      cookie,
    );
    const page =
      invited.location === null ? invited : await get(new URL(invited.location, world.toolUrl).href, cookie);
    const invite = /invite=([\w-]{16,})/.exec(page.text)?.[1];
    if (invite !== undefined) {
      const real = form({
        invite: canary("a real invitation", invite),
        openid_configuration: `${echoUrl}/lms/${canary("a second configuration")}`,
        registration_token: canary("a second registration token"),
      });
      expect((await get(`${world.toolUrl}/lti/register?${real}`)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test("webhooks: good ones with notes, one of an unknown family, one with a wrong secret, an unreadable one", async () => {
    const secret = world.variables["CLASSROOM_WEBHOOK_SECRET"] ?? "";
    const right = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const eventId = holdSession(world, "BIO101", userId, "LATE");
    world.classroom.markAttendance({ eventId, userId, status: "ABSENT", notes: canary("a note") });
    const bodies = [
      {
        _type: "ATTENDANCE",
        eventId,
        userId,
        currentStatus: "PRESENT",
        notes: canary("a note of a webhook"),
      },
      { _type: canary("a family"), text: canary("an unknown webhook") },
      {
        _type: "SPACE_USER",
        eventType: "joinSpace",
        userId: canary("a user id"),
        spaceId: "x",
        timestamp: canary("a time"),
      },
      { _type: "SCHEDULE", eventType: "EVENT_UPDATED", eventId: "", updatedBy: canary("an editor") },
    ];
    for (const body of bodies)
      expect(await posted("/webhooks/production", JSON.stringify(body), right)).toBe(202);
    expect(await posted("/webhooks/production", `{"text":"${canary("half a webhook")}`, right)).toBe(400);
    const wrong = { authorization: `Bearer ${canary("a wrong secret")}` };
    expect(await posted("/webhooks/production", "{}", wrong)).toBe(401);
    expect(await posted(`/webhooks/production?token=${canary("a secret in an address")}`, "{}")).toBe(401);
  });

  test("the console's login, a survey, calendars, metrics with a token", async () => {
    const wrong = await send(`${world.toolUrl}/admin`, { password: canary("a wrong password") });
    expect(wrong.status).toBe(401);
    const space = world.classroom.spaces().find((one) => one.name.startsWith("BIO101"))?.spaceId ?? "";
    const left = await fetch(`${world.classroom.appUrl}/spaces/${space}/end?user=${userId}`, {
      redirect: "manual",
    });
    const visitor = rememberingVisitor();
    const page = await visitor.open(left.headers.get("location") ?? "");
    if (page.text.includes("/ended/feedback")) {
      const answers = { rating: "4", soundAndPicture: "no", comment: canary("a comment") };
      expect(
        (await visitor.submit(page, { action: "/ended/feedback", fields: answers })).status,
      ).toBeLessThan(400);
    }
    expect(
      await posted(
        "/ended/feedback",
        form({ survey: canary("a survey token"), comment: canary("another comment") }),
        asForm,
      ),
    ).toBeGreaterThanOrEqual(400);
    const address = canary("a calendar's address", "Canary-calendar-address-32-chars");
    for (const ending of [".ics", ".ics/more", ""])
      expect((await get(`${world.toolUrl}/calendar/${address}${ending}`)).status).toBe(404);
    expect((await get(`${world.toolUrl}/no-such-page?q=${canary("a query")}`)).status).toBe(404);
  });

  test("a classroom and an LMS whose errors repeat what they were sent", async () => {
    echo.echoing = true;
    const answer = await openCourseLink(rememberingVisitor(), world.lms, "student2", "1");
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const database = await openDatabase({
      url: world.variables["DATABASE_URL"] ?? "",
      logger: createLogger("silent"),
    });
    try {
      const { registrations } = await openStores(database.connection);
      const [known] = await registrations.list();
      if (known === undefined) throw new Error("no registration");
      const lms = `${echoUrl}/lms`;
      const addresses = { authorizationUrl: `${lms}/auth`, tokenUrl: `${lms}/token`, jwksUrl: `${lms}/keys` };
      await registrations.insert({
        ...known,
        ...addresses,
        id: "reg-echo",
        issuer: lms,
        clientId: "echo",
        name: canary("an LMS's name"),
      });
    } finally {
      await database.close();
    }
    const { cookie, form: formToken } = await logIn(world.toolUrl);
    canary("another cookie of the console", cookie.split("=")[1] ?? "");
    await send(`${world.toolUrl}/admin/registrations/reg-echo/test`, { form: formToken }, cookie);
    await vi.waitFor(() => {
      expect(echo.urls.some((url) => url.startsWith("/lms/token") || url.startsWith("/lms/keys"))).toBe(true);
    }, patience);
    echo.echoing = false;
  });
});

test("is in no log, no metric, no readiness report and no address that the tool calls", async () => {
  expect(canaries.size).toBeGreaterThan(45);
  for (const what of ["a real invitation", "a comment", "a note", "the console's cookie"])
    expect([...canaries.keys()], "a way in was not taken").toContain(what);
  const logged = world.output();
  // The requests were really made and logged in full, or there would be nothing to find.
  for (const path of [
    "/lti/login",
    "/lti/launch",
    "/lti/register",
    "/lti/notices",
    "/webhooks/production",
    "/admin",
    "/ended/feedback",
    "/calendar/",
    "/course/settings",
  ])
    expect(logged, path).toContain(`"path":"${path}"`);
  expect(logged).toContain('"level":"debug"');
  const figures = await (await fetch(`${world.toolUrl}/metrics`)).text();
  const readiness = await (await fetch(`${world.toolUrl}/readyz`)).text();
  const asked = [
    ...world.classroom.calls().map(({ path, query }) => `${path} ${JSON.stringify(query)}`),
    ...world.lms.log().map(({ url }) => url),
    ...echo.urls.filter((url) => !url.includes("configuration")),
  ];
  expect(asked.length).toBeGreaterThan(10);
  expect({
    logged: foundIn(logged),
    figures: foundIn(figures),
    readiness: foundIn(readiness),
    asked: foundIn(asked.join("\n")),
  }).toEqual({ logged: [], figures: [], readiness: [], asked: [] });
});

test("is not in the console's audit log either, which has actions, not texts", async () => {
  const { cookie, form: formToken } = await logIn(world.toolUrl);
  const page = await get(`${world.toolUrl}/admin/audit`, cookie);
  expect(page.status).toBe(200);
  // The form token of this visit is in every form of the page, and the log is about the LMS's name.
  const own = new Set([...canaries].filter(([, value]) => value === formToken).map(([what]) => what));
  expect(foundIn(page.text).filter((what) => !own.has(what) && what !== "an LMS's name")).toEqual([]);
});

test("would be found if it were there, however it is written", () => {
  const note = canaries.get("a note") ?? "";
  expect(foundIn(`{"x":"${note}"}`)).toEqual(["a note"]);
  expect(foundIn(encodeURIComponent("Zoë"))).toEqual(["a learner's given name"]);
  expect(foundIn("name=%C3%81lvarez+N%C3%BA%C3%B1ez")).toEqual(["another learner's family name"]);
  expect(foundIn(Buffer.from(note).toString("base64"))).toEqual(["a note"]);
  expect(foundIn("nothing of the kind")).toEqual([]);
});
