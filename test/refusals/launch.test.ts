import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { describe, expect, test, vi } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import {
  launchClaimsOf,
  launchWith,
  makeSigningKey,
  post,
  postLaunch,
  registered,
  signedLaunch,
  startLogin,
  startPlatform,
  type StartedLogin,
  startTool,
  type TinyTool,
  toolKey,
  launchesIntoTool,
} from "../support/stand-ins/signed-launch.ts";

let tool: TinyTool;
let registration: Registration;

const { platform, launch, signed, begun } = await launchesIntoTool((made) => {
  ({ tool, registration } = made);
});

const withOtherCharacter = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
const seconds = () => Math.floor(Date.now() / 1000);

async function expectAlive(): Promise<void> {
  const before = tool.launches.length;
  expect((await launch()).status).toBe(200);
  expect(tool.launches).toHaveLength(before + 1);
}

async function expectRefusal(response: Response, code: string, status?: number): Promise<void> {
  expect(await response.json()).toEqual({ code });
  if (status !== undefined) expect(response.status).toBe(status);
  expect(tool.launches).toEqual([]);
}

describe("a token that should not be accepted is refused", () => {
  const bent: [string, string, () => Record<string, unknown>][] = [
    ["a nonce that we never issued", "token-nonce", () => ({ nonce: "somebody-elses" })],
    ["no nonce", "token-nonce", () => ({ nonce: undefined })],
    ["a nonce that is an object", "token-nonce", () => ({ nonce: { $ne: null } })],
    ["no iat", "token-times", () => ({ iat: undefined })],
    ["an iat one hour ahead", "token-times", () => ({ iat: seconds() + 3600, exp: seconds() + 7200 })],
    ["an iat from before the login", "token-times", () => ({ iat: seconds() - 3600 })],
    ["no exp", "token-times", () => ({ exp: undefined })],
    ["an exp in the past", "token-expired", () => ({ exp: seconds() - 120 })],
    ["an nbf ten minutes ahead", "token-times", () => ({ nbf: seconds() + 600 })],
    ["several audiences without azp", "token-audience", () => ({ aud: ["client-1", "other"] })],
    ["an azp of another client", "token-audience", () => ({ azp: "other" })],
    ["several audiences and a foreign azp", "token-audience", () => ({ aud: ["client-1", "x"], azp: "x" })],
    [
      "an untrusted audience besides us, though azp is us",
      "token-audience",
      () => ({ aud: ["client-1", "untrusted"], azp: "client-1" }),
    ],
    [
      "us twice and somebody else",
      "token-audience",
      () => ({ aud: ["client-1", "client-1", "untrusted"], azp: "client-1" }),
    ],
    ["another audience", "token-audience", () => ({ aud: "other" })],
    ["another issuer", "token-issuer", () => ({ iss: "https://evil.example" })],
    ["roles as one string", "launch-incomplete", () => ({ roles: "Instructor" })],
    ["roles that are not strings", "launch-incomplete", () => ({ roles: [{ a: 1 }] })],
    ["no roles claim", "launch-incomplete", () => ({ roles: undefined })],
    ["no deployment", "launch-incomplete", () => ({ deployment_id: undefined })],
    ["another LTI version", "launch-incomplete", () => ({ version: "1.1" })],
    ["a user id that is not text", "id-unusable", () => ({ sub: 7 })],
    ["no link", "launch-incomplete", () => ({ resource_link: undefined })],
    ["no target", "launch-incomplete", () => ({ target_link_uri: undefined })],
    [
      "a target on another host",
      "target-foreign",
      () => ({ target_link_uri: "https://evil.example/lti/launch" }),
    ],
    ["a target unlike the login's", "target-changed", () => ({ target_link_uri: `${tool.url}/admin` })],
    ["an unknown message", "message-unsupported", () => ({ message_type: "LtiDataPrivacyLaunchRequest" })],
    [
      "a deep linking request without settings",
      "launch-incomplete",
      () => ({ message_type: "LtiDeepLinkingRequest" }),
    ],
  ];
  test.each(bent)("%s", async (_name, code, claims) => {
    await expectRefusal(await launch({ claims: claims() }), code);
    expect(tool.stores.deployments.all).toEqual([]);
    expect(tool.errors).toEqual([]);
  });

  test("an unknown message of a user without an id is refused, too, though ltijs never saw it", async () => {
    const claims = { sub: undefined, nonce: "somebody-elses" };
    await expectRefusal(await launch({ claims }), "token-nonce");
  });

  test.each<[string, object, string | null]>([
    ["", { nonce: "" }, "/course/view.php?id=2"],
    ["that is too old", { exp: 1_000, nonce: "" }, null],
    ["that also leads elsewhere", { nonce: "", back: "https://evil.example/course" }, null],
  ])(
    "a genuine token %s without a login is counted for its LMS, and its course shown to people",
    async (_what, { back, ...claims }: { back?: string }, path) => {
      const presentation = { return_url: back ?? `${platform.issuer}/course/view.php?id=2` };
      const more = { ...claims, launch_presentation: presentation };
      const token = await signed({ nonce: "" }, { claims: more });
      const answer = await post(`${tool.url}/lti/launch`, { id_token: token });
      await expectRefusal(answer, "launch-without-login", 400);
      const [refused] = tool.refusals;
      expect(refused?.courseUrl).toBe(path === null ? null : platform.issuer + path);
      expect(refused?.details).toEqual({ registration: registration.id });
    },
  );

  test.each<[string, object]>([
    ["from an unknown issuer", { claims: { iss: "https://evil.example" } }],
    ["signed by another key", { key: true }],
    ["that is not a token", { text: "x" }],
  ])(
    "a token %s without a login shows no course and counts for no LMS",
    async (_what, { claims, key, text }: { claims?: Record<string, unknown>; key?: true; text?: string }) => {
      const signer = key === undefined ? {} : { key: await makeSigningKey("platform-key-1") };
      const presentation = { return_url: `${platform.issuer}/course/view.php?id=2` };
      const changes = { claims: { launch_presentation: presentation, ...claims }, ...signer };
      const token = text ?? (await signed({ nonce: "n" }, changes));
      const answer = await post(`${tool.url}/lti/launch`, { id_token: token });
      await expectRefusal(answer, "launch-without-login", 400);
      expect(tool.refusals[0]?.courseUrl).toBeNull();
      expect(tool.refusals[0]?.details).toEqual({});
    },
  );

  test("a key that the LMS does not publish, under the name of one that it does", async () => {
    const key = await makeSigningKey("platform-key-1");
    await expectRefusal(await launch({ key }), "token-signature", 401);
  });

  test("a jku header does not choose the key", async () => {
    const evil = await startPlatform();
    const [key] = evil.keys;
    const before = evil.jwks.fetches;
    const header = { jku: evil.jwksUrl, jwk: key?.jwk };
    await expectRefusal(await launch({ ...(key && { key }), header }), "token-signature");
    expect(evil.jwks.fetches).toBe(before);
    await evil.close();
  });

  test.each(["none", "HS256"])("the algorithm %s", async (alg) => {
    const login = await startLogin(tool, registration);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg, kid: "platform-key-1" })}.${part(launchClaimsOf(tool.url, registration, login.nonce))}`;
    const secret = JSON.stringify(platform.keys[0]?.jwk);
    const signature = alg === "none" ? "" : createHmac("sha256", secret).update(signed).digest("base64url");
    await expectRefusal(await postLaunch(tool, login, `${signed}.${signature}`), "token-algorithm", 401);
  });

  test("something that is not a token", async () => {
    const login = await startLogin(tool, registration);
    await expectRefusal(await postLaunch(tool, login, "a.b.c"), "token-malformed", 401);
    await expectAlive();
  });
});

describe("a launch counts once, in the browser where it began", () => {
  test("the same state with a new token is refused", async () => {
    const login = await startLogin(tool, registration);
    await postLaunch(tool, login, await signed(login));
    const second = await postLaunch(tool, login, await signed(login));
    expect(await second.json()).toEqual({ code: "launch-used" });
    expect(tool.launches).toHaveLength(1);
  });

  test("exactly one of twenty replays at the same moment gets in", async () => {
    const { login, token } = await begun();
    const answers = await Promise.all(Array.from({ length: 20 }, () => postLaunch(tool, login, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tool.launches).toHaveLength(1);
    expect(tool.errors).toEqual([]);
  });

  test("exactly one of ten anonymous replays at the same moment gets in", async () => {
    const { login, token } = await begun({ claims: { sub: undefined } });
    await Promise.all(Array.from({ length: 10 }, () => postLaunch(tool, login, token)));
    expect(tool.launches).toHaveLength(1);
  });

  test("a second browser without the cookie is refused, and the first one still gets in", async () => {
    const { login, token } = await begun();
    await expectRefusal(await postLaunch(tool, login, token, "none=1"), "browser-unknown", 401);
    expect((await postLaunch(tool, login, token)).status).toBe(200);
  });

  test("the cookie of another launch does not help", async () => {
    const [mine, theirs] = [await startLogin(tool, registration), await startLogin(tool, registration)];
    const token = await signed(theirs);
    const renamed = mine.cookie.replace(/^lti_[\w-]+/, `lti_${theirs.state.slice(0, 16)}`);
    expect(renamed).not.toBe(mine.cookie);
    await expectRefusal(await postLaunch(tool, theirs, token, renamed), "browser-unknown");
  });

  test("a changed cookie does not count", async () => {
    const { login, token } = await begun();
    for (const changed of [
      login.cookie.slice(0, -1),
      `${login.cookie}A`,
      `${login.cookie.split("=")[0] ?? ""}=`,
    ])
      await expectRefusal(await postLaunch(tool, login, token, changed), "browser-unknown");
  });

  test("a launch expires after ten minutes", async () => {
    const { login, token } = await begun();
    tool.clock.ahead = 600_000;
    await expectRefusal(await postLaunch(tool, login, token), "launch-expired", 401);
  });

  const bentStates: [string, (login: StartedLogin, other: StartedLogin) => string][] = [
    [
      "one bit changed at its end",
      ({ state }) => `${state.slice(0, -2)}${state.at(-2) === "A" ? "B" : "A"}A`,
    ],
    ["one character changed in the middle", ({ state }) => withOtherCharacter(state, 60)],
    ["one character changed at its beginning", ({ state }) => withOtherCharacter(state, 3)],
    ["its last character cut off", ({ state }) => state.slice(0, -1)],
    ["all but the beginning cut off", ({ state }) => state.slice(0, 16)],
    ["something added", ({ state }) => `${state}AAAA`],
    ["the beginning of another login's", (mine, other) => other.state.slice(0, 16) + mine.state.slice(16)],
    ["the end of another login's", (mine, other) => mine.state.slice(0, 16) + other.state.slice(16)],
  ];
  test.each(bentStates)("a state with %s is refused, but the true one is not", async (_what, bend) => {
    const [login, other] = [await startLogin(tool, registration), await startLogin(tool, registration)];
    const token = await signed(login);
    const state = bend(login, other);
    expect(state).not.toBe(login.state);
    const cookies = `${login.cookie}; ${other.cookie}`;
    await expectRefusal(await postLaunch(tool, { ...login, state }, token, cookies), "login-unknown", 401);
    expect(tool.stores.nonces.all.size).toBe(0);
    expect((await postLaunch(tool, login, token)).status).toBe(200);
  });

  test("a state sealed with somebody else's key is refused, and counts for the LMS that signed the token", async () => {
    const foreign = await startTool(tool.stores, { secretKey: "somebody else's key of thirty-two bytes" });
    const login = await startLogin(foreign, registration, { target_link_uri: `${foreign.url}/lti/launch` });
    const token = await signed(login);
    await expectRefusal(await postLaunch(tool, login, token), "login-unknown");
    const forged = await signed(login, { key: await makeSigningKey("platform-key-1") });
    await expectRefusal(await postLaunch(tool, login, forged), "login-unknown");
    expect(tool.refusals.map(({ details }) => details)).toEqual([{ registration: registration.id }, {}]);
    await foreign.close();
  });

  test("a login that began with the previous key ends with the new one", async () => {
    const secretKey = "the key that came after, of thirty-two bytes";
    const rotated = await startTool(tool.stores, { secretKey, secretKeyPrevious: toolKey });
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(rotated, platform, registration, login);
    expect((await postLaunch(rotated, login, token)).status).toBe(200);
    await rotated.close();
  });

  test("a state reveals nothing, is short enough for LMSs, and is never the same", async () => {
    const logins = await Promise.all(Array.from({ length: 20 }, () => startLogin(tool, registration)));
    expect(new Set(logins.flatMap(({ state, nonce }) => [state, nonce, state.slice(0, 16)])).size).toBe(60);
    const [{ state }] = [logins[0] ?? { state: "" }];
    expect(state.length).toBeLessThanOrEqual(130);
    const read = Buffer.from(state, "base64url").toString("latin1");
    expect(read).not.toContain(registration.id);
  });

  test("the login's target may have any query, as only its path is kept", async () => {
    const target_link_uri = `${tool.url}/lti/launch?${"x".repeat(2_000)}`;
    const login = await startLogin(tool, registration, { target_link_uri });
    expect(login.state.length).toBeLessThanOrEqual(130);
    const token = await signed(login);
    expect((await postLaunch(tool, login, token)).status).toBe(200);
  });

  test("a token for one client does not open a launch of another client of the same LMS", async () => {
    const other = await registered(tool, platform, { clientId: "client-2" });
    const login = await startLogin(tool, other);
    const token = await signed(login);
    await expectRefusal(await postLaunch(tool, login, token), "token-audience");
  });
});

describe("requests that are crafted", () => {
  const json = (path: string, body: unknown) =>
    fetch(`${tool.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test("the crash vector in a form is refused and the process survives", async () => {
    for (const path of ["/lti/launch", "/lti/login", "/lti/anything", "/lti/", "/lti"]) {
      const response = await post(`${tool.url}${path}`, { state: "a;b", id_token: "" });
      expect([400, 404]).toContain(response.status);
    }
    await expectAlive();
  });

  test("the crash vector in JSON is refused and the process survives", async () => {
    for (const path of ["/lti/launch", "/lti/login", "/lti/deep/page"]) {
      const response = await json(path, { state: {}, id_token: "x" });
      expect([400, 404]).toContain(response.status);
    }
    await expectAlive();
  });

  test.each([
    ["state", { state: { $ne: null }, id_token: "x" }, "/lti/launch"],
    ["issuer", { iss: { $ne: null }, login_hint: "1", target_link_uri: "https://x.test" }, "/lti/login"],
    ["client id", { iss: "https://x.test", client_id: { $gt: "" }, login_hint: "1" }, "/lti/login"],
  ])("an operator as %s in JSON", async (_name, body, path) => {
    await expectRefusal(await json(path, body), "request-malformed", 400);
  });

  test.each([
    ["/lti/launch", { "state[$ne]": "", id_token: "x" }],
    ["/lti/login", { "iss[$ne]": "", login_hint: "1", target_link_uri: "x" }],
    ["/lti/login", { iss: "x", "client_id[$ne]": "", login_hint: "1", target_link_uri: "x" }],
  ])("an operator in the form of %s", async (path, fields) => {
    await expectRefusal(await post(`${tool.url}${path}`, fields), "request-malformed", 400);
  });

  test.each(["?iss[$ne]=1&login_hint=1", "?iss=a&iss=b&login_hint=1"])(
    "the login address %s",
    async (query) => {
      const response = await fetch(`${tool.url}/lti/login${query}`, { redirect: "manual" });
      await expectRefusal(response, "request-malformed", 400);
    },
  );

  test("a body that is too long, with or without a content length", async () => {
    const long = "x=".padEnd(300_000, "y");
    await expectRefusal(await post(`${tool.url}/lti/launch`, { id_token: long }), "request-malformed", 400);
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(`${tool.url}/lti/launch`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "transfer-encoding": "chunked" },
      });
      sent.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject);
      sent.end(long);
    });
    expect(status).toBe(400);
    await expectAlive();
  });

  test("no other path of ltijs can be reached, whatever is posted there", async () => {
    const { login, token } = await begun();
    for (const path of ["/lti", "/lti/", "/lti/register", "/lti/launch/", "/lti/Launch", "/lti/deep/page"]) {
      const response = await post(
        `${tool.url}${path}`,
        { id_token: token, state: login.state },
        login.cookie,
      );
      expect(response.status).toBe(404);
    }
    expect(tool.launches).toEqual([]);
    expect((await fetch(`${tool.url}/lti/register?openid_configuration=https://evil.example`)).status).toBe(
      404,
    );
  });

  test("an ltik is never accepted, wherever it is", async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${part({ alg: "HS256" })}.${part({ platformUrl: registration.issuer, user: "1" })}`;
    const ltik = `${unsigned}.${createHmac("sha256", "guess").update(unsigned).digest("base64url")}`;
    for (const headers of [
      { authorization: `Bearer ${ltik}` },
      { authorization: `LTIK-AUTH-V1 Token=${ltik}` },
    ]) {
      const response = await fetch(`${tool.url}/lti/launch?ltik=${ltik}`, { headers });
      expect(await response.json()).toEqual({ code: "not-a-launch" });
    }
    await expectRefusal(await post(`${tool.url}/lti/launch`, { ltik }), "not-a-launch", 400);
  });

  test("a token in the address is not a launch", async () => {
    const { login, token } = await begun();
    const query = new URLSearchParams({ id_token: token, state: login.state }).toString();
    const response = await fetch(`${tool.url}/lti/launch?${query}`, { headers: { cookie: login.cookie } });
    await expectRefusal(response, "not-a-launch", 400);
  });
});

describe("a login that must not continue", () => {
  const login = (fields: Record<string, string>) =>
    post(`${tool.url}/lti/login`, {
      iss: registration.issuer,
      login_hint: "7",
      target_link_uri: `${tool.url}/lti/launch`,
      client_id: "client-1",
      ...fields,
    });
  test("for an LMS that was switched off", async () => {
    await registered(tool, platform, { clientId: "client-off", active: false });
    await expectRefusal(await login({ client_id: "client-off" }), "platform-inactive", 403);
  });
  test("for an issuer with two clients that does not name one", async () => {
    await registered(tool, platform, { clientId: "client-2" });
    await expectRefusal(await login({ client_id: "" }), "client-id-missing", 400);
    expect((await login({ client_id: "client-2" })).status).toBe(302);
  });
  test("for an endless target", async () => {
    const target = `${tool.url}/lti/launch?fill=${"x".repeat(50_000)}`;
    await expectRefusal(await login({ target_link_uri: target }), "request-malformed", 400);
    const usual = `${tool.url}/lti/launch?${"x".repeat(2_000)}`;
    expect((await login({ target_link_uri: usual })).status).toBe(302);
  });
  test("for an LMS switched off between login and launch", async () => {
    const started = await startLogin(tool, registration);
    registration.active = false;
    const token = await signed(started);
    await expectRefusal(await postLaunch(tool, started, token), "platform-inactive", 403);
  });
});

describe("deployments", () => {
  test("an unknown one is accepted and listed when the policy accepts", async () => {
    await launch({ claims: { deployment_id: "42:abc" } });
    expect(tool.stores.deployments.all).toMatchObject([
      { registrationId: registration.id, deploymentId: "42:abc", status: "accepted" },
    ]);
  });

  test("an unknown one is refused and listed when the policy refuses, while a known one gets in", async () => {
    const strict = await registered(tool, platform, { clientId: "strict", newDeployments: "refuse" });
    await expectRefusal(await launchWith(tool, platform, strict), "deployment-refused", 403);
    const [seen] = tool.stores.deployments.all;
    expect(seen).toMatchObject({ deploymentId: "1", status: "refused" });
    if (seen !== undefined) seen.status = "accepted";
    expect((await launchWith(tool, platform, strict)).status).toBe(200);
  });
});

describe("when too many launches come at the same time", () => {
  /** A tool that processes one at a time, and a function that ends the first one. */
  async function narrowTool(maxWaiting: number, turnLasts = 60_000) {
    const narrow = await startTool(tool.stores, { secretKey: toolKey }, { atOnce: 1, maxWaiting, turnLasts });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    narrow.holdLaunch.until = promise;
    const open = async (signal?: AbortSignal) => {
      const login = await startLogin(narrow, registration);
      const token = await signedLaunch(narrow, platform, registration, login);
      return fetch(`${narrow.url}/lti/launch`, {
        method: "POST",
        headers: { cookie: login.cookie },
        body: new URLSearchParams({ id_token: token, state: login.state }),
        ...(signal === undefined ? {} : { signal }),
      });
    };
    /** Resolves when that many launches have used up their nonce. */
    const began = (count: number) =>
      vi.waitFor(() => expect(tool.stores.nonces.all.size).toBe(count), 30_000);
    return { narrow, open, began, release: () => resolve(undefined) };
  }

  test("those beyond the limit are asked to come back, and keep their nonce", async () => {
    const { narrow, open, began, release } = await narrowTool(1);
    const first = open();
    await began(1);
    const [one, other] = [open(), open()];
    const refused = await Promise.race([one, other]);
    expect([refused.status, await refused.json()]).toEqual([503, { code: "launches-many" }]);
    expect(tool.stores.nonces.all.size).toBe(1);
    release();
    const statuses = (await Promise.all([first, one, other])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 503]);
    await narrow.close();
  });

  test("a person who left while waiting is skipped", async () => {
    const { narrow, open, began, release } = await narrowTool(5);
    const first = open();
    await began(1);
    const leaving = new AbortController();
    const gone = open(leaving.signal).catch(() => "gone");
    const stays = open();
    leaving.abort();
    expect(await gone).toBe("gone");
    release();
    expect([(await first).status, (await stays).status]).toEqual([200, 200]);
    expect(narrow.launches).toHaveLength(2);
    await narrow.close();
  });

  test("one that hangs delays the others only for a moment", async () => {
    const { narrow, open, began, release } = await narrowTool(5, 50);
    const [first, second] = [open(), open()];
    await began(2);
    release();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    await narrow.close();
  });

  test("an LMS whose keys hang delays nobody else's launches", async () => {
    const { narrow, release } = await narrowTool(50);
    release();
    const slow = await startPlatform();
    slow.jwks.answer = "hang";
    const theirs = await registered(narrow, slow, { clientId: "slow" });
    const hanging = Array.from({ length: 12 }, () => launchWith(narrow, slow, theirs));
    await vi.waitFor(() => expect(slow.jwks.fetches).toBeGreaterThan(0), 30_000);
    const order: string[] = [];
    const ours = launchWith(narrow, platform, registration).then(({ status }) =>
      order.push(`ours ${status}`),
    );
    await Promise.all([ours, ...hanging.map((one) => one.then(({ status }) => order.push(`${status}`)))]);
    expect(order).toEqual(["ours 200", ...Array.from({ length: 12 }, () => "503")]);
    await slow.close();
    await narrow.close();
  });
});

describe("when the LMS or our own side fails", () => {
  test.each([
    ["login_required", "platform-login-required", 401],
    ["launch_no_longer_valid", "platform-launch-expired", 401],
    ["unauthorized_client", "platform-refused", 403],
    ["<script>alert(1)</script>", "platform-refused", 403],
  ])("the LMS answers the login with the error %s", async (error, code, status) => {
    const login = await startLogin(tool, registration);
    const fields = { error, error_description: "Tessa Teacher is not here", state: login.state };
    const response = await post(`${tool.url}/lti/launch`, fields, login.cookie);
    await expectRefusal(response, code, status);
    expect(JSON.stringify(tool.refusals[0]?.details)).not.toMatch(/Tessa|script/);
  });

  test("its keys are down: refused for now, but the same post works once they are back", async () => {
    const fragile = await startPlatform();
    const theirs = await registered(tool, fragile);
    for (const answer of ["down", "garbage"] as const) {
      fragile.jwks.answer = answer;
      const elsewhere = await registered(tool, fragile, {
        clientId: answer,
        jwksUrl: `${fragile.jwksUrl}?${answer}`,
      });
      await expectRefusal(await launchWith(tool, fragile, elsewhere), "platform-keys-unreachable", 503);
    }
    fragile.jwks.answer = "keys";
    expect((await launchWith(tool, fragile, theirs)).status).toBe(200);
    await fragile.close();
  });

  test("its keys hang: refused after five seconds, not later", async () => {
    const slow = await startPlatform();
    slow.jwks.answer = "hang";
    const theirs = await registered(tool, slow);
    const started = Date.now();
    await expectRefusal(await launchWith(tool, slow, theirs), "platform-keys-unreachable", 503);
    expect(Date.now() - started).toBeLessThan(7_500);
    await slow.close();
  });

  test.each([
    ["deployments cannot be read", () => (tool.stores.deployments.find = broken)],
    ["a new deployment cannot be written", () => (tool.stores.deployments.record = broken)],
    ["nonces cannot be written", () => (tool.stores.nonces.use = broken)],
    ["registrations cannot be read", () => (tool.stores.registrations.find = broken)],
  ])("%s: an error page for one person, and the process survives", async (_name, breakIt) => {
    const repaired = workingStores(tool);
    const { login, token } = await begun();
    breakIt();
    const response = await postLaunch(tool, login, token);
    expect(response.status).toBe(500);
    expect(tool.errors).toHaveLength(1);
    repaired();
    await expectAlive();
  });

  test("a used nonce cannot be stored: the same post works once it can", async () => {
    const repaired = workingStores(tool);
    const { login, token } = await begun();
    tool.stores.nonces.use = broken;
    expect((await postLaunch(tool, login, token)).status).toBe(500);
    repaired();
    expect((await postLaunch(tool, login, token)).status).toBe(200);
  });

  test("a step after the launch fails: an error page, and the process survives", async () => {
    tool.breakLaunch.with = new Error("no classroom");
    expect((await launch()).status).toBe(500);
    expect((await launch({ claims: { sub: undefined } })).status).toBe(500);
    tool.breakLaunch.with = null;
    await expectAlive();
  });
});

function broken(): Promise<never> {
  return Promise.reject(new Error("the database is away"));
}

/** Remembers the working stores; the returned function puts them back. */
function workingStores({ stores }: TinyTool): () => void {
  const { find, record } = stores.deployments;
  const { use } = stores.nonces;
  const { find: findRegistration } = stores.registrations;
  return () => {
    Object.assign(stores.deployments, { find, record });
    Object.assign(stores.nonces, { use });
    Object.assign(stores.registrations, { find: findRegistration });
  };
}
