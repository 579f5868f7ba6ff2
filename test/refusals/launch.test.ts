import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
  startTool,
  type TinyPlatform,
  type TinyTool,
  type TokenChanges,
} from "../support/signed-launch.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
let platform: TinyPlatform;
let tool: TinyTool;
let registration: Registration;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => platform.close());
beforeEach(async () => {
  tool = await startTool();
  registration = await registered(tool, platform);
  return () => tool.close();
});

const seconds = () => Math.floor(Date.now() / 1000);

async function expectAlive(): Promise<void> {
  const before = tool.launches.length;
  expect((await launchWith(tool, platform, registration)).status).toBe(200);
  expect(tool.launches).toHaveLength(before + 1);
}

async function expectRefusal(response: Response, code: string, status?: number): Promise<void> {
  expect(await response.json()).toEqual({ code });
  if (status !== undefined) expect(response.status).toBe(status);
  expect(tool.launches).toEqual([]);
}

describe("a token that should not be accepted is refused", () => {
  const bent: [string, string, () => TokenChanges][] = [
    ["a nonce that we never issued", "token-nonce", () => ({ claims: { nonce: "somebody-elses" } })],
    ["no nonce", "token-nonce", () => ({ claims: { nonce: undefined } })],
    ["a nonce that is an object", "token-nonce", () => ({ claims: { nonce: { $ne: null } } })],
    ["no iat", "token-times", () => ({ claims: { iat: undefined } })],
    [
      "an iat one hour ahead",
      "token-times",
      () => ({ claims: { iat: seconds() + 3600, exp: seconds() + 7200 } }),
    ],
    ["an iat from before the login", "token-times", () => ({ claims: { iat: seconds() - 3600 } })],
    ["no exp", "token-times", () => ({ claims: { exp: undefined } })],
    ["an exp in the past", "token-expired", () => ({ claims: { exp: seconds() - 120 } })],
    ["an nbf ten minutes ahead", "token-times", () => ({ claims: { nbf: seconds() + 600 } })],
    ["several audiences without azp", "token-audience", () => ({ claims: { aud: ["client-1", "other"] } })],
    ["an azp that is somebody else", "token-audience", () => ({ claims: { azp: "other" } })],
    [
      "several audiences and a foreign azp",
      "token-audience",
      () => ({ claims: { aud: ["client-1", "x"], azp: "x" } }),
    ],
    ["another audience", "token-audience", () => ({ claims: { aud: "other" } })],
    ["another issuer", "token-issuer", () => ({ claims: { iss: "https://evil.example" } })],
    ["roles as one string", "launch-incomplete", () => ({ claims: { [`${lti}/roles`]: "Instructor" } })],
    ["roles that are not strings", "launch-incomplete", () => ({ claims: { [`${lti}/roles`]: [{ a: 1 }] } })],
    ["no roles claim", "launch-incomplete", () => ({ claims: { [`${lti}/roles`]: undefined } })],
    ["no deployment", "launch-incomplete", () => ({ claims: { [`${lti}/deployment_id`]: undefined } })],
    ["another LTI version", "launch-incomplete", () => ({ claims: { [`${lti}/version`]: "1.1" } })],
    ["a user id that is not text", "launch-incomplete", () => ({ claims: { sub: 7 } })],
    ["no link", "launch-incomplete", () => ({ claims: { [`${lti}/resource_link`]: undefined } })],
    ["no target", "launch-incomplete", () => ({ claims: { [`${lti}/target_link_uri`]: undefined } })],
    [
      "a target on another host",
      "target-foreign",
      () => ({ claims: { [`${lti}/target_link_uri`]: "https://evil.example/lti/launch" } }),
    ],
    [
      "a target unlike the login's",
      "target-changed",
      () => ({ claims: { [`${lti}/target_link_uri`]: `${tool.url}/admin` } }),
    ],
    [
      "an unknown message",
      "message-unsupported",
      () => ({ claims: { [`${lti}/message_type`]: "LtiDataPrivacyLaunchRequest" } }),
    ],
    [
      "a deep linking request without settings",
      "launch-incomplete",
      () => ({ claims: { [`${lti}/message_type`]: "LtiDeepLinkingRequest" } }),
    ],
    ["no key id", "token-key-unknown", () => ({ header: { kid: undefined } })],
  ];
  test.each(bent)("%s", async (_name, code, changes) => {
    await expectRefusal(await launchWith(tool, platform, registration, changes()), code);
    expect(tool.stores.deployments.all).toEqual([]);
    expect(tool.errors).toEqual([]);
  });

  test("an unknown message of a user without id is refused as well, though ltijs never saw it", async () => {
    const claims = { sub: undefined, nonce: "somebody-elses" };
    await expectRefusal(await launchWith(tool, platform, registration, { claims }), "token-nonce");
  });

  test("a key that the LMS does not publish, named like one that it does", async () => {
    const key = await makeSigningKey("platform-key-1");
    await expectRefusal(await launchWith(tool, platform, registration, { key }), "token-signature", 401);
  });

  test("a jku header does not choose the key", async () => {
    const evil = await startPlatform();
    const [key] = evil.keys;
    const before = evil.jwks.fetches;
    const header = { jku: evil.jwksUrl, jwk: key?.jwk };
    await expectRefusal(
      await launchWith(tool, platform, registration, { ...(key && { key }), header }),
      "token-signature",
    );
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

  test("something that is no token at all", async () => {
    const login = await startLogin(tool, registration);
    await expectRefusal(await postLaunch(tool, login, "a.b.c"), "token-malformed", 401);
    await expectAlive();
  });
});

describe("a launch counts once, in the browser it began in", () => {
  test("the same state with a new token is refused", async () => {
    const login = await startLogin(tool, registration);
    await postLaunch(tool, login, await signedLaunch(tool, platform, registration, login));
    const second = await postLaunch(tool, login, await signedLaunch(tool, platform, registration, login));
    expect(await second.json()).toEqual({ code: "launch-expired" });
    expect(tool.launches).toHaveLength(1);
  });

  test("of twenty replays at the same moment exactly one gets in", async () => {
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    const answers = await Promise.all(Array.from({ length: 20 }, () => postLaunch(tool, login, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tool.launches).toHaveLength(1);
    expect(tool.errors).toEqual([]);
  });

  test.each([
    ["the launch record", () => (tool.stores.nonces.use = () => Promise.resolve())],
    [
      "the nonce",
      () => (tool.stores.launchRecords.consume = (state, now) => tool.stores.launchRecords.find(state, now)),
    ],
  ])("either lock alone holds against replays at the same moment: %s", async (_name, openTheOther) => {
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    openTheOther();
    const answers = await Promise.all(Array.from({ length: 10 }, () => postLaunch(tool, login, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test("of ten anonymous replays at the same moment exactly one gets in", async () => {
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login, { claims: { sub: undefined } });
    await Promise.all(Array.from({ length: 10 }, () => postLaunch(tool, login, token)));
    expect(tool.launches).toHaveLength(1);
  });

  test("a second browser, without the cookie, is refused; the first one still gets in", async () => {
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    await expectRefusal(await postLaunch(tool, login, token, "none=1"), "browser-unknown", 401);
    expect((await postLaunch(tool, login, token)).status).toBe(200);
  });

  test("the cookie of another launch does not help", async () => {
    const [mine, theirs] = [await startLogin(tool, registration), await startLogin(tool, registration)];
    const token = await signedLaunch(tool, platform, registration, theirs);
    const renamed = mine.cookie.replace(/^lti_[0-9a-f]+/, `lti_${theirs.state.slice(0, 16)}`);
    await expectRefusal(await postLaunch(tool, theirs, token, renamed), "browser-unknown");
  });

  test("a cookie that was changed does not count", async () => {
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    const cut = `${login.cookie.split("=")[0] ?? ""}=${decodeURIComponent(login.cookie.split("=")[1] ?? "").slice(2, 34)}`;
    await expectRefusal(await postLaunch(tool, login, token, cut), "browser-unknown");
  });

  test("after ten minutes the launch has expired", async () => {
    const login = await startLogin(tool, registration);
    const record = tool.stores.launchRecords.all.get(login.state);
    if (record !== undefined) record.expiresAt = Date.now() - 1;
    const token = await signedLaunch(tool, platform, registration, login);
    await expectRefusal(await postLaunch(tool, login, token), "launch-expired", 401);
  });

  test("a state that we never issued is refused", async () => {
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    await expectRefusal(await postLaunch(tool, { ...login, state: "a".repeat(50) }, token), "launch-expired");
  });

  test("a token of one client does not open a launch of another client of the same LMS", async () => {
    const other = await registered(tool, platform, { clientId: "client-2" });
    const login = await startLogin(tool, other);
    const token = await signedLaunch(tool, platform, registration, login);
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

  test("the crash vector as a form is refused and the process lives", async () => {
    for (const path of ["/lti/launch", "/lti/login", "/lti/anything", "/lti/", "/lti"]) {
      const response = await post(`${tool.url}${path}`, { state: "a;b", id_token: "" });
      expect([400, 404]).toContain(response.status);
    }
    await expectAlive();
  });

  test("the crash vector as JSON is refused and the process lives", async () => {
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

  test("a parameter that is repeated", async () => {
    const response = await fetch(`${tool.url}/lti/launch`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "state=a&state=b&id_token=x",
    });
    await expectRefusal(response, "request-malformed", 400);
  });

  test("a body that is too long, with and without its length told", async () => {
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
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
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

  test("an ltik is never honoured, wherever it stands", async () => {
    const { createHmac: hmac } = await import("node:crypto");
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${part({ alg: "HS256" })}.${part({ platformUrl: registration.issuer, user: "1" })}`;
    const ltik = `${unsigned}.${hmac("sha256", "guess").update(unsigned).digest("base64url")}`;
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
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    const query = new URLSearchParams({ id_token: token, state: login.state }).toString();
    const response = await fetch(`${tool.url}/lti/launch?${query}`, { headers: { cookie: login.cookie } });
    await expectRefusal(response, "not-a-launch", 400);
  });
});

describe("a login that should not go on", () => {
  const login = (fields: Record<string, string>) =>
    post(`${tool.url}/lti/login`, {
      iss: registration.issuer,
      login_hint: "7",
      target_link_uri: `${tool.url}/lti/launch`,
      client_id: "client-1",
      ...fields,
    });

  test("an LMS nobody registered", async () => {
    await expectRefusal(await login({ iss: "https://unknown.example" }), "platform-unknown", 403);
  });
  test("a client id nobody registered", async () => {
    await expectRefusal(await login({ client_id: "client-9" }), "platform-unknown", 403);
  });
  test("an LMS that was switched off", async () => {
    await registered(tool, platform, { clientId: "client-off", active: false });
    await expectRefusal(await login({ client_id: "client-off" }), "platform-inactive", 403);
  });
  test("an issuer with two clients that does not say which", async () => {
    await registered(tool, platform, { clientId: "client-2" });
    await expectRefusal(await login({ client_id: "" }), "client-id-missing", 400);
    expect((await login({ client_id: "client-2" })).status).toBe(302);
  });
  test("a target on another host", async () => {
    await expectRefusal(
      await login({ target_link_uri: "https://evil.example/steal" }),
      "target-foreign",
      400,
    );
    await expectRefusal(
      await login({ target_link_uri: `${tool.url}@evil.example/lti/launch` }),
      "target-foreign",
      400,
    );
  });
  test("a target without end: a stranger's logins must not fill the database", async () => {
    const target = `${tool.url}/lti/launch?fill=${"x".repeat(50_000)}`;
    await expectRefusal(await login({ target_link_uri: target }), "request-malformed", 400);
    expect(tool.stores.launchRecords.all.size).toBe(0);
    const usual = `${tool.url}/lti/launch?${"x".repeat(2_000)}`;
    expect((await login({ target_link_uri: usual })).status).toBe(302);
  });
  test("missing parameters", async () => {
    await expectRefusal(await login({ login_hint: "" }), "login-incomplete", 400);
  });
  test("an LMS switched off between login and launch", async () => {
    const started = await startLogin(tool, registration);
    registration.active = false;
    const token = await signedLaunch(tool, platform, registration, started);
    await expectRefusal(await postLaunch(tool, started, token), "platform-inactive", 403);
  });
});

describe("deployments", () => {
  test("an unseen one is accepted and listed when the policy accepts", async () => {
    await launchWith(tool, platform, registration, { claims: { [`${lti}/deployment_id`]: "42:abc" } });
    expect(tool.stores.deployments.all).toMatchObject([
      { registrationId: registration.id, deploymentId: "42:abc", status: "accepted" },
    ]);
  });

  test("an unseen one is refused and listed when the policy refuses; a known one gets in", async () => {
    const strict = await registered(tool, platform, { clientId: "strict", newDeployments: "refuse" });
    await expectRefusal(await launchWith(tool, platform, strict), "deployment-refused", 403);
    const [seen] = tool.stores.deployments.all;
    expect(seen).toMatchObject({ deploymentId: "1", status: "refused" });
    if (seen !== undefined) seen.status = "accepted";
    expect((await launchWith(tool, platform, strict)).status).toBe(200);
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

  test("its keys are down: refused for now, and the same post works once they are back", async () => {
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
    ["launch records cannot be read", () => (tool.stores.launchRecords.find = broken)],
    ["launch records cannot be consumed", () => (tool.stores.launchRecords.consume = broken)],
    ["deployments cannot be written", () => (tool.stores.deployments.record = broken)],
    ["nonces cannot be written", () => (tool.stores.nonces.use = broken)],
    ["registrations cannot be read", () => (tool.stores.registrations.find = broken)],
  ])("%s: an error page for one person, and the process lives", async (_name, breakIt) => {
    const repaired = workingStores(tool);
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, platform, registration, login);
    breakIt();
    const response = await postLaunch(tool, login, token);
    expect(response.status).toBe(500);
    expect(tool.errors).toHaveLength(1);
    repaired();
    await expectAlive();
  });

  test("a launch record cannot be written at login: an error page, and the process lives", async () => {
    const repaired = workingStores(tool);
    tool.stores.launchRecords.insert = broken;
    const response = await post(`${tool.url}/lti/login`, {
      iss: registration.issuer,
      login_hint: "7",
      target_link_uri: `${tool.url}/lti/launch`,
    });
    expect(response.status).toBe(500);
    repaired();
    await expectAlive();
  });

  test("what comes after the launch fails: an error page, and the process lives", async () => {
    tool.breakLaunch.with = new Error("no classroom");
    expect((await launchWith(tool, platform, registration)).status).toBe(500);
    expect((await launchWith(tool, platform, registration, { claims: { sub: undefined } })).status).toBe(500);
    tool.breakLaunch.with = null;
    await expectAlive();
  });
});

function broken(): Promise<never> {
  return Promise.reject(new Error("the database is away"));
}

/** Remembers the working stores; the returned function puts them back. */
function workingStores({ stores }: TinyTool): () => void {
  const { find, consume, insert } = stores.launchRecords;
  const { record } = stores.deployments;
  const { use } = stores.nonces;
  const { find: findRegistration } = stores.registrations;
  return () => {
    Object.assign(stores.launchRecords, { find, consume, insert });
    Object.assign(stores.deployments, { record });
    Object.assign(stores.nonces, { use });
    Object.assign(stores.registrations, { find: findRegistration });
  };
}
