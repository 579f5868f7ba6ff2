import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Registration } from "../../src/domain/registration.ts";
import {
  makeSigningKey,
  ownPage,
  post,
  registered,
  signedLaunch,
  startLogin,
  type TinyTool,
  launchesIntoTool,
} from "../support/stand-ins/signed-launch.ts";

const keptSchema = z.object({
  kept: z.object({
    location: z.url(),
    authorizationOrigin: z.string(),
    storageTarget: z.string().nullable(),
    handle: z.string().length(16),
    nonce: z.string(),
    browserValue: z.string(),
    cookieAttributes: z.string(),
    begunHere: z.boolean(),
    opensLink: z.boolean(),
    again: z.record(z.string(), z.string()),
  }),
});
type Kept = z.output<typeof keptSchema>["kept"] & { state: string };

let tool: TinyTool;
let registration: Registration;

const { platform } = await launchesIntoTool((made) => {
  ({ tool, registration } = made);
});

const loginFields = () => ({
  iss: registration.issuer,
  login_hint: "user-7",
  target_link_uri: `${tool.url}/lti/launch`,
  client_id: registration.clientId,
  lti_message_hint: "once",
});

/** A login of an LMS with storage, as the browser's page receives it. */
async function keptLogin(more: Record<string, string> = {}): Promise<Kept> {
  const fields = { ...loginFields(), lti_storage_target: "storage", ...more };
  const response = await post(`${tool.url}/lti/login`, fields);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { kept } = keptSchema.parse(await response.json());
  return { ...kept, state: new URL(kept.location).searchParams.get("state") ?? "" };
}

/** Posts a launch: by our own page if it has the browser value, else by the LMS, unless the headers say otherwise. */
const launch = (
  login: { state: string },
  idToken: string,
  more: Record<string, string> = {},
  { cookie = "", headers }: { cookie?: string; headers?: Record<string, string> } = {},
) =>
  post(
    `${tool.url}/lti/launch`,
    { id_token: idToken, state: login.state, ...more },
    cookie,
    headers ?? (more["browser"] === undefined ? { "sec-fetch-site": "cross-site" } : ownPage),
  );

const tokenFor = (login: { nonce: string }) => signedLaunch(tool, platform, registration, login);

async function expectRefusal(response: Response, code: string, status = 401): Promise<void> {
  expect(await response.json()).toEqual({ code });
  expect(response.status).toBe(status);
  expect(tool.launches).toEqual([]);
}

async function begun() {
  const login = await keptLogin();
  return { login, token: await tokenFor(login) };
}

describe("a login", () => {
  test("in a frame gets the page, with everything that page needs and the cookie", async () => {
    const response = await fetch(`${tool.url}/lti/login?${new URLSearchParams(loginFields()).toString()}`, {
      headers: { "sec-fetch-dest": "iframe" },
      redirect: "manual",
    });
    const { kept } = keptSchema.parse(await response.json());
    expect(kept).toMatchObject({
      authorizationOrigin: platform.issuer,
      storageTarget: null,
      cookieAttributes: "SameSite=Lax",
      again: loginFields(),
    });
    const asked = new URL(kept.location);
    expect(asked.searchParams.get("nonce")).toBe(kept.nonce);
    expect(asked.searchParams.get("state")?.startsWith(kept.handle)).toBe(true);
    expect(response.headers.get("set-cookie")).toContain(kept.browserValue);
    expect(asked.searchParams.get("state"), "the value is not in the address").not.toContain(
      kept.browserValue,
    );
  });

  test.each(["document", "empty", undefined])("with Sec-Fetch-Dest %s is redirected", async (destination) => {
    const response = await fetch(`${tool.url}/lti/login?${new URLSearchParams(loginFields()).toString()}`, {
      headers: destination === undefined ? {} : { "sec-fetch-dest": destination },
      redirect: "manual",
    });
    expect(response.status).toBe(302);
  });

  test("that names a frame is stored with it, but can begin again without", async () => {
    const kept = await keptLogin({ unknown: "x" });
    const asked = await launch(kept, await tokenFor(kept));
    expect(await asked.json()).toMatchObject({ resume: { storageTarget: "storage" } });
    const { answer_to: answerTo, ...again } = kept.again;
    expect(again).toEqual(loginFields());
    expect(answerTo).toMatch(/^[\w-]{16}$/);
    expect((await post(`${tool.url}/lti/login`, kept.again)).status).toBe(302);
  });

  test("that our own page's button began, and that comes back in the frame, is recognized: the window opened there", async () => {
    const first = await keptLogin();
    expect(first.begunHere).toBe(false);
    const framed = { ...ownPage, "sec-fetch-dest": "iframe" };
    const again = await post(`${tool.url}/lti/login`, first.again, "", framed);
    expect(keptSchema.parse(await again.json()).kept.begunHere).toBe(true);
  });

  test.each([
    ["canvas", '{"cmid":3,"launchid":"ltilaunch2_12"}', false],
    ["moodle", '{"cmid":3,"launchid":"ltilaunch2_12"}', true],
    ["moodle", '{"launchid":"ltilaunch_ContentItemSelectionRequest15"}', false],
    ["moodle", "once", false],
  ] as const)("of %s with the hint %s opens a link: %s", async (family, hint, opensLink) => {
    registration = await registered(tool, platform, { family, clientId: `client-${family}` });
    expect((await keptLogin({ lti_message_hint: hint })).opensLink).toBe(opensLink);
  });

  test("with an empty or endless frame name offers no storage", async () => {
    for (const name of ["", "x".repeat(256)]) {
      const response = await post(`${tool.url}/lti/login`, { ...loginFields(), lti_storage_target: name });
      expect(response.status).toBe(302);
    }
  });

  test("asks for values only at the registered authorization address, whatever the login says", async () => {
    const kept = await keptLogin({ authorization_endpoint: "https://evil.example/auth", state: "mine" });
    expect(kept.authorizationOrigin).toBe(platform.issuer);
    expect(kept.state).not.toBe("mine");
  });
});

describe("a launch without a cookie", () => {
  test("asks for the browser value, and gets in once with it", async () => {
    const { login, token } = await begun();
    const asked = await launch(login, token);
    expect(asked.status).toBe(200);
    expect(asked.headers.get("cache-control")).toBe("no-store");
    const text = await asked.text();
    expect(JSON.parse(text)).toMatchObject({
      resume: { handle: login.handle, nonce: login.nonce, storageTarget: "storage", postAgain: true },
    });
    expect(text, "the value must come from the browser").not.toContain(login.browserValue);
    expect(tool.launches).toEqual([]);

    expect((await launch(login, token, { browser: login.browserValue })).status).toBe(200);
    expect(tool.launches).toHaveLength(1);
  });

  test("is refused immediately if the LMS offered no storage", async () => {
    const login = await startLogin(tool, registration);
    await expectRefusal(await launch(login, await tokenFor(login)), "browser-unknown");
  });

  test("that our own page posts again gets in with the cookie alone", async () => {
    const login = await startLogin(tool, registration);
    const token = await tokenFor(login);
    expect((await launch(login, token)).status).toBe(401);
    expect((await launch(login, token, { browser: "" }, { cookie: login.cookie })).status).toBe(200);
  });
});

describe("what is refused although the browser cannot be known by a cookie", () => {
  test("the same post twice", async () => {
    const { login, token } = await begun();
    const fields = { browser: login.browserValue };
    expect((await launch(login, token, fields)).status).toBe(200);
    tool.launches.length = 0;
    await expectRefusal(await launch(login, token, fields), "launch-used");
  });

  test("a used launch without its browser value: no page carries it", async () => {
    const { login, token } = await begun();
    expect((await launch(login, token, { browser: login.browserValue })).status).toBe(200);
    tool.launches.length = 0;
    await expectRefusal(await launch(login, token), "launch-used");
  });

  test("the same post ten times together: one gets in", async () => {
    const { login, token } = await begun();
    const posts = Array.from({ length: 10 }, () => launch(login, token, { browser: login.browserValue }));
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(tool.launches).toHaveLength(1);
  });

  test.each([
    ["none", ""],
    ["a guess", "A".repeat(32)],
    ["something long", "x".repeat(5000)],
  ])("a browser value that is %s, while the right browser still gets in", async (_what, browser) => {
    const { login, token } = await begun();
    await expectRefusal(await launch(login, token, { browser }), "browser-unknown");
    expect((await launch(login, token, { browser: login.browserValue })).status).toBe(200);
  });

  test("a second browser, with the value of another launch", async () => {
    const [victim, attacker] = [await keptLogin(), await keptLogin()];
    const token = await tokenFor(attacker);
    const fields = { browser: victim.browserValue };
    await expectRefusal(await launch(attacker, token, fields), "browser-unknown");
  });

  test("the token of one launch with the state and value of another (login CSRF)", async () => {
    const [victim, attacker] = [await keptLogin(), await keptLogin()];
    const token = await tokenFor(attacker);
    await expectRefusal(await launch(victim, token, { browser: victim.browserValue }), "token-nonce");
    await expectRefusal(await launch(victim, token), "token-nonce");
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a neighbour under the same domain", { "sec-fetch-site": "same-site" }],
    ["another site, by an older browser", { origin: "https://evil.example" }],
    ["a page without an origin, by an older browser", { origin: "null" }],
    ["something that is not a browser", {}],
  ])(
    "the right value from a page of %s (login CSRF), while our own page still gets in",
    async (_who, headers) => {
      const { login, token } = await begun();
      const fields = { browser: login.browserValue };
      await expectRefusal(await launch(login, token, fields, { headers }), "browser-unknown");
      expect((await launch(login, token, fields)).status, "nothing was used up").toBe(200);
    },
  );

  test.each([
    ["by an older browser, which sends only the origin", () => ({ origin: tool.url })],
    ["by a form that opens a tab in Safari", () => ({ "sec-fetch-site": "cross-site", origin: tool.url })],
    ["again, by a person who reloads", () => ({ "sec-fetch-site": "none" })],
  ])("but not the right value from our own page %s", async (_how, headers) => {
    const login = await keptLogin();
    const fields = { browser: login.browserValue };
    expect((await launch(login, await tokenFor(login), fields, { headers: headers() })).status).toBe(200);
  });

  test("a stolen browser value without a token, or with a forged one", async () => {
    const login = await keptLogin();
    const fields = { browser: login.browserValue };
    await expectRefusal(await launch(login, "", fields), "request-malformed", 400);
    const forger = await makeSigningKey("platform-key-1");
    const forged = await signedLaunch(tool, platform, registration, login, { key: forger });
    await expectRefusal(await launch(login, forged, fields), "token-signature");
  });

  test("a forged or expired token gets no page that asks for the value", async () => {
    const login = await keptLogin();
    const forger = await makeSigningKey("platform-key-1");
    const forged = await signedLaunch(tool, platform, registration, login, { key: forger });
    await expectRefusal(await launch(login, forged), "token-signature");
    const past = Math.floor(Date.now() / 1000) - 600;
    const expired = await signedLaunch(tool, platform, registration, login, { claims: { exp: past } });
    await expectRefusal(await launch(login, expired), "token-expired");
  });

  test("a launch that is too old", async () => {
    const { login, token } = await begun();
    tool.clock.ahead = 600_000;
    await expectRefusal(await launch(login, token, { browser: login.browserValue }), "launch-expired");
  });

  test("an LMS that was switched off in between", async () => {
    const { login, token } = await begun();
    expect((await launch(login, token)).status).toBe(200);
    registration.active = false;
    const again = await launch(login, token, { browser: login.browserValue });
    await expectRefusal(again, "platform-inactive", 403);
  });

  test("a browser value in the address", async () => {
    const login = await keptLogin();
    const query = new URLSearchParams({ browser: login.browserValue }).toString();
    const body = new URLSearchParams({ id_token: await tokenFor(login), state: login.state });
    const response = await fetch(`${tool.url}/lti/launch?${query}`, { method: "POST", body });
    expect(await response.json()).toHaveProperty("resume");
    expect(tool.launches).toEqual([]);
  });
});

test.each([
  ["iframe", "platform-login-hidden"],
  ["document", "platform-login-required"],
])("an LMS's refusal of the person is explained for a %s", async (destination, code) => {
  const response = await fetch(`${tool.url}/lti/launch`, {
    method: "POST",
    headers: { "sec-fetch-dest": destination },
    body: new URLSearchParams({ error: "login_required", state: "x" }),
  });
  await expectRefusal(response, code);
  expect(tool.refusals[0]?.message.includes("new window")).toBe(destination === "iframe");
});
