import type { ServerResponse } from "node:http";
import { describe, expect, test, vi } from "vitest";
import type { AddressStore } from "../../../src/classroom/known-addresses.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import type { Throttle } from "../../../src/classroom/throttle.ts";
import { freePermit, freeThrottle } from "../../support/stand-ins/free-throttle.ts";
import { type Asked, entering, json, memoryAddresses, page, service } from "./answering-service.ts";

const ada = {
  reference: "per_1",
  name: "Ada & Co",
  givenName: null,
  familyName: null,
  email: null,
  role: "host",
} as const;
const entry = { userId: "u1", redirectUrl: "https://app.example/spaces/s1?startCall=true" };
const routed = (operation: string, method: string, path: string, more: object = {}) => ({
  operations: { [operation]: { routes: [{ method, path, ...more }] } },
});
const eventBody = (body: object) => routed("createEvent", "POST", "/e", { body });
const loginReply = { url: "https://app.example/spaces/s1?token=t" };
const routesOf = (asked: readonly Asked[]) =>
  asked.map(({ method, url }) => `${method} ${url.split("?")[0] ?? ""}`);

describe("an address that worked", () => {
  test("is known to a process that starts later, and after a restart", async () => {
    const addresses = memoryAddresses();
    const { asked, client } = await service(({ method, url }, response) =>
      method === "GET" && url.startsWith("/user/authorize")
        ? json(response, 200, loginReply)
        : json(response, 404, {}),
    );
    await client({}, addresses).authorize(entry, entering);
    await vi.waitFor(() => expect(addresses.kept.size).toBe(1), 30_000);
    expect(asked).toHaveLength(4);
    await client({}, addresses).authorize(entry, entering);
    expect(routesOf(asked.slice(4))).toEqual(["GET /user/authorize"]);
  });

  test("is not used for another dialect", async () => {
    const addresses = memoryAddresses();
    const { asked, client } = await service((_asked, response) => json(response, 201, { userId: "u" }));
    await client({}, addresses).createApiUser(ada, entering);
    const other = {
      operations: {
        createApiUser: {
          routes: [
            { method: "PUT", path: "/a" },
            { method: "PUT", path: "/b" },
          ],
        },
      },
    };
    await client(other, addresses).createApiUser(ada, entering);
    expect(asked.at(-1)).toMatchObject({ method: "PUT", url: "/a" });
  });

  test("a store that does not answer costs only the search", async () => {
    const broken: AddressStore = {
      find: () => Promise.reject(new Error("no database")),
      remember: () => Promise.reject(new Error("no database")),
    };
    const { client } = await service((_asked, response) => json(response, 201, { userId: "u" }));
    expect(await client({}, broken).createApiUser(ada, entering)).toEqual({ userId: "u" });
  });

  test.each([
    ["JSON", (response: ServerResponse) => json(response, 404, { error: "no such user" })],
    ["a web page", (response: ServerResponse) => page(response, 404)],
  ])("stays when it answers in %s that there is no such user", async (_how, notFound) => {
    const { asked, client } = await service(({ method, url }, response) =>
      method === "GET" && url.startsWith("/users/u1/") ? json(response, 200, loginReply) : notFound(response),
    );
    const one = client();
    await one.authorize(entry, entering);
    for (let again = 0; again < 2; again += 1)
      await expect(one.authorize({ ...entry, userId: "nobody" }, entering)).rejects.toMatchObject({
        code: "classroom-refused",
      });
    const before = asked.length;
    expect(await one.authorize(entry, entering)).toEqual(loginReply);
    await expect(one.authorize({ ...entry, userId: "nobody" }, entering)).rejects.toThrow();
    expect(routesOf(asked.slice(before))).toEqual(["GET /users/u1/authorize", "GET /users/nobody/authorize"]);
  });

  test("for a list that answers 404 is distinguished from an empty list", async () => {
    let there = false;
    const { client } = await service((_asked, response) =>
      there ? json(response, 200, { sessions: [] }) : json(response, 404, { error: "no such address" }),
    );
    const read = () => client().readSessions({ sessionId: "s1" }, { priority: "background" });
    expect(await read()).toEqual({ entries: [], more: null, failure: null, missing: true });
    there = true;
    expect(await read()).toEqual({ entries: [], more: null, failure: null });
  });

  test("is given up when it is gone and another one works", async () => {
    let moved = false;
    const { asked, client } = await service(({ url }, response) =>
      url.startsWith(moved ? "/user/" : "/users/")
        ? json(response, 201, { userId: "u" })
        : page(response, 404),
    );
    const one = client();
    await one.createApiUser(ada, entering);
    moved = true;
    await one.createApiUser(ada, entering);
    await one.createApiUser(ada, entering);
    expect(routesOf(asked)).toEqual([
      "POST /users/createAPIUser",
      "POST /users/createAPIUser",
      "POST /user/createAPIUser",
      "POST /user/createAPIUser",
    ]);
  });

  test("found by one of many callers is used by the waiting ones", async () => {
    const line: (() => void)[] = [];
    const oneByOne: Throttle = {
      ...freeThrottle,
      acquire: () =>
        new Promise((resolve) => {
          line.push(() => resolve(freePermit));
        }),
    };
    const { asked, client } = await service(({ url }, response) =>
      url.startsWith("/user/") ? json(response, 201, { userId: "u" }) : page(response, 404),
    );
    const one = client({}, undefined, undefined, { throttle: oneByOne });
    const ten = Promise.all(Array.from({ length: 10 }, () => one.createApiUser(ada, entering)));
    for (let answered = 0; answered < 11; answered += 1) {
      await vi.waitFor(() => expect(line.length).toBeGreaterThan(0), 30_000);
      line.shift()?.();
      await vi.waitFor(() => expect(asked).toHaveLength(answered + 1), 30_000);
      await vi.waitFor(() => expect(line.length).toBe(Math.min(10, 10 - answered)), 30_000);
    }
    await ten;
    expect(routesOf(asked).filter((route) => route === "POST /users/createAPIUser")).toHaveLength(1);
  });
});

describe("a reply", () => {
  test.each<[string, unknown]>([
    ["in data", { data: { userId: "u" } }],
    ["in result, in a list with one entry", { result: [{ user: { id: "u" } }] }],
    ["in snake case", { user_id: "u" }],
    ["with different capitals", { apiUser: { ID: "u" } }],
    ["with another id around it", { id: "request-1", data: { userId: "u" } }],
    ["among a hundred thousand names", Object.assign({ user_id: "u" }, Array(100_000).fill(1))],
  ])(
    "%s is read immediately",
    async (_how, reply) => {
      const { client } = await service((_asked, response) => json(response, 200, reply));
      expect(await client().createApiUser(ada, entering)).toEqual({ userId: "u" });
      await expect(client().readEvent("e", entering)).resolves.toMatchObject({ title: null });
    },
    20_000,
  );

  test("in an envelope that only the dialect knows is read", async () => {
    const { client } = await service((_asked, response) => json(response, 200, { payload: { userId: "u" } }));
    await expect(client().createApiUser(ada, entering)).rejects.toMatchObject({
      code: "classroom-reply-unreadable",
    });
    expect(await client({ envelopes: ["payload"] }).createApiUser(ada, entering)).toEqual({ userId: "u" });
  });

  test.each([
    ["with a byte order mark", '\uFEFF{"userId":7}', "7"],
    ["with half a character in an id", '{"userId":"u\\ud800"}', "u\ufffd"],
    ["with a number too large to be exact", '{"userId":9007199254740993,"id":8}', "8"],
  ])("sent as plain text %s is read", async (_how, text, userId) => {
    const { client } = await service((_asked, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(text),
    );
    expect(await client().createApiUser(ada, entering)).toEqual({ userId });
  });

  test("without a body names the new id in the Location header of a 201, and only there", async () => {
    let status = 201;
    const { client } = await service((_asked, response) =>
      response.writeHead(status, { location: "https://api.example/users/u%207/?x=1" }).end(),
    );
    expect(await client().createApiUser(ada, entering)).toEqual({ userId: "u 7" });
    status = 202;
    await expect(client().createApiUser(ada, entering)).rejects.toMatchObject({
      code: "classroom-reply-unreadable",
    });
  });

  test("with attendance inside a list with one entry is read, and an empty one is empty", async () => {
    let people: unknown[] = [
      { user: { id: 3 }, attendance_status: "LATE", timestamp: "2026-03-02 09:00:00" },
      { odd: 1 },
    ];
    const { client } = await service((_asked, response) =>
      json(response, 200, [{ event_id: "e", attendance: people }]),
    );
    const updatedAt = Date.parse("2026-03-02T09:00:00Z");
    expect((await client().readAttendance("e", entering)).entries).toEqual([
      { userId: "3", status: "LATE", notes: null, updatedAt },
    ]);
    people = [];
    expect((await client().readAttendance("e", entering)).entries).toEqual([]);
  });

  test.each([
    [1.7e18, -1e17],
    [0, "0001-01-01T00:00:00Z"],
  ])(
    "with endless texts is read with them cut, except addresses, and %s and %s are not times",
    async (from, to) => {
      const long = "x".repeat(20_000);
      const url = `https://app.example/spaces/s1?token=${long}`;
      const wrong = {
        title: long,
        startsAt: from,
        endsAt: to,
        attendance: [{ userId: "u", status: "LATE", notes: long }],
        recordings: [{ recordingId: "r", durationMs: 1e18, url }],
        url,
      };
      const { client } = await service((_asked, response) => json(response, 200, wrong));
      const read = await client().readEvent("e", entering);
      expect(read).toMatchObject({ title: "x".repeat(8_000), startsAt: null, endsAt: null });
      const [late] = (await client().readAttendance("e", entering)).entries;
      expect(late?.notes).toHaveLength(1_000);
      const recorded = await client().readRecordings("s", entering);
      expect(recorded?.recordings).toMatchObject([{ durationSeconds: null, url: null }]);
      await expect(client().authorize(entry, entering)).rejects.toThrow(
        "without url of at most 8000 characters",
      );
    },
  );

  test("about something that is gone for good (410) is not an error", async () => {
    const { client } = await service((_asked, response) => json(response, 410, {}));
    expect(await client().readCohort({ programId: "p", cohortId: "c" }, entering)).toBeNull();
  });

  test("that is a web page at a documented address does not make it the right one", async () => {
    const addresses = memoryAddresses();
    const { client } = await service((_asked, response) => page(response, 200));
    await expect(client({}, addresses).createApiUser(ada, entering)).rejects.toThrow("without userId");
    expect(addresses.kept.size).toBe(0);
  });
});

describe("a dialect file", () => {
  test("can send a form, other words, times as numbers, and headers, even for the key", async () => {
    const { asked, client } = await service((_asked, response) =>
      json(response, 201, { made: { key: 9 }, eventId: "e" }),
    );
    const one = client({
      headers: { "X-Api-Version": "2" },
      apiKey: { header: "X-Api-Key", scheme: "" },
      words: { role: { host: "TEACHER" } },
      operations: {
        createApiUser: {
          routes: [
            {
              method: "POST",
              path: "/p",
              encoding: "form",
              body: { n: "{name}", r: "{role}", m: "{email}", in: { a: ["x", "y"] } },
            },
          ],
          reply: { userId: ["made.key"] },
        },
        createEvent: {
          routes: [
            {
              method: "POST",
              path: "/e",
              body: { from: "{startsAt:seconds}", to: "{endsAt:milliseconds}", min: "{durationMinutes}" },
            },
          ],
        },
      },
    });
    expect(await one.createApiUser(ada, entering)).toEqual({ userId: "9" });
    await one.createEvent({ title: "t", spaceId: "s", startsAt: 60_000, endsAt: 180_000 }, entering);
    expect(asked[0]).toMatchObject({ body: "n=Ada+%26+Co&r=TEACHER&in%5Ba%5D=x&in%5Ba%5D=y" });
    expect(asked[0]?.headers).toMatchObject({
      "content-type": "application/x-www-form-urlencoded",
      "x-api-version": "2",
      "x-api-key": "the-key",
    });
    expect(JSON.parse(asked[1]?.body ?? "")).toEqual({ from: 60, to: 180_000, min: 2 });
  });

  const lists = {
    createEvent: {
      routes: [
        {
          method: "POST",
          path: "/e",
          body: {
            hosts: [{ userId: "{hostUserId}", lead: true }],
            people: [{ userId: "{attendeeUserIds:each}", as: "guest" }],
            ids: ["{attendeeUserIds:each}"],
            cohorts: [{ id: "{cohortIds:each}" }],
            when: { from: { at: "{startsAt:seconds}" }, room: { id: "{durationMinutes}" } },
          },
        },
      ],
    },
  };
  const lesson = { title: "t", spaceId: "s", startsAt: 60_000, endsAt: 180_000, hostUserId: "h" };

  test("can write lists of objects and nested fields", async () => {
    const { asked, client } = await service((_asked, response) => json(response, 201, { eventId: "e" }));
    await client({ operations: lists }).createEvent({ ...lesson, attendeeUserIds: ["a", "b"] }, entering);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      hosts: [{ userId: "h", lead: true }],
      people: [
        { userId: "a", as: "guest" },
        { userId: "b", as: "guest" },
      ],
      ids: ["a", "b"],
      when: { from: { at: 60 }, room: { id: 2 } },
    });
  });

  test("sends an empty list for nobody, and leaves out unset values", async () => {
    const { asked, client } = await service((_asked, response) => json(response, 201, { eventId: "e" }));
    await client({ operations: lists }).createEvent(
      { ...lesson, hostUserId: null, attendeeUserIds: [] },
      entering,
    );
    const body: unknown = JSON.parse(asked[0]?.body ?? "");
    expect(body).toMatchObject({ hosts: [{ lead: true }], people: [], ids: [] });
    expect(body).not.toHaveProperty("cohorts");
  });

  test("numbers the objects of a list in a form, so that their fields stay together", async () => {
    const { asked, client } = await service((_asked, response) => json(response, 201, { eventId: "e" }));
    const [route] = lists.createEvent.routes;
    const asForm = { createEvent: { routes: [{ ...route, encoding: "form" }] } };
    await client({ operations: asForm }).createEvent({ ...lesson, attendeeUserIds: ["a", "b"] }, entering);
    expect([...new URLSearchParams(asked[0]?.body)]).toEqual([
      ["hosts[0][userId]", "h"],
      ["hosts[0][lead]", "true"],
      ["people[0][userId]", "a"],
      ["people[0][as]", "guest"],
      ["people[1][userId]", "b"],
      ["people[1][as]", "guest"],
      ["ids", "a"],
      ["ids", "b"],
      ["when[from][at]", "60"],
      ["when[room][id]", "2"],
    ]);
  });

  test("leaves out parents of fields without a value", async () => {
    const { asked, client } = await service((_asked, response) => json(response, 201, { userId: "u" }));
    const body = { name: "{name}", contact: { mail: { address: "{email}" } }, tags: {} };
    const routes = [{ method: "POST", path: "/p", body }];
    await client({ operations: { createApiUser: { routes } } }).createApiUser(ada, entering);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ name: "Ada & Co", tags: {} });
  });

  test("can put the key into the query, where no log line repeats it", async () => {
    const log: string[] = [];
    const { asked, client } = await service((_asked, response) => json(response, 500, {}));
    const one = client({ apiKey: { query: "key" } }, undefined, log);
    const failure = await one.createApiUser(ada, entering).catch((thrown: unknown) => thrown);
    expect(asked[0]?.url).toBe("/users/createAPIUser?key=the-key");
    expect(asked[0]?.headers).not.toHaveProperty("authorization");
    expect(JSON.stringify([log, failure, String(failure)])).not.toContain("the-key");
  });

  test("can name the status of a cancelled event", async () => {
    const { client } = await service((_asked, response) =>
      json(response, 200, { eventId: "e", status: "Called_Off" }),
    );
    expect(await client().readEvent("e", entering)).toMatchObject({ cancelled: false });
    const dialect = { operations: { readEvent: { values: { cancelled: ["called_off"] } } } };
    expect(await client(dialect).readEvent("e", entering)).toMatchObject({ cancelled: true });
  });

  test.each<[unknown, RegExp]>([
    [routed("authorize", "GET", "/a/{userID}"), /\{userID\} is not known here/],
    [routed("authorize", "GET", "/a", { query: { r: "{userId:twice}" } }), /\{userId:twice\} is not known/],
    [routed("authorize", "GET", "/a?key=1"), /no query/],
    [eventBody({ people: { userId: "{cohortIds:each}" } }), /cohortIds:each\} has its place in a list/],
    [eventBody({ people: [{ userId: "{attendeeUserIds}" }] }), /for one entry each write \[\{ "userId"/],
    [eventBody({ people: "who: {attendeeUserIds}" }), /a whole list here/],
    [eventBody({ people: ["{hostUserId:each}"] }), /hostUserId is one value, not a list/],
    [eventBody({ people: ["{attendeeUserIds:each}", "me"] }), /has no other entry/],
    [eventBody({ people: [{ a: "{attendeeUserIds:each}", b: "{cohortIds:each}" }] }), /need a list each/],
    [routed("createEvent", "POST", "/{cohortIds:each}"), /has its place in a list/],
    [routed("authorize", "GET", "/a", { encoding: "xml" }), /encoding/],
    [{ operations: { readEvent: { values: { canceled: ["X"] } } } }, /canceled is not known here/],
    [{ operations: { readSessions: { budget: "slow" } } }, /operations\.readSessions\.budget/],
    [{ words: { rank: { a: "b" } } }, /words\.rank/],
    [{ words: { role: { teacher: "T" } } }, /words\.role\.teacher/],
    [{ analytics: { calls: 0 } }, /analytics\.calls/],
    [{ analytics: { perSeconds: 0 } }, /analytics\.perSeconds/],
    [{ statuses: { elsewhere: [429] } }, /service's limit/],
    [{ statuses: { gone: [200] } }, /statuses\.gone/],
    [{ headers: { "X Version": "1" } }, /headers\["X Version"\]/],
    [{ headers: { "X-Version": "1\r\nX-Evil: 1" } }, /line breaks/],
    [{ apiKey: { query: "" } }, /apiKey\.query/],
    [{ envelopes: [""] }, /envelopes/],
    [{ operations: { authorise: {} } }, /authorise/],
    [{ operations: { authorize: { routes: [] } } }, /operations\.authorize\.routes/],
    [{ operations: { authorize: { reply: { link: ["url"] } } } }, /operations\.authorize\.reply\.link/],
    [routed("readEvent", "FETCH", "events"), /method[\s\S]*path|path[\s\S]*method/],
    [{ apiKey: { header: "X Key" } }, /not a header name/],
    [{ loginOrigins: ["https://app.example/path"] }, /origin such as/],
    [{ key: "x" }, /key/],
    ["text", /JSON object/],
  ])("%j is refused with the place of the problem", (overrides, message) => {
    expect(() => parseDialect(overrides)).toThrow(message);
  });

  test("reports all its problems", () => {
    const bad = { apiKey: { header: "X Key" }, statuses: { gone: [200] }, operations: { authorise: {} } };
    expect(() => parseDialect(bad)).toThrow(/authorise[\s\S]*not a header name[\s\S]*statuses/);
  });
});

describe("a list of recordings that includes transcripts", () => {
  const said = (recordingId: string, spaceId: string | null, transcript = "Good morning, everybody.") => ({
    recordingId,
    ...(spaceId === null ? {} : { spaceId }),
    transcript,
  });
  const readOf = async (recordings: object[]) => {
    const { client } = await service((_asked, response) => json(response, 200, { recordings }));
    const reply = await client().readRecordings("s", entering);
    return reply?.recordings.map(({ recordingId, transcriptText }) => [
      recordingId,
      transcriptText?.length ?? null,
    ]);
  };

  test("is read where the dialect places it, and explained as an error elsewhere", async () => {
    const { client } = await service((_asked, response) =>
      json(response, 200, { library: { films: [said("ours", "s")] } }),
    );
    await expect(client().readRecordings("s", entering)).rejects.toThrow("a list of recordings");
    const dialect = { operations: { readRecordings: { reply: { items: ["library.films"] } } } };
    const reply = await client(dialect).readRecordings("s", entering);
    expect(reply?.recordings).toMatchObject([{ recordingId: "ours" }]);
  });

  test("has transcripts for the requested Space, and none for others", async () => {
    expect(await readOf([said("ours", "s"), said("theirs", "t"), said("untold", null)])).toEqual([
      ["ours", 24],
      ["theirs", null],
      ["untold", 24],
    ]);
  });

  test("is read with two dozen hours on a page, while a longer page is requested once and then refused", async () => {
    const anHour = "So we go on. ".repeat(6_000);
    const hours = (count: number) => Array.from({ length: count }, (_, at) => said(`r${at}`, "s", anHour));
    const found = await readOf(hours(24));
    expect(found).toHaveLength(24);
    expect(found?.every(([, length]) => length === anHour.length)).toBe(true);
    const { client, asked } = await service((_asked, response) => json(response, 200, hours(30)));
    await expect(client().readRecordings("s", entering)).rejects.toThrow("(reply too long)");
    expect(asked).toHaveLength(1);
  });

  test("yields to other work after each hundred entries of a reply", async () => {
    const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount;
    const before = turns();
    expect(await readOf(Array.from({ length: 5_000 }, (_, at) => ({ id: `r${at}` })))).toHaveLength(5_000);
    expect(turns() - before).toBeGreaterThan(45);
  });
});

describe("setting the address of webhooks", () => {
  const webhook = { url: "https://tool.test/webhooks/production", secret: "a-secret" };
  const confirmedBy = async (reply: unknown, dialect: object = {}) => {
    const { asked, client } = await service((_asked, response) => json(response, 200, reply));
    const answer = await client(dialect).configureWebhook(webhook, { priority: "instructor" });
    return { answer, told: routesOf(asked) };
  };

  test("is certain when the classroom repeats the address", async () => {
    const { answer, told } = await confirmedBy({ webhook: { id: 1, url: webhook.url } });
    expect([answer, told]).toEqual([{ confirmed: true }, ["POST /webhooks"]]);
  });

  test.each([
    ["nothing", {}],
    ["another address", { url: "https://elsewhere.test/" }],
    ["a text", "Welcome"],
  ])("is uncertain when it answers %s", async (_what, reply) => {
    expect((await confirmedBy(reply)).answer).toEqual({ confirmed: false });
  });

  test.each([
    ["nowhere", [], null, []],
    [
      "elsewhere",
      [{ method: "PUT", path: "/integrations/hooks", body: { target: "{url}", token: "{secret}" } }],
      { confirmed: false },
      ["PUT /integrations/hooks"],
    ],
  ] as const)("goes %s if the dialect says so", async (_where, routes, answer, told) => {
    expect(await confirmedBy({}, { operations: { configureWebhook: { routes } } })).toEqual({ answer, told });
  });
});
