import { describe, expect, test, vi } from "vitest";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import {
  ada as someAda,
  type Asked,
  entering,
  failureOf,
  json,
  memoryAddresses,
  service,
} from "./answering-service.ts";

const ada = { ...someAda, role: "host" } as const;
const grace = { ...ada, reference: "per/2", email: null };
const unwanted = { ...grace, reference: "unwanted" };
const synthetic = { email: { synthetic: "{reference}.{role}@learners.example.edu" } };
const algebra = {
  name: "Algebra",
  access: "Private",
  waitingRoom: true,
  ownerUserId: "u1",
  hostUserIds: ["u1", "u2"],
  participantUserIds: ["u3"],
} as const;
const entry = { userId: "u1", redirectUrl: "https://app.example/spaces/s1?startCall=true" };

function bodyOf(asked: Asked | undefined): Record<string, unknown> {
  const body: unknown = JSON.parse(asked?.body ?? "");
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** Accepts users only as Teacher or Student; a switch makes it a service that wants `kind`. */
async function strictService() {
  const state = { wants: "userRole", refuses: 400 };
  const made = await service((asked, response) => {
    const body = bodyOf(asked);
    if (body.externalId === "unwanted" || body.email === "unwanted@example.org")
      json(response, state.refuses, { error: "this address" });
    else if (state.wants in body) json(response, 201, { userId: "u" });
    else json(response, state.refuses, { error: `no ${state.wants} for ada@example.org` });
  });
  return { ...made, state };
}

describe("a body that the service refuses", () => {
  test.each([400, 422])("with %i is followed by the next known shape, with its own words", async (status) => {
    const { asked, client, state } = await strictService();
    state.refuses = status;
    expect(await client().createApiUser(ada, entering)).toEqual({ userId: "u" });
    expect(bodyOf(asked.at(-1))).toEqual({
      name: "Ada Lovelace",
      email: "ada@example.org",
      userRole: "Teacher",
      externalId: "per_1",
    });
    expect(asked.map(({ url }) => url)).toEqual([
      "/users/createAPIUser",
      "/user/createAPIUser",
      "/users/createAPIUser",
    ]);
  });

  test("is not sent again: what worked is known to the next call, other processes and after a restart", async () => {
    const addresses = memoryAddresses();
    const { asked, client } = await strictService();
    const one = client({}, addresses);
    await one.createApiUser(ada, entering);
    await vi.waitFor(() => expect(addresses.kept.size).toBe(1), 30_000);
    await one.createApiUser(ada, entering);
    await client({}, addresses).createApiUser(ada, entering);
    expect(asked.slice(3).map((each) => "userRole" in bodyOf(each))).toEqual([true, true]);
  });

  test("is the person's fault once the shape has worked: nothing else is tried, however often", async () => {
    const { asked, client } = await strictService();
    const one = client(synthetic);
    await one.createApiUser(grace, entering);
    const before = asked.length;
    for (let times = 1; times <= 4; times += 1) {
      const failure = await failureOf(one.createApiUser(unwanted, entering));
      expect(failure).toMatchObject({ code: "classroom-refused", details: { answer: 400 } });
    }
    expect(asked).toHaveLength(before + 4);
  });

  test("in every shape causes an error that lists each answer without values", async () => {
    const log: string[] = [];
    const { client, state } = await strictService();
    state.wants = "kind";
    const failure = await failureOf(client({}, undefined, log).createApiUser(ada, entering));
    expect(failure).toMatchObject({
      code: "classroom-refused",
      details: {
        answer: 400,
        refusals: [
          {
            shape: "POST /users/createAPIUser { name, firstName, lastName, email, role, externalId }",
            status: 400,
            reply: { error: "string" },
          },
          { shape: "POST /user/createAPIUser { name, firstName, lastName, email, role, externalId }" },
          { shape: "POST /users/createAPIUser { name, email, userRole, externalId }" },
          { shape: "POST /user/createAPIUser { name, email, userRole, externalId }" },
        ],
      },
    });
    expect(failure.message).toContain("in each of the 4 ways that are known");
    expect(JSON.stringify([log, failure.message, failure.details])).not.toMatch(/Ada|example\.org/);
  });

  test("does not lead elsewhere when the answer is lost, so that two users are never made", async () => {
    const { asked, client } = await service((one, response) => {
      if ("role" in bodyOf(one)) json(response, 400, {});
      else response.destroy();
    });
    const failure = await failureOf(client().createApiUser(ada, entering));
    expect(failure).toMatchObject({ code: "classroom-unreachable", details: { outcome: "unknown" } });
    expect(asked.map((each) => "userRole" in bodyOf(each))).toEqual([false, false, true]);
  });

  test("at a missing address costs one call, not one for each shape", async () => {
    const { asked, client } = await service(({ method, url }, response) =>
      method === "GET" && url.startsWith("/user/authorize")
        ? json(response, 200, { url: "https://app.example/spaces/s1?token=t" })
        : json(response, 405, {}),
    );
    await client().authorize(entry, entering);
    expect(asked).toHaveLength(4);
  });

  test("may have another status, or not lead elsewhere at all", async () => {
    const { asked, client } = await service((_one, response) => json(response, 409, {}));
    await failureOf(
      client({ ...synthetic, statuses: { refusedBody: [409] } }).createApiUser(grace, entering),
    );
    expect(asked).toHaveLength(4);
    await failureOf(client({ ...synthetic, statuses: { refusedBody: [] } }).createApiUser(grace, entering));
    expect(asked).toHaveLength(5);
  });

  test("is replaced by one of many callers, while the others try the next shape", async () => {
    const { asked, client } = await strictService();
    const one = client();
    await Promise.all(Array.from({ length: 8 }, () => one.createApiUser(ada, entering)));
    await one.createApiUser(ada, entering);
    expect(bodyOf(asked.at(-1))).toHaveProperty("userRole");
    expect(asked.filter((each) => "userRole" in bodyOf(each)).length).toBeGreaterThanOrEqual(9);
  });
});

test("a name or a title longer than the dialect's limit is cut, never inside a character", async () => {
  const { asked, client } = await service((_one, response) =>
    json(response, 201, { userId: "u", spaceId: "s", eventId: "e" }),
  );
  const one = client({ lengths: { name: 20, title: 30 } });
  const long = `${"x".repeat(19)}\u{1F600}`;
  await one.createApiUser({ ...ada, name: long, givenName: long }, entering);
  await one.createSpace({ ...algebra, name: "y".repeat(31) }, entering);
  await one.createEvent({ title: "z".repeat(31), spaceId: "s", startsAt: 0, endsAt: 1 }, entering);
  expect(bodyOf(asked[0])).toMatchObject({ name: "x".repeat(19), firstName: "x".repeat(19) });
  expect(bodyOf(asked[1])).toMatchObject({ name: "y".repeat(30) });
  expect(bodyOf(asked[2])).toMatchObject({ title: "z".repeat(30) });
});

describe("a login", () => {
  test("whose address must be plain in the body is found by one more call, once", async () => {
    const { asked, client } = await service((one, response) =>
      bodyOf(one).redirectUrl === entry.redirectUrl
        ? json(response, 200, { url: "https://app.example/spaces/s1?token=t" })
        : json(response, 400, {}),
    );
    const one = client();
    await one.authorize(entry, entering);
    await one.authorize(entry, entering);
    expect(asked).toHaveLength(3);
    expect(asked[1]?.url).toBe("/users/u1/authorize");
  });
});

describe("a new Space", () => {
  const lists = { hosts: [{ userId: "u1" }, { userId: "u2" }], participants: [{ userId: "u3" }] };
  const known = [
    { userId: "u3", role: "participant" },
    { userId: "u1", role: "host" },
    { userId: "u2", role: "host" },
  ];

  test("names its hosts and participants", async () => {
    const { asked, client } = await service((_one, response) => json(response, 201, { spaceId: "s" }));
    expect(await client().createSpace(algebra, entering)).toEqual({
      spaceId: "s",
      elsewhere: null,
      listed: known,
    });
    expect(bodyOf(asked[0])).toEqual({
      name: "Algebra",
      title: "Algebra",
      access: "Private",
      visibility: "private",
      enableWaitingRoom: true,
      settings: { enableWaitingRoom: true },
      ...lists,
    });
  });

  test.each([
    ["as in public programs", ["title", "visibility", "hosts", "participants", "settings"], lists],
    [
      "with an owner",
      ["title", "visibility", "ownerId", "hostIds", "participantIds", "settings"],
      { ownerId: { userId: "u1" }, hostIds: lists.hosts, participantIds: lists.participants },
    ],
  ])("is sent %s if only that is accepted", async (_how, names, told) => {
    const { asked, client } = await service((one, response) =>
      Object.keys(bodyOf(one)).every((name) => names.includes(name))
        ? json(response, 201, { spaceId: "s" })
        : json(response, 422, {}),
    );
    const made = await client().createSpace(algebra, entering);
    expect(bodyOf(asked.at(-1))).toEqual({
      title: "Algebra",
      visibility: "private",
      settings: { enableWaitingRoom: true },
      ...told,
    });
    expect(made.listed).toEqual(known);
  });

  test.each([
    ["another host", "https://elsewhere.example/spaces/s?token=t0k3n", {}, "https://elsewhere.example"],
    ["another port of ours", "https://app.example:8443/spaces/s", {}, "https://app.example:8443"],
    ["a subdomain of our host", "https://eu.app.example/spaces/s", {}, "https://eu.app.example"],
    [
      "a host that only begins like ours",
      "https://app.example.evil.example/s",
      {},
      "https://app.example.evil.example",
    ],
    ["our host as a user name", "https://app.example@evil.example/s", {}, "https://evil.example"],
    ["another host without a scheme", "//evil.example/spaces/s", {}, "https://evil.example"],
    ["our host on plain http", "http://app.example/spaces/s", {}, null],
    ["only a path", "/spaces/s", {}, null],
    ["no host at all", "javascript:alert(1)", {}, null],
    [
      "a host that an operator allowed",
      "https://eu.example/s",
      { knownSpaceOrigins: ["https://eu.example"] },
      null,
    ],
    ["the host of logins", "https://login.example/s", { loginOrigins: ["https://login.example"] }, null],
  ])("is read from %s, with its origin if it is elsewhere", async (_where, spaceUrl, dialect, elsewhere) => {
    const log: string[] = [];
    const { client } = await service((_one, response) => json(response, 201, { spaceId: "s", spaceUrl }));
    expect(await client(dialect, undefined, log).createSpace(algebra, entering)).toMatchObject({
      spaceId: "s",
      elsewhere,
    });
    expect(log.join().includes("CLASSROOM_APP_URL")).toBe(elsewhere !== null);
    expect(log.join().includes("knownSpaceOrigins")).toBe(elsewhere !== null);
    expect(log.join()).not.toContain("t0k3n");
  });

  test("is created without lists if the service has none, and nobody counts as listed", async () => {
    const names = ["name", "title", "access", "enableWaitingRoom"];
    const { client } = await service((one, response) =>
      Object.keys(bodyOf(one)).every((name) => names.includes(name))
        ? json(response, 201, { spaceId: "s" })
        : json(response, 400, {}),
    );
    expect((await client().createSpace(algebra, entering)).listed).toEqual([]);
  });
});

describe("adding somebody to a Space", () => {
  const route = (path: string, body: object, more = {}) => ({
    operations: { addToSpace: { routes: [{ method: "POST", path, body, ...more }] } },
  });
  const inRole = { userId: "u1", role: "host", spaceId: "s 1" } as const;

  test("is impossible without a call in the dialect, which no source documents", () => {
    expect(parseDialect({}).operations.addToSpace.routes).toEqual([]);
  });

  test.each([
    [
      "works one by one, in the service's word for their role",
      route(
        "/spaces/{spaceId}/people",
        { userId: "{userId}", as: "{role}" },
        { words: { role: { host: "Teacher" } } },
      ),
      { url: "/spaces/s%201/people", body: { userId: "u1", as: "Teacher" } },
    ],
    [
      "works with an address for each role",
      route("/spaces/{spaceId}/{role}", { id: "{userId}" }, { words: { role: { host: "hosts" } } }),
      { url: "/spaces/s%201/hosts", body: { id: "u1" } },
    ],
    [
      "works with lists, of which the other one is left out",
      route("/spaces/add", {
        spaceId: "{spaceId}",
        hosts: [{ userId: "{hostUserIds:each}" }],
        participants: "{participantUserIds}",
      }),
      { url: "/spaces/add", body: { spaceId: "s 1", hosts: [{ userId: "u1" }] } },
    ],
  ])("%s", async (_how, dialect, { url, body }) => {
    const { asked, client } = await service((_one, response) => json(response, 200, {}));
    const one = client(dialect);
    expect(one.addsToSpace).toEqual(["host", "participant"]);
    await one.addToSpace(inRole, entering);
    expect(asked.map((each) => [each.url, bodyOf(each)])).toEqual([[url, body]]);
  });

  test("works only in the role for which the service has a list", async () => {
    const { client } = await service((_one, response) => json(response, 200, {}));
    const hosts = route("/spaces/{spaceId}/hosts", { userIds: "{hostUserIds}" });
    expect(client(hosts).addsToSpace).toEqual(["host"]);
  });

  test("does no harm if 409 says that they are there already, but fails with other refusals", async () => {
    let status = 409;
    const { client } = await service((_one, response) => json(response, status, {}));
    const people = route("/spaces/{spaceId}/people", { userId: "{userId}", role: "{role}" });
    await client(people).addToSpace(inRole, entering);
    const strict = client({ ...people, statuses: { already: [] } });
    expect((await failureOf(strict.addToSpace(inRole, entering))).code).toBe("classroom-refused");
    status = 410;
    expect((await failureOf(client(people).addToSpace(inRole, entering))).code).toBe("classroom-refused");
  });

  test("needs an answer of the service: a web page is not one, an empty body is", async () => {
    let page = "<!doctype html><title>Welcome</title>";
    const { client } = await service((_one, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(page);
    });
    const people = route("/spaces/{spaceId}/people", { userId: "{userId}", role: "{role}" });
    expect((await failureOf(client(people).addToSpace(inRole, entering))).code).toBe(
      "classroom-reply-unreadable",
    );
    page = "";
    await client(people).addToSpace(inRole, entering);
  });

  test.each([
    [route("/spaces/{spaceId}/hosts", { userId: "{userId}" }), /\{userId\} and \{role\}, or by/],
    [route("/spaces/people", { userId: "{userId}", role: "{role}" }), /\{spaceId\} is needed/],
  ])("refuses a shape that leaves open who becomes what, or where", (dialect, message) => {
    expect(() => parseDialect(dialect)).toThrow(message);
  });
});

describe("a person who is host and participant, if each address is accepted once", () => {
  const ofRole = (host: string) => ({ email: { ofRole: { host } } });

  test.each([
    ["{local}+host@{domain}", "ada+host@example.org"],
    ["{local}.{role}@hosts.{domain}", "ada.host@hosts.example.org"],
    ["{reference}@hosts.example.edu", "per_1@hosts.example.edu"],
  ])("is created %s as a host, and with their own address otherwise", async (template, written) => {
    const { asked, client } = await service((_one, response) => json(response, 201, { userId: "u" }));
    const one = client(ofRole(template));
    await one.createApiUser({ ...ada, role: "host" }, entering);
    await one.createApiUser({ ...ada, role: "participant" }, entering);
    expect(asked.map((each) => bodyOf(each).email)).toEqual([written, "ada@example.org"]);
  });

  test.each<[string, RegExp]>([
    ["host@example.edu", /must contain \{local\} and \{domain\}/],
    ["{local}@hosts.example.edu", /must contain \{local\} and \{domain\}/],
    ["{local}+host", /must be an address/],
    ["{domain}@{local}", /must be an address/],
  ])("cannot be created %s: the file is refused at start", (template, message) => {
    expect(() => parseDialect(ofRole(template))).toThrow(message);
  });
});

describe("somebody whose e-mail address the LMS withholds", () => {
  /** A service that creates users only with an address. */
  const wantsAddresses = () =>
    service((one, response) =>
      "email" in bodyOf(one)
        ? json(response, 201, { userId: "u" })
        : json(response, 400, { error: "email is required" }),
    );

  test("gets no invented address unless the dialect says so", async () => {
    const { asked, client } = await service((_one, response) => json(response, 201, { userId: "u" }));
    await client().createApiUser(grace, entering);
    expect(bodyOf(asked[0])).not.toHaveProperty("email");
  });

  test("cannot be created if the service requires an address, and the error says what to do", async () => {
    const { client } = await wantsAddresses();
    const failure = await failureOf(client().createApiUser(grace, entering));
    expect(failure).toMatchObject({ code: "classroom-wants-email", temporary: false });
    expect(failure.message).toContain("email.synthetic");
  });

  test("gets the address that the dialect composes, while others keep theirs", async () => {
    const { asked, client } = await wantsAddresses();
    const one = client(synthetic);
    expect(await one.createApiUser(grace, entering)).toEqual({ userId: "u" });
    await one.createApiUser(ada, entering);
    expect(asked.map((each) => bodyOf(each).email)).toEqual([
      "per-2.host@learners.example.edu",
      "ada@example.org",
    ]);
  });

  test.each([
    ["none", {}, undefined],
    ["the dialect's composed address", synthetic, "per-1.host@learners.example.edu"],
  ])(
    "is treated like somebody whose own address is refused, who gets in with %s",
    async (_which, dialect, written) => {
      const { asked, client } = await strictService();
      const one = client(dialect);
      await one.createApiUser(grace, entering).catch(() => undefined);
      const user = { ...ada, reference: "per/1", email: "unwanted@example.org" };
      expect(await one.createApiUser(user, entering)).toEqual({ userId: "u" });
      expect(asked.slice(-2).map((each) => bodyOf(each).email)).toEqual(["unwanted@example.org", written]);
    },
  );

  test("is not confused with another refusal: a user with an address is plainly refused", async () => {
    const { client, state } = await strictService();
    state.wants = "kind";
    expect((await failureOf(client().createApiUser(ada, entering))).code).toBe("classroom-refused");
    expect((await failureOf(client(synthetic).createApiUser(grace, entering))).code).toBe(
      "classroom-refused",
    );
  });

  test.each<[string, RegExp]>([
    ["learner@learners.example.edu", /must contain \{reference\}/],
    ["{reference}", /must be an address/],
    ["{reference}@{role}.example.edu", /must be an address/],
    ["{reference}@localhost", /must be an address/],
    ["{name}.{reference}@learners.example.edu", /must be an address/],
  ])("cannot get %s: the file is refused at start", (address, message) => {
    expect(() => parseDialect({ email: { synthetic: address } })).toThrow(message);
  });
});
