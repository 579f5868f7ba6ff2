import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { Budgets } from "../../../src/classroom/budgets.ts";
import { freePermit, freeThrottle } from "../../support/stand-ins/free-throttle.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import { createClassroomClient } from "../../../src/classroom/client.ts";
import {
  type AccountReport,
  examineAccount,
  examineApp,
  examinePublicUrl,
} from "../../../src/classroom/doctor/examine-account.ts";
import { type Finding, redacted } from "../../../src/classroom/doctor/finding.ts";
import type { OperationBasis } from "../../../src/classroom/known-addresses.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { AssumptionName } from "../../../sandbox/assumptions.ts";
import type { Spelling } from "../../../sandbox/stand-in-classroom/spellings.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { dialectOf } from "../../support/stand-ins/dialects.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const apiKey = "key-that-must-stay-secret";

/** Never waits: the throttle has its own tests. */
const unlimited: Budgets = { acquire: () => Promise.resolve(freePermit), refused: () => undefined };

type Examined = AccountReport & { of: (about: string) => Finding[]; wrong: string[] };

type Options = {
  create?: boolean;
  dialect?: unknown;
  apiKey?: string;
  spaceId?: string;
  bases?: readonly OperationBasis[];
};

async function examine(
  service: { baseUrl: string; appUrl?: string },
  options: Options = {},
): Promise<Examined> {
  const environment = {
    name: "production",
    stage: "production" as const,
    baseUrl: service.baseUrl,
    appUrl: service.appUrl ?? new URL(service.baseUrl).origin,
    apiKey: options.apiKey ?? apiKey,
    webhookSecrets: ["a-webhook-secret"],
  };
  const dialect = options.dialect === undefined ? defaultDialect : parseDialect(options.dialect);
  const report = await examineAccount({
    environment,
    dialect,
    budgets: unlimited,
    open: createExchanges(),
    clock: systemClock,
    ids: randomIds,
    clientOver: (over) =>
      createClassroomClient({
        environment,
        dialect,
        throttle: freeThrottle,
        open: over,
        clock: systemClock,
        logger: createLogger("silent"),
      }),
    bases: () => Promise.resolve(options.bases ?? []),
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
  const classroom = closedAfterTest(
    await quickClassroom({ apiKey, rateLimit, spelling, turned: new Set(turned) }),
  );
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
  closedAfterTest({ close: () => closed(server) });
  return { baseUrl: `${url}/v1`, requests };
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

describe("the doctor, without changes,", () => {
  test.each(["a", "b", "c"] as const)(
    "finds nothing wrong with a service in spelling %s",
    async (spelling) => {
      const { classroom, service } = await standIn(spelling);
      const report = await examine(service);
      expect(report.findings.map(({ level, about }) => `${about}: ${level}`)).toEqual([
        "address: fine",
        "key: fine",
        "user: note",
        "space: note",
        "authorize: note",
        "space: fine",
        "webhook: fine",
      ]);
      expect(report.of("key")[0]?.reply).toMatch(/^404 /);
      expect([classroom.users(), classroom.spaces(), classroom.events()]).toEqual([[], [], []]);
      expect(new Set(classroom.calls().map(({ method }) => method))).not.toContain("POST");
    },
  );

  test("says when users, Spaces and logins were last answered", async () => {
    const { service } = await standIn("a");
    const basis = { address: "documented", sent: [], read: [], ways: 2 } as const;
    const bases = (["createApiUser", "createSpace"] as const).map((operation) => ({
      ...basis,
      operation,
      way: `POST /${operation}`,
      answeredAt: Date.UTC(2026, 10, 3),
    }));
    const report = await examine(service, { bases });
    expect(report.of("user")[0]).toMatchObject({
      level: "fine",
      message: "POST /createApiUser was last answered on 2026-11-03.",
    });
    expect(report.of("authorize")[0]).toMatchObject({
      level: "note",
      todo: "The command doctor --create uses it.",
    });
  });

  test("names the key's variable when the key is wrong, and calls nothing else", async () => {
    const { classroom, service } = await standIn("a");
    const report = await examine(service, { apiKey: "key-that-must-not-be-taken" });
    expect(report.wrong).toEqual(["key"]);
    expect(report.of("key")[0]?.todo).toContain("CLASSROOM_API_KEY");
    expect(report.of("user")).toEqual([]);
    expect(classroom.calls().length).toBeLessThan(12);
  });

  test("finds the header in which the key is accepted", async () => {
    const { service } = await standIn("d");
    const [key] = (await examine(service)).of("key");
    expect(key?.level).toBe("wrong");
    expect(key?.todo).toContain('{"apiKey":{"header":"X-API-Key","scheme":""}}');
  });

  test("says that nothing listens at a wrong address", async () => {
    const gone = await standIn("a");
    await gone.classroom.close();
    const report = await examine(gone.service);
    expect(report.wrong).toContain("address");
    expect(report.of("address")[0]?.message).toContain("connection refused");
  });

  test("gives up on a hanging service after one timeout", async () => {
    const began = Date.now();
    const { baseUrl, requests } = await pretend(() => undefined);
    const report = await examine({ baseUrl });
    expect(report.of("address")[0]?.message).toContain("doesn’t answer in time");
    expect(requests.filter(({ url }) => url?.startsWith("/v1") === true)).toHaveLength(1);
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  test.each([
    [
      "a web page",
      (response: ServerResponse) => response.end("<!doctype html><title>App</title>"),
      "web page",
    ],
    ["a failing server", (response: ServerResponse) => json(response, 500, { error: "down" }), "answers 500"],
  ])("reports %s in place of the API, and shows it", async (_what, answer, message) => {
    const { baseUrl, requests } = await pretend((_request, response) => answer(response));
    const [address] = (await examine({ baseUrl, appUrl: "http://127.0.0.1:9" })).of("address");
    expect(address).toMatchObject({ level: "wrong" });
    expect(address?.message).toContain(message);
    expect(address?.reply).toMatch(/<title>App|"error":"down"/);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });

  test("waits when the service answers 429", async () => {
    const { classroom, service } = await standIn("a");
    classroom.addFault({ operation: "readEvent", kind: "429", retryAfterSeconds: 1 });
    expect((await examine(service)).wrong).toEqual([]);
  });

  test("does not follow a redirect, and does not send the key there", async () => {
    const { baseUrl, requests } = await pretend((_request, response) =>
      response.writeHead(302, { location: "https://elsewhere.example/v1" }).end(),
    );
    const report = await examine({ baseUrl, appUrl: "http://127.0.0.1:9" });
    expect(report.of("address")[0]?.message).toContain("redirects API calls to https://elsewhere.example");
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

describe("the doctor, with --create,", () => {
  test.each(["a", "b", "c", "d"] as const)(
    "creates what an entry creates in spelling %s",
    async (spelling) => {
      const { classroom, service } = await standIn(spelling);
      const report = await examine(service, { create: true, dialect: dialectOf(spelling) });
      expect(report.wrong).toEqual([]);
      expect(report.made).toEqual({
        userId: classroom.users()[0]?.userId,
        participantUserId: classroom.users()[1]?.userId,
        spaceId: classroom.spaces()[0]?.spaceId,
      });
      expect(classroom.users().map(({ name, role }) => `${name}, ${role}`)).toEqual([
        "spaces-lti doctor, host",
        "spaces-lti doctor, participant",
      ]);
      expect(classroom.spaces()[0]?.name).toMatch(/^spaces-lti doctor /);
      expect(report.of("user")[0]?.reply).toContain(report.made?.userId);
      expect(report.of("authorize")[0]?.reply).toMatch(/^20\d .*\?…/);
    },
  );

  test("uses an existing Space, and creates one user if users have no roles", async () => {
    const { classroom, service } = await standIn("a");
    const { made } = await examine(service, { create: true });
    const again = await examine(service, {
      create: true,
      spaceId: made?.spaceId ?? "",
      dialect: { usersHaveRoles: false },
    });
    expect(again.made).toMatchObject({ spaceId: made?.spaceId, participantUserId: null });
    expect(classroom.spaces()).toHaveLength(1);
    expect(classroom.users()).toHaveLength(3);
  });

  test("shows a reply that has a field in another place", async () => {
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (request.method === "POST") json(response, 201, { payload: { person_ref: "p7" } });
      else json(response, 404, {});
    });
    const [user] = (await examine({ baseUrl }, { create: true })).of("user");
    expect(user).toMatchObject({ level: "wrong", reply: '201 {"payload":{"person_ref":"p7"}}' });
  });

  test("shows the service's complaint without what may be a token or an address", async () => {
    const { baseUrl } = await pretend((request, response) => {
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (request.method === "POST") {
        const message = `email is required, not ada@example.org or ${apiKey}`;
        json(response, 422, { errors: [{ message }], token: "t0k" });
      } else json(response, 404, {});
    });
    const [refused] = (await examine({ baseUrl }, { create: true })).of("user");
    expect(refused?.level).toBe("wrong");
    expect(refused?.reply).toBe('422 {"errors":[{"message":"email is required, not … or …"}],"token":"…"}');
  });

  test("says that a user needs an e-mail address", async () => {
    const { classroom, service } = await standIn("a", false, ["usersNeedNoEmail"]);
    const report = await examine(service, { create: true });
    expect(report.of("user").map(({ level }) => level)).toEqual(["wrong", "fine"]);
    expect(report.of("user")[0]?.message).toMatch(/e-?mail/i);
    expect(classroom.users()[0]?.email).toMatch(/@doctor\.invalid$/);
    const dialect = { email: { synthetic: "{reference}@learners.example.edu" } };
    expect((await examine(service, { create: true, dialect })).wrong).toEqual([]);
  });

  test("names the other origins to which a Space and a login lead", async () => {
    const { baseUrl } = await pretend((request, response) => {
      const { url = "" } = request;
      if (request.headers.authorization === undefined) json(response, 401, {});
      else if (url.includes("createAPIUser")) json(response, 201, { userId: "u1" });
      else if (url.includes("/spaces/create"))
        json(response, 201, { spaceId: "s1", url: "https://spaces.example/spaces/s1" });
      else if (url.includes("/authorize"))
        json(response, 200, { url: "https://other.example/spaces/s1?token=t0k" });
      else json(response, 404, {});
    });
    const report = await examine({ baseUrl }, { create: true });
    expect(report.wrong).toEqual(["space", "authorize"]);
    expect(report.of("space")[1]?.todo).toContain('{"knownSpaceOrigins":["https://spaces.example"]}');
    expect(report.of("authorize")[0]?.message).toContain("https://other.example");
    expect(report.of("authorize")[0]?.reply).toContain("https://other.example/spaces/s1?…");
  });
});

describe("what the doctor shows of a reply", () => {
  test.each([
    ["a key, also percent-encoded", "a+b/c and a%2Bb%2Fc", ["a+b/c"], "… and …"],
    [
      "a field by its name",
      '{"accessToken":"x","apiKey":{"v":1},"id":"7"}',
      [],
      '{"accessToken":"…","apiKey":"…","id":"7"}',
    ],
    [
      "the query of an address",
      "see https://x.example/a?token=t#b and ask?",
      [],
      "see https://x.example/a?… and ask?…",
    ],
    ["long opaque words", `Bearer ${"a1".repeat(30)}`, [], "Bearer …"],
    ["no id, however", "6f9619ff-8b86-d011-b42d-00cf4fc964ff", [], "6f9619ff-8b86-d011-b42d-00cf4fc964ff"],
    ["commands of a terminal", "a\u001b[31mb", [], "a [31mb"],
  ])("lacks %s", (_what, reply, secrets, shown) => {
    expect(redacted(reply, secrets)).toBe(shown);
  });
});

describe("the doctor's check of addresses", () => {
  const deps = { open: createExchanges(), clock: systemClock, timeoutMs: 400 };

  test("distinguishes this tool from something else at PUBLIC_URL", async () => {
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
    expect(await examineApp(deps, "http://127.0.0.1:9")).toMatchObject({ level: "wrong", about: "space" });
    const { baseUrl } = await pretend((_request, response) => json(response, 403, {}));
    expect(await examineApp(deps, baseUrl)).toMatchObject({ level: "fine" });
  });
});
