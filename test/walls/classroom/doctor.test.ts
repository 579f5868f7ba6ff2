import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { Budgets } from "../../../src/classroom/budgets.ts";
import { freePermit } from "../../support/stand-ins/free-throttle.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import { examineApp, examinePublicUrl } from "../../../src/classroom/doctor/examine-address.ts";
import {
  type EnvironmentReport,
  examineEnvironment,
} from "../../../src/classroom/doctor/examine-environment.ts";
import type { Finding } from "../../../src/classroom/doctor/finding.ts";
import { deepMerge } from "../../../src/classroom/deep-merge.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type { AssumptionName } from "../../../src/sandbox/assumptions.ts";
import type { Spelling } from "../../../src/sandbox/stand-in-classroom/spellings.ts";
import type { StandInClassroom } from "../../../src/sandbox/stand-in-classroom/stand-in-classroom.ts";
import { dialectOf } from "../../support/stand-ins/dialect-of-spelling.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";

const apiKey = "key-that-must-stay-secret";
const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** No waiting: the throttle has its own tests. */
const unlimited: Budgets = {
  acquire: () => Promise.resolve(freePermit),
  refused: () => undefined,
};

type Examined = EnvironmentReport & { of: (about: string) => Finding[]; wrong: string[] };

async function examine(
  service: { baseUrl: string; appUrl?: string },
  options: { create?: boolean; dialect?: unknown; apiKey?: string; spaceId?: string } = {},
): Promise<Examined> {
  const report = await examineEnvironment({
    environment: {
      name: "production",
      baseUrl: service.baseUrl,
      appUrl: service.appUrl ?? new URL(service.baseUrl).origin,
      apiKey: options.apiKey ?? apiKey,
      webhookSecrets: ["a-webhook-secret"],
    },
    dialect: options.dialect === undefined ? defaultDialect : parseDialect(options.dialect),
    budgets: unlimited,
    open: createExchanges(),
    clock: systemClock,
    ids: randomIds,
    create: options.create ?? false,
    spaceId: options.spaceId ?? null,
    timeoutMs: 400,
  });
  expect(JSON.stringify(report)).not.toMatch(/key-that-must|a-webhook-secret|token=/);
  return {
    ...report,
    of: (about) => report.findings.filter((one) => one.about === about),
    wrong: report.findings.filter(({ level }) => level === "wrong").map(({ about }) => about),
  };
}

async function standIn(spelling: Spelling, rateLimit = false, turned: readonly AssumptionName[] = []) {
  const classroom = await quickClassroom({
    apiKey,
    rateLimit,
    spelling,
    turned: new Set(turned),
    cohortList: true,
  });
  open.push(classroom);
  return { classroom, service: { baseUrl: classroom.apiUrl, appUrl: classroom.appUrl } };
}

/** A service of which only one thing is certain. */
async function pretend(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    answer(request, response);
  });
  const url = await listening(server);
  open.push({ close: () => closed(server) });
  return { baseUrl: `${url}/v1`, requests };
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

describe("the doctor, changing nothing,", () => {
  test.each(["a", "b", "c"] as const)(
    "finds nothing wrong with a service in spelling %s",
    async (spelling) => {
      const { classroom, service } = await standIn(spelling);
      const report = await examine(service);
      expect(report.wrong).toEqual([]);
      expect(report.of("key")).toMatchObject([{ level: "fine" }]);
      expect(report.of("clock")).toMatchObject([{ level: "fine" }]);
      expect(report.of("readEvent")[0]?.message).toBe("GET /events/{eventId} is there.");
      expect([classroom.users(), classroom.spaces(), classroom.events()]).toEqual([[], [], []]);
      expect(new Set(classroom.calls().map(({ method }) => method))).not.toContain("POST");
    },
  );

  const listing = { operations: { findCohorts: { routes: [{ method: "GET", path: "/programs/cohorts" }] } } };
  const pagesOf = async (pages: Parameters<StandInClassroom["setPages"]>[0]) => {
    const { classroom, service } = await standIn("a");
    for (let number = 0; number < 60; number += 1) classroom.createCohort({ name: `Group ${number}` });
    classroom.setPages(pages);
    const { of } = await examine(service, { dialect: listing });
    return of("findCohorts").map(({ level, message }) => `${level}: ${message}`);
  };

  test.each([
    ["numbered", 'the parameter "pageNumber"'],
    ["page", 'the parameter "page"'],
    ["offset", 'the parameter "offset"'],
    ["cursor", 'the parameter "cursor"'],
    ["next", "the address of the next one"],
    ["link", "the address of the next one"],
  ] as const)(
    "reads on in a list that comes in pages in the manner %s, and says how",
    async (manner, how) => {
      expect(await pagesOf({ manner, size: 25 })).toEqual([
        "fine: GET /programs/cohorts answers with a list; readable entries: 25 or more.",
        `fine: Its list comes in pages, asked for by ${how}. Entries on the second page: 25.`,
      ]);
    },
  );

  test.each([
    ["repeats", 'the parameter "offset". The second page is the first one again.'],
    ["fails", 'the parameter "offset". The second page doesn’t come.'],
    ["shape", 'the parameter "offset". The second page doesn’t come.'],
  ] as const)("says what is wrong where pages go wrong: %s", async (fault, what) => {
    expect(await pagesOf({ manner: "offset", size: 25, fault })).toContain(
      `note: Its list comes in pages, asked for by ${what}`,
    );
  });

  test("asks no other host for a page, and says nothing of pages where a list is whole", async () => {
    expect((await pagesOf({ manner: "next", size: 25, fault: "elsewhere" })).at(-1)).toContain(
      "on another host",
    );
    expect(await pagesOf(null)).toHaveLength(1);
    expect(await pagesOf({ manner: "offset", size: 100 })).toContain(
      "fine: Its list names pages; this was all of it.",
    );
  });

  test("says that cohorts are known from webhooks alone where no list of them is named", async () => {
    const { service } = await standIn("a");
    const [found] = (await examine(service)).of("findCohorts");
    expect(found?.level).toBe("note");
    expect(found?.todo).toContain("operations.findCohorts.routes");
  });

  test("says which of two documented addresses a service has", async () => {
    const { service } = await standIn("b");
    const report = await examine(service);
    expect(report.of("createApiUser")[0]?.message).toBe("POST /user/createAPIUser is there.");
  });

  test("admits what cannot be seen without using it", async () => {
    const { service } = await standIn("c");
    const report = await examine(service);
    expect(report.of("createSpace")).toMatchObject([
      { level: "note", todo: "The command doctor --create uses it." },
    ]);
    expect(report.of("createSpace")[0]?.message).toContain("can’t be seen without using it");
  });

  test("names the key's variable when the key is wrong, and asks nothing more", async () => {
    const { classroom, service } = await standIn("a");
    const report = await examine(service, { apiKey: "key-that-must-not-be-taken" });
    expect(report.wrong).toEqual(["key"]);
    expect(report.of("key")[0]?.todo).toContain("CLASSROOM_API_KEY");
    expect(classroom.calls().length).toBeLessThan(12);
  });

  test("finds out in which header the key is taken", async () => {
    const { service } = await standIn("d");
    const report = await examine(service);
    expect(report.of("key")).toMatchObject([
      { level: "wrong", dialect: { apiKey: { header: "X-API-Key", scheme: "" } } },
    ]);
  });

  test("says that nothing listens at a wrong address", async () => {
    const gone = await standIn("a");
    await gone.classroom.close();
    const report = await examine(gone.service);
    expect(report.wrong).toContain("service");
    expect(report.of("service")[0]?.message).toContain("connection refused");
  });

  test("says that there is no such host", async () => {
    const report = await examine({ baseUrl: "https://api.classroom.invalid" });
    expect(report.of("service")[0]).toMatchObject({ level: "wrong" });
    expect(report.of("service")[0]?.message).toMatch(/no host|could not be looked up/);
  });

  test("gives up on a hanging service after one time-out", async () => {
    const began = Date.now();
    const { baseUrl, requests } = await pretend(() => undefined);
    const report = await examine({ baseUrl });
    expect(report.of("service")[0]?.message).toContain("doesn’t answer in time");
    expect(requests.filter(({ url }) => url?.startsWith("/v1") === true)).toHaveLength(1);
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  test("stops when a service stops answering on the way", async () => {
    let left = 6;
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if ((left -= 1) > 0) json(response, 404, { error: "no" });
    });
    const report = await examine({ baseUrl });
    expect(report.findings.at(-1)?.message).toContain("stopped answering");
  });

  test("says that a web application answers where the API should", async () => {
    const { baseUrl } = await pretend((_request, response) =>
      response.end("<!doctype html><title>App</title>"),
    );
    const report = await examine({ baseUrl });
    expect(report.of("readEvent")[0]?.message).toContain("web page");
    expect(report.wrong).toEqual(["readEvent", "readAttendance"]);
  });

  test("says when no documented address of something needed is there", async () => {
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (request.url?.includes("/events/") === true) json(response, 404, { error: "no such event" });
      else json(response, 404, { error: "no such address" });
    });
    const report = await examine({ baseUrl });
    expect(report.of("readAttendance")[0]).toMatchObject({ level: "wrong" });
    expect(report.of("readAttendance")[0]?.todo).toContain("operations.readAttendance.routes");
    expect(report.of("readCohort")[0]).toMatchObject({ level: "note" });
  });

  test("does not take a 404 for a thing when every address is answered like that", async () => {
    const { baseUrl } = await pretend((request, response) =>
      request.headers.authorization === undefined
        ? json(response, 401, {})
        : json(response, 404, { message: `Cannot ${request.method} ${request.url}`, at: Date.now() }),
    );
    const report = await examine({ baseUrl });
    expect(report.of("readEvent")[0]?.message).toContain("can’t be seen without using it");
  });

  test("says that later people are not added to a Space, and which place of the dialect would mend it", async () => {
    const { service } = await standIn("a", false);
    const [note] = (await examine(service)).of("addToSpace");
    expect(note).toMatchObject({ level: "note" });
    expect(note?.message).toContain("later instructors enter as participants");
    expect(note?.todo).toContain("operations.addToSpace.routes");
    const route = { method: "POST", path: "/spaces/{spaceId}/users", body: { id: "{userId}", as: "{role}" } };
    const dialect = { operations: { addToSpace: { routes: [route] } } };
    const told = (await examine(service, { dialect })).of("addToSpace");
    expect(told.map(({ message }) => message).join()).not.toContain("gets no later");
  });

  test("says where the list is when it is not where the dialect looks", async () => {
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (request.url?.includes("/attendance/") === true) json(response, 200, { page: { people: [] } });
      else json(response, 404, { error: request.url });
    });
    const report = await examine({ baseUrl });
    expect(report.of("readAttendance")[0]).toMatchObject({
      level: "wrong",
      dialect: { operations: { readAttendance: { reply: { items: ["page.people"] } } } },
    });
  });

  test("says how far apart the clocks are", async () => {
    const { baseUrl } = await pretend((_request, response) => {
      response.setHeader("Date", new Date(Date.now() + 600_000).toUTCString());
      json(response, 404, {});
    });
    const clock = (await examine({ baseUrl })).of("clock")[0];
    expect(clock).toMatchObject({ level: "wrong" });
    expect(clock?.message).toMatch(/(599|600|601) s behind/);
  });

  test("waits when the service says 429, and tells", async () => {
    const { classroom, service } = await standIn("a");
    classroom.addFault({ operation: "readEvent", kind: "429", retryAfterSeconds: 1 });
    const report = await examine(service);
    expect(report.wrong).toEqual([]);
    expect(report.of("limit")[0]?.message).toContain("429 1 time(s), for up to 1 s");
  });

  test("does not follow a redirect with the key", async () => {
    const { baseUrl, requests } = await pretend((_request, response) =>
      response.writeHead(302, { location: "https://elsewhere.example/v1" }).end(),
    );
    const report = await examine({ baseUrl });
    expect(report.of("service").at(-1)?.message).toContain(
      "redirects API calls to https://elsewhere.example",
    );
    expect(requests.length).toBeLessThan(3);
  });
});

describe("the doctor, with --create,", () => {
  test.each(["a", "b", "c", "d"] as const)("reads back what it made in spelling %s", async (spelling) => {
    const { classroom, service } = await standIn(spelling);
    const report = await examine(service, { create: true, dialect: dialectOf(spelling) });
    expect(report.wrong).toEqual([]);
    expect(report.made).toMatchObject({
      userId: classroom.users()[0]?.userId,
      participantUserId: classroom.users()[1]?.userId,
      spaceId: classroom.spaces()[0]?.spaceId,
      eventId: classroom.events()[0]?.eventId,
    });
    expect(classroom.users().map(({ name, role }) => `${name}, ${role}`)).toEqual([
      "spaces-lti doctor, host",
      "spaces-lti doctor, participant",
    ]);
    expect(classroom.spaces()[0]?.name).toMatch(/^spaces-lti doctor /);
    expect(classroom.events()[0]?.spaceId).toBe(report.made?.spaceId);
    expect(report.of("readEvent")[0]?.message).toContain("spaceId at ");
  });

  test("finds in one run all that a dialect file needs, and is content with it in the next", async () => {
    const { service } = await standIn("d");
    const first = await examine(service, { create: true });
    expect(first.wrong).not.toEqual([]);
    const needed = first.findings.reduce<unknown>((all, one) => deepMerge(all, one.dialect ?? {}), {});
    expect(needed).toMatchObject({
      apiKey: { header: "X-API-Key", scheme: "" },
      envelopes: ["data", "result", "payload"],
      operations: { createApiUser: { reply: { userId: ["payload.person_ref"] } } },
    });
    const second = await examine(service, { create: true, dialect: needed });
    expect(second.wrong).toEqual([]);
  });

  test("takes a Space that is there already", async () => {
    const { classroom, service } = await standIn("a");
    const { made } = await examine(service, { create: true });
    const again = await examine(service, { create: true, spaceId: made?.spaceId ?? "" });
    expect(again.made?.spaceId).toBe(made?.spaceId);
    expect(classroom.spaces()).toHaveLength(1);
  });

  test("says what the service did not like, without what may be a token or an address", async () => {
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (request.method === "POST") {
        const message = `email is required, not ada@example.org or ${apiKey} or 0123456789abcdef0123456789abcdef`;
        json(response, 422, { errors: [{ message, value: "Ada" }] });
      } else json(response, 404, {});
    });
    const [refused] = (await examine({ baseUrl }, { create: true })).of("createApiUser");
    expect(refused?.message).toContain('answers 422. The service says: "email is required');
    expect(JSON.stringify(refused)).not.toMatch(/Ada|example\.org|0123456789abcdef/);
    expect(refused?.shape).toEqual({ errors: ["list of 1", { message: "string", value: "string" }] });
  });

  test("says that a user is made with an e-mail address only, and goes on with one that nobody has", async () => {
    const { classroom, service } = await standIn("a", false, ["usersNeedNoEmail"]);
    const report = await examine(service, { create: true });
    const [finding] = report.of("createApiUser");
    expect(finding?.level).toBe("wrong");
    expect(finding?.todo).toContain("email.synthetic");
    expect(classroom.users()[0]?.email).toMatch(/@doctor\.invalid$/);
    expect(report.made?.spaceId).not.toBeNull();
    const dialect = { email: { synthetic: "{reference}@learners.example.edu" } };
    expect((await examine(service, { create: true, dialect })).wrong).toEqual([]);
  });

  test("says that a second user with a known address is refused, and what to write", async () => {
    const { service } = await standIn("a", false, ["usersNeedNoEmail", "addressesAreFree"]);
    const synthetic = "{reference}@learners.example.edu";
    const first = await examine(service, { create: true, dialect: { email: { synthetic } } });
    const [refused] = first.of("createApiUser").filter(({ level }) => level === "wrong");
    expect(refused?.message).toContain("e-mail address that another one has is refused");
    expect(first.made?.participantUserId).not.toBeNull();
    const dialect = deepMerge({ email: { synthetic } }, refused?.dialect);
    expect((await examine(service, { create: true, dialect })).wrong).toEqual([]);
  });

  test("says when both roles of a person are one user, and makes one where users have no roles", async () => {
    const turned = ["usersNeedNoEmail", "aUserForEachRole"] as const;
    const { classroom, service } = await standIn("a", false, turned);
    const email = { synthetic: "{reference}@learners.example.edu" };
    const report = await examine(service, { create: true, dialect: { email } });
    const [shared] = report.of("createApiUser").filter(({ level }) => level === "wrong");
    expect(shared?.todo).toContain('"usersHaveRoles": false');
    const before = classroom.users().length;
    const dialect = { email, usersHaveRoles: false };
    expect((await examine(service, { create: true, dialect })).wrong).toEqual([]);
    expect(classroom.users()).toHaveLength(before + 1);
  });

  test("adds its participant to the Space that it made, where the dialect names a way", async () => {
    const { classroom, service } = await standIn("a", false, ["addedWhenMade"]);
    const route = {
      method: "POST",
      path: "/spaces/{spaceId}/users",
      body: { userId: "{userId}", role: "{role}" },
    };
    const report = await examine(service, {
      create: true,
      dialect: { operations: { addToSpace: { routes: [route] } } },
    });
    expect(report.wrong).toEqual([]);
    expect(report.of("addToSpace")).toMatchObject([{ level: "fine" }]);
    expect(classroom.spaces()[0]?.participantUserIds).toEqual([report.made?.participantUserId]);
  });

  test("says of each known shape what the service did not like about it", async () => {
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (request.url?.endsWith("/users/createAPIUser") === true)
        json(response, 400, { message: "kind is missing" });
      else json(response, 404, {});
    });
    const [refused] = (await examine({ baseUrl }, { create: true })).of("createApiUser");
    expect(refused?.message).toMatch(
      /^No known shape is taken\. POST \/users\/createAPIUser \{ name, .*role.*"kind is missing" POST \/users\/createAPIUser \{ name, email, userRole/,
    );
  });

  test("says when the service puts an event into another Space than was asked", async () => {
    const { baseUrl } = await pretend((request, response) => {
      const { method, url = "" } = request;
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (url.includes("createAPIUser")) json(response, 201, { userId: "u1" });
      else if (url.includes("/spaces/create"))
        json(response, 201, { spaceId: "s1", url: "https://spaces.example/spaces/s1" });
      else if (url.includes("/authorize"))
        json(response, 200, { url: "https://other.example/spaces/s1?token=t0k" });
      else if (url.endsWith("/events")) json(response, 201, { eventId: "e1" });
      else if (method === "GET" && url.includes("/events/e1"))
        json(response, 200, { eventId: "e1", spaceId: "s9", room: { space: "s1" } });
      else json(response, 404, {});
    });
    const report = await examine({ baseUrl }, { create: true });
    expect(report.of("createSpace").at(-1)).toMatchObject({
      level: "wrong",
      dialect: { knownSpaceOrigins: ["https://spaces.example"] },
    });
    expect(report.of("authorize").at(-1)).toMatchObject({
      level: "wrong",
      dialect: { loginOrigins: ["https://other.example"] },
    });
    expect(report.of("readEvent")[0]).toMatchObject({
      level: "wrong",
      dialect: { operations: { readEvent: { reply: { spaceId: ["room.space"] } } } },
    });
  });
});

describe("the doctor's look at addresses", () => {
  const deps = { open: createExchanges(), clock: systemClock, timeoutMs: 400 };

  test("knows this tool from something else at PUBLIC_URL", async () => {
    const tool = await pretend((_request, response) => json(response, 200, { alive: true }));
    const other = await pretend((_request, response) => response.end("<h1>Welcome to nginx</h1>"));
    expect((await examinePublicUrl(deps, tool.baseUrl)).map(({ level }) => level)).toEqual(["note", "fine"]);
    const [, found] = await examinePublicUrl(deps, other.baseUrl);
    expect(found).toMatchObject({ level: "wrong" });
    expect(found?.message).toContain("not this tool");
  });

  test("says that PUBLIC_URL must be https", async () => {
    const [plain] = await examinePublicUrl(deps, "http://tool.invalid");
    expect(plain).toMatchObject({ level: "wrong", message: "It’s plain http." });
  });

  test("says when the web application does not answer", async () => {
    expect(await examineApp(deps, "http://127.0.0.1:9")).toMatchObject({ level: "wrong", about: "app" });
    const { baseUrl } = await pretend((_request, response) => json(response, 403, {}));
    expect(await examineApp(deps, baseUrl)).toMatchObject({ level: "fine" });
  });
});
