import { createServer, type Server } from "node:http";
import { createServer as createRawServer } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { listen } from "../../../sandbox/listen.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { withClaim } from "../../../src/kernel/with-claim.ts";
import { createAccessTokens } from "../../../src/lms/access-tokens.ts";
import { nextPageOf, withPath, withQuery } from "../../../src/lms/service-calls.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { userAgentOf } from "../../../src/kernel/build.ts";
import { createOutsideFetch } from "../../../src/lms/outside-fetch.ts";
import { retryAfterMs } from "../../../src/kernel/outside-reply.ts";
import { createRequester, jsonOf } from "../../../src/lms/requester.ts";
import {
  allGradeScopes,
  type Reply,
  type ServiceLms,
  startServiceLms,
} from "../../support/stand-ins/service-lms.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

let lms: ServiceLms;
forEachTest(async () => (lms = await startServiceLms()));

const columns = () => ({
  registration: lms.registration,
  lineItemsUrl: `${lms.url}/2/lineitems?type_id=1`,
  scopes: allGradeScopes,
});
const column = () => ({
  registration: lms.registration,
  lineItemUrl: `${lms.url}/2/lineitems/1/lineitem?type_id=1`,
  scopes: allGradeScopes,
});
const score = { sub: "9", score: 80, maximum: 100, comment: null, at: Date.UTC(2026, 10, 21) };
const link = (path: string) => ({ link: `<${lms.url}${path}>; rel="next"` });
const item = (n: number) => ({ id: `${lms.url}/li/${n}`, label: `L${n}`, scoreMaximum: 10 });

/** A server that must never be reached. */
async function startStranger() {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method ?? ""} ${request.headers.authorization ?? ""}`);
    response.end("[]");
  });
  return { url: await listening(server), seen, close: () => closed(server) };
}

test("an institution's maintenance doesn't stop others that share its registration", async () => {
  const registration = { ...lms.registration, issuer: "https://blackboard.com" };
  lms.state.answer = () => ({ status: 503, headers: { "retry-after": "300" } });
  await expect(lms.lineItems.list({ ...columns(), registration })).rejects.toMatchObject({
    code: "lms-failed",
  });
  lms.state.answer = () => ({ body: [item(1)] });
  expect(await lms.lineItems.list({ ...columns(), registration })).toHaveLength(1);
});

describe("asking for a token", () => {
  const get = (scopes: string[] = ["a"]) => lms.accessTokens.get(lms.registration, scopes);

  test("uses the form and the assertion of the security framework, to the letter", async () => {
    await get(["b", "a"]);
    const [asked] = lms.assertions;
    expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      scope: "a b",
    });
    expect([...(asked?.form.keys() ?? [])].sort()).toEqual([
      "client_assertion",
      "client_assertion_type",
      "grant_type",
      "scope",
    ]);
    expect(asked?.header).toMatchObject({ alg: "RS256", typ: "JWT" });
    expect(asked?.header).toHaveProperty("kid");
    const { iat, exp, jti } = asked?.payload ?? {};
    expect(Number(exp) - Number(iat)).toBeLessThanOrEqual(360);
    expect(Number.isInteger(iat) && Number.isInteger(exp)).toBe(true);
    expect(String(jti).length).toBeGreaterThan(15);
  });

  test("shares the stored token between two processes, and gets another one for other scopes", async () => {
    const other = createAccessTokens({
      request: createRequester(fetch),
      accessTokens: lms.stores.accessTokens,
      deployments: lms.stores.deployments,
      pauses: lms.pauses,
      toolKeys: lms.toolKeys,
      sealer: createSealer("a secret key of at least thirty-two bytes"),
      clock: { now: () => lms.state.now, sleep: () => Promise.resolve() },
      ids: randomIds,
    });
    expect(await get()).toBe("token-1");
    expect(await other.get(lms.registration, ["a"])).toBe("token-1");
    expect(await other.get(lms.registration, ["c"])).toBe("token-2");
    expect(await other.get({ ...lms.registration, id: "reg_2" }, ["a"])).toBe("token-3");
  });

  test.each([
    [30, 14, 16],
    [90, 44, 46],
    ["7200", 7_100, 7_150],
    [null, 3_500, 3_550],
    ["soon", 3_500, 3_550],
    [-1, 3_500, 3_550],
    [1e300, 86_300, 86_350],
  ])("uses a token with expires_in %j as long as is safe", async (lives, stillGood, notAnyMore) => {
    lms.state.tokenAnswer = () => ({
      body: { access_token: `token-${lms.assertions.length}`, expires_in: lives },
    });
    const began = lms.state.now;
    await get();
    lms.state.now = began + stillGood * 1000;
    expect(await get()).toBe("token-1");
    lms.state.now = began + notAnyMore * 1000;
    expect(await get()).toBe("token-2");
  });

  test.each([
    ["no token", {}],
    ["a token with a line break", { access_token: "a\r\nx-evil: 1" }],
    ["a token that is a number", { access_token: 7 }],
    ["a list", []],
    ["a token of a megabyte", { access_token: "x".repeat(100_000) }],
  ])("does not use %s", async (_name, body) => {
    lms.state.tokenAnswer = () => ({ body });
    await expect(get()).rejects.toMatchObject({ code: "lms-token-unavailable", temporary: true });
    expect(lms.stores.accessTokens.all.size).toBe(0);
  });

  test.each([
    [400, "", "lms-key-refused"],
    [401, "", "lms-key-refused"],
    [403, "<html>Forbidden</html>", "lms-key-refused"],
    [400, '{"error":"unauthorized_client"}', "lms-key-refused"],
    [400, '{"error":"invalid_grant"}', "lms-key-refused"],
    [422, '{"error":"invalid_scope"}', "lms-token-refused"],
    [404, "<html>Not found</html>", "lms-token-unavailable"],
    [405, "", "lms-token-unavailable"],
    [302, "", "lms-token-unavailable"],
    [200, "<html>Down for maintenance</html>", "lms-reply-unreadable"],
  ])("treats status %i with %j as temporary: %s", async (status, body, code) => {
    lms.state.tokenAnswer = () => ({ status, body });
    await expect(get()).rejects.toMatchObject({ temporary: true, code });
  });

  test("does not give a refused token to the next caller if the store is read while it is dropped", async () => {
    await get();
    const { find } = lms.stores.accessTokens;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    lms.stores.accessTokens.find = async (...asked) => {
      const found = await find(...asked);
      await held;
      return found;
    };
    const slow = get();
    lms.stores.accessTokens.find = find;
    await lms.accessTokens.drop(lms.registration, ["a"], "token-1");
    expect(await get()).toBe("token-2");
    letGo();
    expect(await slow).toBe("token-1");
    expect(await get()).toBe("token-2");
  });

  test("replaces the token once for fifty calls that all get 401", async () => {
    lms.state.answer = ({ authorization }) =>
      authorization === "Bearer token-1" ? { status: 401 } : { body: [] };
    const lists = await Promise.all(Array.from({ length: 50 }, () => lms.lineItems.list(columns())));
    expect(lists.flat()).toEqual([]);
    expect(lms.assertions).toHaveLength(2);
  });

  test("does not follow a redirect with an assertion", async () => {
    const stranger = await startStranger();
    lms.state.tokenAnswer = () => ({ status: 307, headers: { location: `${stranger.url}/token` } });
    await expect(get()).rejects.toMatchObject({ code: "lms-token-unavailable", temporary: true });
    expect(stranger.seen).toEqual([]);
    await stranger.close();
  });

  test("makes scores wait, not fail, if the token endpoint asks to wait", async () => {
    lms.state.tokenAnswer = () => ({ status: 429, headers: { "retry-after": "40" } });
    expect(await lms.scores.send(column(), score)).toEqual({ kind: "busy", retryAfterMs: 40_000 });
  });

  test("asks only for scopes that the launch granted", async () => {
    const [, , scoreScope] = allGradeScopes;
    const granted = [scoreScope ?? "", "https://purl.imsglobal.org/spec/lti-nrps/scope/x"];
    await lms.scores.send({ ...column(), scopes: granted }, score);
    expect(lms.assertions.map(({ scope }) => scope)).toEqual([scoreScope]);
  });
});

describe("a list in pages", () => {
  const list = () => lms.lineItems.list(columns());

  test("repeats a page in the middle that asks to wait, and keeps what was read", async () => {
    let refusals = 2;
    lms.state.answer = ({ url }): Reply => {
      if (!url.includes("page=2")) return { headers: link("/2/lineitems?page=2"), body: [item(1)] };
      refusals -= 1;
      if (refusals >= 0) return { status: 429, headers: { "retry-after": "2" } };
      return { body: [item(2)] };
    };
    expect((await list()).map(({ label }) => label)).toEqual(["L1", "L2"]);
    expect(lms.seen).toHaveLength(4);
  });

  test("is given up after a while if the LMS always asks to wait", async () => {
    lms.state.answer = ({ url }): Reply =>
      url.includes("page=2")
        ? {
            status: 403,
            headers: { "content-type": "text/plain" },
            body: "403 Forbidden (Rate Limit Exceeded)",
          }
        : { headers: link("/2/lineitems?page=2"), body: [item(1)] };
    await expect(list()).rejects.toMatchObject({ code: "lms-busy", temporary: true });
    expect(lms.seen).toHaveLength(7);
  });

  test("does not wait for its first page, as nothing is lost by coming back", async () => {
    lms.state.answer = () => ({ status: 429, headers: { "retry-after": "9" } });
    await expect(list()).rejects.toMatchObject({ code: "lms-busy", details: { retryAfterMs: 9_000 } });
    expect(lms.seen).toHaveLength(1);
  });

  test("does not wait for long", async () => {
    lms.state.answer = ({ url }): Reply =>
      url.includes("page=2")
        ? { status: 429, headers: { "retry-after": "600" } }
        : { headers: link("/2/lineitems?page=2"), body: [] };
    await expect(list()).rejects.toMatchObject({ details: { retryAfterMs: 600_000 } });
    expect(lms.seen).toHaveLength(2);
  });

  test("does not take a JSON 403 for throttling, whatever it says", async () => {
    lms.state.answer = () => ({ status: 403, body: { errors: "Rate Limit Exceeded" } });
    await expect(list()).rejects.toMatchObject({ code: "lms-not-allowed", temporary: false });
    expect(await lms.scores.send(column(), score)).toMatchObject({ kind: "refused", code: "lms-status-403" });
  });

  test.each([
    ["by their length", 0, 500],
    ["by their entries", 5_000, 25],
  ])("is given up if pages are endless %s", async (_of, length, most) => {
    const body = JSON.stringify(Array.from({ length }, () => ({ id: lms.url }))).padEnd(190_000);
    lms.state.answer = ({ url }) => ({
      headers: link(`/2/lineitems?page=${Number(/page=(\d+)/.exec(url)?.[1] ?? 0) + 1}`),
      body,
    });
    await expect(list()).rejects.toMatchObject({ code: "lms-list-broken" });
    expect(lms.seen.length).toBeLessThan(most);
  });

  test("fails, and does not end, at a next page that cannot be read", async () => {
    lms.state.answer = () => ({ headers: { link: '<http://[>; rel="next"' }, body: [item(1)] });
    await expect(list()).rejects.toMatchObject({ code: "lms-list-broken" });
  });

  test("does not follow a redirect to another host, so that no token leaves", async () => {
    const stranger = await startStranger();
    lms.state.answer = () => ({ status: 302, headers: { location: `${stranger.url}/lineitems` } });
    await expect(list()).rejects.toMatchObject({ code: "lms-moved", temporary: true });
    expect(await lms.scores.send(column(), score)).toMatchObject({ kind: "unreachable" });
    lms.state.answer = () => ({ headers: { link: `<${stranger.url}/x>; rel="next"` }, body: [] });
    await expect(list()).rejects.toMatchObject({ code: "lms-list-broken" });
    expect(stranger.seen).toEqual([]);
    await stranger.close();
  });

  test.each([
    ["an object", { lineItems: [] }],
    ["null", "null"],
    ["a text", '"x"'],
    ["nothing", ""],
    ["an HTML page", "<html>"],
  ])("%s in place of a list is an error for columns and for results", async (_name, body) => {
    lms.state.answer = () => ({ body });
    await expect(list()).rejects.toMatchObject({ code: "lms-reply-unreadable" });
    await expect(lms.scores.readResults(column())).rejects.toMatchObject({ code: "lms-reply-unreadable" });
    await expect(lms.scores.readResult(column(), "9")).rejects.toMatchObject({ temporary: true });
  });

  test("leaves out entries that are invalid or lead nowhere", async () => {
    const bad = [null, 7, {}, { id: "/li/1" }, { id: "javascript:alert(1)" }, { id: 5 }, { id: "ftp://x/1" }];
    lms.state.answer = () => ({ body: [...bad, { ...item(1), label: null, scoreMaximum: "20" }] });
    expect(await list()).toMatchObject([{ label: "", scoreMaximum: 20 }]);
  });

  test("is empty in Canvas for somebody who is not a student", async () => {
    lms.state.answer = () => ({ body: [] });
    expect(await lms.scores.readResult(column(), "9")).toBeNull();
  });
});

describe("creating or changing a column", () => {
  const make = () =>
    lms.lineItems.create(columns(), { label: "Attendance", scoreMaximum: 100, resourceId: "r" });

  test.each(["/li/7?x=1", "LMS/li/7?x=1"])("accepts an address in Location alone: %s", async (location) => {
    lms.state.answer = () => ({ status: 201, headers: { location: location.replace("LMS", lms.url) } });
    expect(await make()).toEqual({
      id: `${lms.url}/li/7?x=1`,
      label: "Attendance",
      scoreMaximum: 100,
      resourceId: "r",
      tag: null,
      resourceLinkId: null,
    });
  });

  test.each([
    ["no address at all", { status: 201, body: {} }],
    ["an invalid address", { status: 201, body: { id: "column 7" } }],
    ["a text", { status: 201, body: '"made"' }],
    ["a page", { status: 200, body: "<html>" }],
  ])("fails after a reply with %s, so that it is looked for", async (_name, reply) => {
    lms.state.answer = () => reply;
    await expect(make()).rejects.toMatchObject({ code: "lms-reply-unreadable" });
  });

  test("cuts a new name like a first one, and never inside a character", async () => {
    lms.state.answer = ({ method, body }) => (method === "PUT" ? { body } : { body: item(1) });
    const label = `${"A".repeat(99)}👩 and more`;
    const changed = await lms.lineItems.update(columns(), item(1).id, { label });
    expect(changed.label).toBe("A".repeat(99));
    expect((await lms.lineItems.update(columns(), item(1).id, { scoreMaximum: 5 })).label).toBe("L1");
  });

  test("writes no column that cannot be read", async () => {
    lms.state.answer = () => ({ status: 500 });
    await expect(lms.lineItems.update(columns(), item(1).id, { label: "x" })).rejects.toMatchObject({
      temporary: true,
    });
    expect(lms.seen.map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("an LMS with broken HTTP", () => {
  const rawServer = async (answer: string | ((write: (text: string) => boolean) => void)) => {
    const heard: string[] = [];
    const server = createRawServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (data) => {
        heard.push(data.toString());
        if (typeof answer === "string") socket.end(answer);
        else answer((text) => socket.write(text));
      });
    });
    const port = await listen(server);
    return {
      url: `http://127.0.0.1:${port}`,
      heard,
      close: () => new Promise<void>((resolve) => server.close(() => resolve())),
    };
  };
  const fetches: [string, typeof fetch][] = [
    ["the tool's fetch", createOutsideFetch(true)],
    ["the platform's fetch", fetch],
  ];
  const limits = { timeoutMs: 300, maxBytes: 10_000 };

  test("is not called for work that another process has claimed", async () => {
    const asked = vi.fn(() => Promise.resolve(new Response("[]")));
    const lost = { until: 0, extend: () => Promise.resolve(false) };
    const ask = () => createRequester(asked, limits)({ method: "GET", url: "https://lms.test/" });
    await expect(withClaim({ clock: systemClock }, lost, ask)).rejects.toMatchObject({ code: "claim-lost" });
    expect(asked).not.toHaveBeenCalled();
  });

  describe.each(fetches)("%s", (_name, fetchFrom) => {
    const ask = (url: string) => createRequester(fetchFrom, limits)({ method: "GET", url });
    test.each([
      ["a status of 0, as Moodle's failures have", "HTTP/1.1 0 \r\n\r\n"],
      ["no HTTP at all", "SSH-2.0-OpenSSH_9.6\r\n"],
      ["nothing", ""],
      ["less than it promised", "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n[]"],
      ["more than it may", `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${"x".repeat(20_000)}`],
    ])("%s", async (_answer, text) => {
      const server = await rawServer(text);
      await expect(ask(server.url)).rejects.toMatchObject({ code: "lms-unreachable", temporary: true });
      await server.close();
    });

    test("a body that drips forever is cut off in time", async () => {
      let drip: NodeJS.Timeout | undefined;
      const server = await rawServer((write) => {
        write("HTTP/1.1 200 OK\r\n\r\n");
        drip = setInterval(() => write(" "), 20);
      });
      const began = Date.now();
      await expect(ask(server.url)).rejects.toMatchObject({ code: "lms-unreachable" });
      clearInterval(drip);
      expect(Date.now() - began).toBeLessThan(2_000);
      await server.close();
    });

    test("a byte order mark before the JSON does no harm", async () => {
      const server = await rawServer("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n\ufeff[1]");
      expect(jsonOf(await ask(server.url))).toEqual([1]);
      await server.close();
    });
  });

  test("the tool names itself, with its release and address, to LMS and classroom", async () => {
    const userAgent = userAgentOf("https://tool.example");
    expect(userAgent).toMatch(/^spaces-lti\/\d+\.\d+\.\d+ \(\+https:\/\/tool\.example\)$/);
    const server = await rawServer("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[1]");
    const fromTool = createOutsideFetch(true, undefined, userAgent);
    await createRequester(fromTool, limits)({ method: "GET", url: server.url });
    const exchange = createExchanges({ userAgent })({
      method: "GET",
      url: server.url,
      headers: {},
      body: null,
    });
    await exchange.ready;
    await exchange.send();
    await exchange.answer;
    for (const heard of server.heard) expect(heard.toLowerCase()).toContain(`user-agent: ${userAgent}`);
    expect(server.heard).toHaveLength(2);
    await server.close();
  });
});

describe("details of headers and addresses", () => {
  const now = Date.UTC(2026, 10, 21, 9, 0, 0);
  test.each([
    [null, null],
    ["", null],
    ["soon", null],
    ["0", 1_000],
    ["1.5", 1_500],
    ["120", 120_000],
    ["-5", 1_000],
    ["99999999999999999999999", 3_600_000],
    ["Sat, 21 Nov 2026 09:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 08:00:00 GMT", 1_000],
    ["Sun, 22 Nov 2026 09:00:00 GMT", 3_600_000],
  ])("Retry-After: %s", (given, expected) => {
    const headers = new Headers(given === null ? {} : { "retry-after": given });
    expect(retryAfterMs({ headers }, now)).toBe(expected);
  });

  test.each([
    ["https://lms.test/li/1", "https://lms.test/li/1/scores"],
    ["https://lms.test/li/1/", "https://lms.test/li/1/scores"],
    ["https://lms.test/li/1?type_id=2", "https://lms.test/li/1/scores?type_id=2"],
    ["https://lms.test/li/a%2Fb?x=%2F&y", "https://lms.test/li/a%2Fb/scores?x=%2F&y"],
    ["https://lms.test?li=1", "https://lms.test/scores?li=1"],
  ])("scores of %s go to %s", (address, expected) => {
    expect(withPath(address, "scores")).toBe(expected);
  });

  test.each([
    ["https://lms.test/li", "https://lms.test/li?limit=5&tag=a%26b"],
    ["https://lms.test/li?sig=a%2Fb~%20c==", "https://lms.test/li?sig=a%2Fb~%20c==&limit=5&tag=a%26b"],
    ["https://lms.test/li?limit=9&x&tag=old&limit=8", "https://lms.test/li?x&limit=5&tag=a%26b"],
  ])("the query of %s is kept to the letter", (address, expected) => {
    expect(withQuery(address, { limit: "5", tag: "a&b", none: undefined })).toBe(expected);
  });

  const from = "https://lms.test/li?a=1";
  test.each([
    [null, null],
    ["", null],
    ['<https://lms.test/li?p=1>; rel="prev"', null],
    ['<https://lms.test/li?p=2>; rel="next"', "https://lms.test/li?p=2"],
    ["<https://lms.test/li?p=2>; rel=next", "https://lms.test/li?p=2"],
    ["<https://lms.test/li?p=2>;REL = 'Next' ; title=x", "https://lms.test/li?p=2"],
    ['<https://lms.test/li?p=2>; title="a, b"; rel="last next"', "https://lms.test/li?p=2"],
    ['<https://lms.test/a,b>; rel="first",<https://lms.test/c,d>; rel="next"', "https://lms.test/c,d"],
    ['<?p=2>; rel="next"', "https://lms.test/li?p=2"],
    ["<https://lms.test/li?a=1&amp;p=2>; rel=â\u0080\u009cnextâ\u0080\u009d", "https://lms.test/li?a=1&p=2"],
    ['<http://lms.test/li?p=2>; rel="next"', "https://lms.test/li?p=2"],
    ['<http://evil.test/li?p=2>; rel="next"', "http://evil.test/li?p=2"],
    ['<https://lms.test/next>; rel="nextcloud"', null],
  ])("Link: %s", (header, expected) => {
    expect(nextPageOf(header, from, "a list")).toBe(expected);
  });
});
