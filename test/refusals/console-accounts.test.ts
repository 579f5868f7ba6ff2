import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, get, logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const key = "the-key-of-north-college";
const right = {
  id: "north",
  name: "North College",
  stage: "production",
  baseUrl: "https://api.classroom.example",
  appUrl: "https://app.classroom.example",
  apiKey: key,
  dialect: "",
  callsPerSecond: "",
  analyticsSeconds: "",
};

let operator: { cookie: string; form: string };

const tool = await forAllTests(startConsoleTool());
beforeAll(async () => {
  operator = await logIn(tool.url);
});

const open = (path: string) => get(`${tool.url}/admin${path}`, operator.cookie);
const post = (path: string, fields: Record<string, string>) =>
  send(`${tool.url}/admin${path}`, { ...fields, form: operator.form }, operator.cookie);
/** The secret that a page shows once. */
const shownSecret = ({ text }: Answer) => /id="webhook-secret">([^<]+)</.exec(text)?.[1] ?? "";
const webhook = (secret: string) =>
  fetch(`${tool.url}/webhooks/north`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ once: randomBytes(9).toString("hex") }),
  }).then(({ status }) => status);

describe("an operator who adds a classroom account", () => {
  test.each([
    ["no ID", { id: "" }, /ID : Enter a value/],
    ["an ID with spaces", { id: "north college" }, /lower-case letters/],
    ["the ID of the account from variables", { id: "production" }, /Variables define the account/],
    ["no name", { name: "" }, /Name *: Enter a value/],
    ["an address without https", { baseUrl: "api.classroom.example" }, /begins with https/],
    ["an address with a query", { appUrl: "https://app.classroom.example/?a=1" }, /Leave out user name/],
    ["no key", { apiKey: "" }, /API key *: Enter a value/],
    ["a key of two words", { apiKey: "two words of a key" }, /without spaces/],
    ["five calls a second", { callsPerSecond: "5" }, /whole number from 1 to 4/],
    ["an analytics call each second", { analyticsSeconds: "1" }, /from 2 to 3600/],
    ["half a dialect", { dialect: "{" }, /isn['’]t JSON/],
    ["a dialect without meaning", { dialect: '{"addresses":{}}' }, /addresses/],
  ])("is told about %s, and the form keeps everything as typed", async (_what, wrong, said) => {
    const answer = await post("/accounts", { ...right, ...wrong });
    expect(answer.status).toBe(422);
    expect(textOf(answer)).toMatch(said);
    const typed = { ...right, ...wrong };
    expect(answer.text).toContain(`value="${typed.baseUrl}"`);
    expect(answer.text, "a secret is never shown").not.toContain(typed.apiKey === "" ? key : typed.apiKey);
    expect((await open("/accounts/north")).status, "nothing was added").toBe(404);
  });

  test("sees the address and the secret for its webhooks once, and the secret never again", async () => {
    const added = await post("/accounts", {
      ...right,
      callsPerSecond: "2",
      dialect: '{"usersHaveRoles": false}',
    });
    expect(added.status).toBe(200);
    const secret = shownSecret(added);
    expect(textOf(added)).toContain(`${tool.url}/webhooks/north`);
    expect(await webhook(secret)).toBe(202);
    const page = await open("/accounts/north");
    expect(textOf(page)).toMatch(/In use.*Calls per second 2.*Its own/);
    for (const path of ["/accounts", "/accounts/north", "/accounts/north/change"])
      for (const hidden of [key, secret]) expect((await open(path)).text).not.toContain(hidden);
    expect(textOf(await post("/accounts", right))).toContain("This ID is taken");
  });
});

describe("an operator with an account", () => {
  test("changes its name, limits and dialect, and bad input stays in the form with the reason", async () => {
    const { id: _id, apiKey: _key, ...facts } = right;
    const bad = await post("/accounts/north/change", {
      ...facts,
      name: "Northern College",
      callsPerSecond: "9",
    });
    expect(bad.status).toBe(422);
    expect(bad.text).toContain('value="Northern College"');
    expect(bad.text).toContain('value="9"');
    const good = await post("/accounts/north/change", {
      ...facts,
      name: "Northern College",
      callsPerSecond: "1",
    });
    expect(good.location).toBe("/admin/accounts/north?note=changed");
    const page = textOf(await open("/accounts/north"));
    expect(page).toMatch(/Northern College.*Calls per second 1.*As CLASSROOM_DIALECT says/);
  });

  test("replaces its key and sees only the end of the new one; a bad key is refused", async () => {
    expect((await post("/accounts/north/key", { apiKey: "short" })).status).toBe(422);
    expect((await post("/accounts/north/key", { apiKey: "another-key-of-north-9876" })).status).toBe(303);
    const page = await open("/accounts/north");
    expect(textOf(page)).toContain("ends in 9876");
    expect(page.text).not.toContain("another-key");
  });

  test("creates a second secret, and removes the first", async () => {
    const [first, second] = [
      await post("/accounts/north/secret", {}),
      await post("/accounts/north/secret", {}),
    ].map(shownSecret);
    expect(await webhook(first ?? "")).toBe(202);
    expect(await webhook(second ?? "")).toBe(202);
    expect((await post("/accounts/north/end-previous", {})).location).toContain("note=ended");
    expect(await webhook(first ?? "")).toBe(401);
    expect(await webhook(second ?? "")).toBe(202);
  });

  test("pauses it only after reading the consequences, and resumes it", async () => {
    expect(textOf(await open("/accounts/north/pause"))).toContain("Nobody can enter its Spaces");
    expect((await post("/accounts/north/pause", { to: "pause" })).status).toBe(303);
    expect(textOf(await open("/accounts"))).toMatch(/Northern College north Production Paused/);
    expect((await post("/accounts/north/pause", { to: "everything" })).status).toBe(400);
    expect((await post("/accounts/north/pause", { to: "resume" })).status).toBe(303);
    expect(textOf(await open("/accounts/north"))).toContain("In use");
  });

  test("can't bind an unknown LMS, or a deployment that never launched", async () => {
    const nobody = await post("/accounts/north/bind", { lms: "reg_nobody", deployment: "" });
    expect([nobody.status, textOf(nobody)]).toEqual([422, expect.stringContaining("Choose an LMS.")]);
    const added = await post("/registrations", {
      family: "other",
      name: "A school",
      issuer: "https://lms.example",
      clientId: "1",
      deploymentId: "",
      authorizationUrl: "https://lms.example/auth",
      tokenUrl: "https://lms.example/token",
      jwksUrl: "https://lms.example/keys",
      environment: "production",
      newDeployments: "usual",
    });
    const lms = /registrations\/([^?]+)/.exec(added.location ?? "")?.[1] ?? "";
    const elsewhere = await post("/accounts/north/bind", { lms, deployment: "7" });
    expect([elsewhere.status, textOf(elsewhere)]).toEqual([
      422,
      expect.stringContaining("no such deployment yet"),
    ]);
    expect(elsewhere.text).toContain('value="7"');
    expect((await post("/accounts/north/bind", { lms, deployment: "" })).status).toBe(303);
    expect(textOf(await open("/accounts"))).toMatch(/Northern College .*A school/);
  });
});

describe("an operator who removes an account", () => {
  const invite = (id: string) =>
    post("/invitations", {
      institution: "West College",
      environment: "NEW",
      accountId: id,
      accountName: "West College",
      letIn: "on",
      hours: "72",
    });

  test("reads the consequences; then it is gone, with its unused invitation", async () => {
    const invited = await invite("west");
    const address = /https?:[^<"\s]*\/lti\/register\?invite=[\w-]+/.exec(invited.text)?.[0] ?? "";
    expect(textOf(await open("/accounts/west"))).toContain("Remove…");
    expect(textOf(await open("/accounts/west/remove"))).toContain("Nothing belongs to this account");
    const gone = await post("/accounts/west/remove", {});
    expect(gone.location).toBe("/admin/accounts?note=removed");
    expect(textOf(await open("/accounts?note=removed"))).toContain("Account removed.");
    expect((await open("/accounts/west")).status).toBe(404);
    expect(textOf(await open("/audit"))).toContain("Classroom account removed");
    expect((await get(`${address}&openid_configuration=https://lms.example/openid`, "")).status).toBe(403);
    expect((await post("/accounts/west/remove", {})).status).toBe(404);
  });

  test("can reuse its id for another account, which has its own secret", async () => {
    await invite("west");
    const former = shownSecret(await post("/accounts/west/secret", {}));
    await post("/accounts/west/remove", {});
    await post("/accounts", { ...right, id: "west", name: "Another West" });
    const address = `${tool.url}/webhooks/west`;
    const sent = await fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${former}` },
      body: "{}",
    });
    expect(sent.status).toBe(401);
    expect((await post("/accounts/west/remove", {})).status).toBe(303);
  });

  test("is told that an LMS uses it, and can't remove it", async () => {
    expect(textOf(await open("/accounts/north/remove"))).toContain("An LMS uses it.");
    const answer = await post("/accounts/north/remove", {});
    expect([answer.status, textOf(answer)]).toEqual([409, expect.stringContaining("An LMS uses it.")]);
    expect((await open("/accounts/north")).status).toBe(200);
  });
});

describe("the account that variables define", () => {
  test("is shown with its origin, and cannot be changed", async () => {
    const page = await open("/accounts/production");
    expect(textOf(page)).toContain("CLASSROOM_ variables define this account");
    expect(page.text).not.toContain("/admin/accounts/production/change");
    expect(page.text).not.toContain('name="apiKey"');
  });

  test.each([
    ["change", { name: "Mine", stage: "production", baseUrl: right.baseUrl, appUrl: right.appUrl }],
    ["key", { apiKey: key }],
    ["secret", {}],
    ["end-previous", {}],
    ["pause", { to: "pause" }],
    ["remove", {}],
  ])("is not changed by a forged form: %s", async (what, fields) => {
    const answer = await post(`/accounts/production/${what}`, { dialect: "", callsPerSecond: "", ...fields });
    expect([answer.status, textOf(answer)]).toEqual([
      409,
      expect.stringContaining("Variables define the account"),
    ]);
  });
});

test("outside development an account may only lead to https on the public internet", async () => {
  const publicUrl = "https://tool.example";
  const secrets = {
    SECRET_KEY: randomBytes(48).toString("base64"),
    CLASSROOM_WEBHOOK_SECRET: randomBytes(24).toString("hex"),
  };
  const open = {
    PUBLIC_URL: publicUrl,
    ALLOW_PRIVATE_PLATFORMS: "",
    TRUST_PROXY: "1",
    METRICS_TOKEN: "",
    ...secrets,
  };
  const strict = await startConsoleTool(open);
  try {
    const asBrowser = { origin: publicUrl, "x-forwarded-proto": "https" };
    const entered = await send(
      `${strict.url}/admin`,
      { password: "correct horse battery staple" },
      "",
      asBrowser,
    );
    const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const page = await get(`${strict.url}/admin/accounts/new`, cookie, asBrowser);
    const form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    for (const baseUrl of [
      "http://api.classroom.example",
      "https://10.0.0.1",
      "https://localhost",
      "https://api.classroom.example:25",
    ]) {
      const answer = await send(
        `${strict.url}/admin/accounts`,
        { ...right, baseUrl, form },
        cookie,
        asBrowser,
      );
      expect([answer.status, textOf(answer)]).toEqual([
        422,
        expect.stringContaining("Use an https:// address on the public internet"),
      ]);
    }
  } finally {
    await strict.close();
  }
});
