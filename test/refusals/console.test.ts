import { beforeEach, describe, expect, test } from "vitest";
import { cookieOf, get, logIn, rightPassword, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const minute = 60_000;
const hour = 60 * minute;
const secretKey = "a secret key of at least thirty-two bytes";

const tool = await forAllTests(startConsoleTool({ SECRET_KEY: secretKey }));
// By then, everything that an earlier test did to the password count is forgotten.
beforeEach(() => tool.pass(hour));

const tryPassword = (password: string) => send(`${tool.url}/admin`, { password });
const isLoggedIn = async (cookie: string) =>
  (await get(`${tool.url}/admin/registrations`, cookie)).status === 200;

test("without ADMIN_PASSWORD there is no console, and no sign of one", async () => {
  const off = await startConsoleTool({ ADMIN_PASSWORD: "" });
  try {
    const elsewhere = await get(`${off.url}/no/such/page`);
    for (const path of ["/admin", "/admin/registrations"]) {
      const answer = await get(`${off.url}${path}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(elsewhere.text);
    }
    expect((await send(`${off.url}/admin`, { password: "" })).status).toBe(404);
  } finally {
    await off.close();
  }
});

describe("a stranger", () => {
  test.each(["/admin/registrations", "/admin/registrations/reg_1", "/admin/audit", "/admin/nothing"])(
    "gets only the login page at %s",
    async (path) => {
      const answer = await get(`${tool.url}${path}`);
      expect(answer.status).toBe(401);
      expect(answer.text).toContain('name="password"');
      expect(answer.text).not.toContain("<nav");
    },
  );

  test("can't change anything by a form, and reads why", async () => {
    const answer = await send(`${tool.url}/admin/invitations`, { environment: "production", hours: "72" });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("so nothing changed");
    expect(answer.text).not.toContain("/lti/register");
  });

  test("isn't redirected to another site after logging in", async () => {
    for (const to of [
      "https://evil.test/",
      "//evil.test",
      "/admin/..//evil.test",
      "/admin//evil.test",
      "/x",
    ]) {
      const answer = await send(`${tool.url}/admin`, { password: rightPassword, to });
      expect(answer.location).toBe("/admin");
    }
    const answer = await send(`${tool.url}/admin`, { password: rightPassword, to: "/admin/audit" });
    expect(answer.location).toBe("/admin/audit");
  });
});

describe("a wrong password", () => {
  test.each(["", "x", `${rightPassword} `, rightPassword.toUpperCase(), "y".repeat(10_000)])(
    "%j is refused",
    async (password) => {
      const answer = await tryPassword(password);
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("Wrong password");
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );

  test("given five times makes everybody wait for a while, even with the right one", async () => {
    for (let time = 1; time <= 4; time += 1) expect((await tryPassword("wrong")).status).toBe(401);
    const fifth = await tryPassword("wrong");
    expect(fifth.status).toBe(429);
    expect(fifth.headers.get("retry-after")).toBe("30");
    expect(fifth.text).toContain("Wait 30 seconds");
    expect((await tryPassword(rightPassword)).status).toBe(429);
    tool.pass(29_000);
    expect((await tryPassword(rightPassword)).status).toBe(429);
    tool.pass(1_500);
    const right = await tryPassword(rightPassword);
    expect(right.status).toBe(303);
    // The count begins again.
    expect((await tryPassword("wrong")).status).toBe(401);
  });

  test("sent a hundred times at the same moment is compared at most five times", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => tryPassword("wrong")));
    const compared = answers.filter(({ text }) => text.includes("Wrong password"));
    expect(compared.length).toBeGreaterThan(0);
    expect(compared.length).toBeLessThanOrEqual(5);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(95);
  });

  test("counts for all processes together", async () => {
    const other = await startConsoleTool({ SECRET_KEY: secretKey, DATABASE_URL: tool.databaseUrl });
    other.pass(tool.ahead());
    try {
      for (let time = 1; time <= 3; time += 1) expect((await tryPassword("wrong")).status).toBe(401);
      expect((await send(`${other.url}/admin`, { password: "wrong" })).status).toBe(401);
      expect((await send(`${other.url}/admin`, { password: "wrong" })).status).toBe(429);
      expect((await tryPassword(rightPassword)).status).toBe(429);
    } finally {
      await other.close();
    }
  });

  test("given by strangers doesn't block a browser that has logged in before, or the other way round", async () => {
    const device = (await tryPassword(rightPassword)).headers.getSetCookie()[1] ?? "";
    expect(device).toMatch(
      /^console-device=[\w-]{16}\.\d+\.[\w-]{43}; Max-Age=15552000; Path=\/admin; .*HttpOnly; SameSite=Strict$/,
    );
    const known = device.split(";")[0] ?? "";
    const tryThere = (password: string, cookie = known) => send(`${tool.url}/admin`, { password }, cookie);
    for (let time = 1; time <= 5; time += 1) await tryPassword("wrong");
    expect((await tryPassword(rightPassword)).status, "a stranger").toBe(429);
    for (const forged of [
      known.replace(/=./, "=!"),
      known.replace(/=[\w-]{16}/, `=${"A".repeat(16)}`),
      known.replace(/\.\d+\./, (part) => part.replace(/\d/, "9")),
      `${known}A`,
    ])
      expect((await tryThere(rightPassword, forged)).status, forged).toBe(429);
    const again = await tryThere(rightPassword);
    expect(again.status, "the known browser").toBe(303);
    expect(again.headers.getSetCookie()[1]?.split(".")[0], "which stays the same one").toBe(
      known.split(".")[0],
    );
    // It has its own attempts, and no more than anybody else.
    for (let time = 1; time <= 4; time += 1) expect((await tryThere("wrong")).status).toBe(401);
    expect((await tryThere("wrong")).status).toBe(429);
    expect((await tryThere(rightPassword)).status).toBe(429);
    tool.pass(31_000);
    expect((await tryPassword(rightPassword)).status, "the strangers' wait is over, too").toBe(303);
  });

  test("doesn't make a browser known, nor does a console session or an earlier password", async () => {
    const other = await startConsoleTool({ SECRET_KEY: secretKey });
    const giveThere = (password: string, cookie = "") => send(`${other.url}/admin`, { password }, cookie);
    try {
      const cookies = (await giveThere(rightPassword)).headers.getSetCookie();
      const [session = "", device = ""] = cookies.map((cookie) => cookie.split(";")[0] ?? "");
      for (let time = 1; time <= 5; time += 1) await giveThere("wrong");
      const asDevice = session.replace("console=", "console-device=");
      expect((await giveThere(rightPassword, asDevice)).status).toBe(429);
      other.pass(180 * 24 * hour);
      for (let time = 1; time <= 5; time += 1) await giveThere("wrong");
      expect((await giveThere(rightPassword, device)).status, "half a year on").toBe(429);
      await other.restart({ ADMIN_PASSWORD: "another long password" });
      other.pass(hour);
      const changed =
        (await giveThere("another long password")).headers.getSetCookie()[1]?.split(";")[0] ?? "";
      await other.restart({ ADMIN_PASSWORD: rightPassword });
      for (let time = 1; time <= 5; time += 1) await giveThere("wrong");
      expect((await giveThere(rightPassword, changed)).status, "of another password").toBe(429);
    } finally {
      await other.close();
    }
  });

  test("is in the audit log, but not the many that are not even compared", async () => {
    await logIn(tool.url);
    await tryPassword("wrong");
    await Promise.all(Array.from({ length: 60 }, () => tryPassword("wrong")));
    tool.pass(minute);
    const { cookie } = await logIn(tool.url);
    const { text } = await get(`${tool.url}/admin/audit`, cookie);
    const rows = text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    const sinceLogIn = rows.split("Logged in")[1] ?? "";
    expect(sinceLogIn.match(/Wrong password [1-4]/g)).toHaveLength(4);
    expect(sinceLogIn.match(/Login blocked after wrong passwords 5/g)).toHaveLength(1);
  });

  test("is remembered after a restart", async () => {
    for (let time = 1; time <= 5; time += 1) await tryPassword("wrong");
    await tool.restart();
    expect((await tryPassword(rightPassword)).status).toBe(429);
  });
});

describe("a session", () => {
  test("has a cookie that scripts can't read and other sites can't send", async () => {
    const answer = await tryPassword(rightPassword);
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^console=/);
    for (const part of ["Path=/admin", "HttpOnly", "SameSite=Strict", "Max-Age=43200"])
      expect(cookie).toContain(part);
    expect(cookie).not.toContain("Secure");
    expect(await isLoggedIn(cookieOf(answer))).toBe(true);
  });

  test("has a cookie only for https if the tool is reached by https", async () => {
    const secure = await startConsoleTool({ PUBLIC_URL: "https://tool.test" });
    try {
      const answer = await send(`${secure.url}/admin`, { password: rightPassword });
      expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-console=.*; Secure/);
    } finally {
      await secure.close();
    }
  });

  test("ends after twelve hours, even while it is used", async () => {
    const { cookie } = await logIn(tool.url);
    for (let half = 1; half <= 23; half += 1) {
      tool.pass(hour / 2);
      expect(await isLoggedIn(cookie)).toBe(true);
    }
    tool.pass(hour / 2);
    expect(await isLoggedIn(cookie)).toBe(false);
  });

  test("ends with the logout, even for a copy of its cookie", async () => {
    const { cookie, form } = await logIn(tool.url);
    const out = await send(`${tool.url}/admin/log-out`, { form }, cookie);
    expect(out.status).toBe(303);
    expect(out.headers.getSetCookie()[0]).toMatch(/^console=;.*Expires=Thu, 01 Jan 1970/);
    expect(await isLoggedIn(cookie)).toBe(false);
  });

  test("survives a restart, and ends when ADMIN_PASSWORD is changed", async () => {
    const { cookie } = await logIn(tool.url);
    await tool.restart();
    expect(await isLoggedIn(cookie)).toBe(true);
    await tool.restart({ ADMIN_PASSWORD: "another long password" });
    expect(await isLoggedIn(cookie)).toBe(false);
    await tool.restart({ ADMIN_PASSWORD: rightPassword });
  });

  test("can't be forged, guessed, or read from the store", async () => {
    const { cookie } = await logIn(tool.url);
    const token = cookie.replace("console=", "");
    const list = (await get(`${tool.url}/admin/sessions`, (await logIn(tool.url)).cookie)).text;
    const stored = [...list.matchAll(/sessions\/([\w-]{43})\/end/g)].map(([, id = ""]) => id);
    expect(stored.length).toBeGreaterThan(0);
    expect(list).not.toContain(token);
    const others = [
      "",
      "let-me-in",
      token.slice(1),
      `${token}A`,
      token.split("").reverse().join(""),
      ...stored,
    ];
    for (const other of others) expect(await isLoggedIn(`console=${other}`), other).toBe(false);
    expect(await isLoggedIn(cookie)).toBe(true);
  });

  test("sealed with another SECRET_KEY is refused, but one of SECRET_KEY_PREVIOUS stays valid", async () => {
    const { cookie } = await logIn(tool.url);
    const other = "another secret key of thirty-two bytes";
    await tool.restart({ SECRET_KEY: other, SECRET_KEY_PREVIOUS: secretKey });
    expect(await isLoggedIn(cookie)).toBe(true);
    await tool.restart({ SECRET_KEY_PREVIOUS: "" });
    expect(await isLoggedIn(cookie)).toBe(false);
    await tool.restart({ SECRET_KEY: secretKey });
  });
});

describe("a form", () => {
  const invite = { environment: "production", hours: "72" };

  test("of another session or without its token changes nothing", async () => {
    const [one, other] = [await logIn(tool.url), await logIn(tool.url)];
    for (const form of ["", "guessed", other.form]) {
      const answer = await send(`${tool.url}/admin/invitations`, { ...invite, form }, one.cookie);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("Nothing was changed");
    }
    const own = await send(`${tool.url}/admin/invitations`, { ...invite, form: one.form }, one.cookie);
    expect(own.status).toBe(200);
    expect(own.text).toContain(`${tool.url}/lti/register?invite=`);
  });

  test.each([
    ["a page of another site", { "sec-fetch-site": "cross-site", origin: "https://other.example" }],
    [
      "a neighbour under the same domain",
      { "sec-fetch-site": "same-site", origin: "https://lms.tool.example" },
    ],
  ])("sent by %s changes nothing, even with the right token", async (_what, headers) => {
    const { cookie, form } = await logIn(tool.url);
    const answer = await send(`${tool.url}/admin/invitations`, { ...invite, form }, cookie, headers);
    expect(answer.status).toBe(403);
    const login = await send(`${tool.url}/admin`, { password: rightPassword }, "", headers);
    expect(login.status).toBe(403);
    expect(login.headers.getSetCookie()).toEqual([]);
    expect(login.text).toContain("This can’t be done");
  });

  test("from an older browser is judged by its origin", async () => {
    const { cookie, form } = await logIn(tool.url);
    const from = (origin: string | null) =>
      fetch(`${tool.url}/admin/invitations`, {
        method: "POST",
        headers: { cookie, ...(origin === null ? {} : { origin }) },
        body: new URLSearchParams({ ...invite, form }),
      });
    expect((await from("https://evil.test")).status).toBe(403);
    expect((await from("null")).status).toBe(403);
    expect((await from(tool.url)).status).toBe(200);
    expect((await from(null)).status).toBe(200);
  });

  test("that is too large, or has values that no button sends, is refused with a page", async () => {
    const { cookie, form } = await logIn(tool.url);
    const large = await send(`${tool.url}/admin/invitations`, { form, x: "y".repeat(20_000) }, cookie);
    expect(large.status).toBe(413);
    const odd = await send(`${tool.url}/admin/registrations/reg_1/switch`, { form, to: "sideways" }, cookie);
    expect(odd.status).toBe(400);
    const unknown = await send(`${tool.url}/admin/registrations/reg_1/switch`, { form, to: "on" }, cookie);
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain("no registration");
    const forever = await send(`${tool.url}/admin/invitations`, { ...invite, form, hours: "100000" }, cookie);
    expect(forever.status).toBe(422);
  });
});

describe("a page of the console", () => {
  test("can't be framed or cached, logged in or not, found or not", async () => {
    const { cookie } = await logIn(tool.url);
    for (const path of ["/admin", "/admin/registrations", "/admin/no-such-page"]) {
      for (const asWho of ["", cookie]) {
        const { headers } = await get(`${tool.url}${path}`, asWho);
        expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
        expect(headers.get("content-security-policy")).not.toContain("unsafe");
        expect(headers.get("x-frame-options")).toBe("DENY");
        expect(headers.get("cache-control")).toBe("no-store");
      }
    }
  });

  test("at an unknown address says so to a logged-in operator", async () => {
    const { cookie } = await logIn(tool.url);
    expect((await get(`${tool.url}/admin/no-such-page`, cookie)).status).toBe(404);
    const unknown = await get(`${tool.url}/admin/registrations/reg_404`, cookie);
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain("There is no registration");
  });

  test.each([
    ["http:/lms.test", "not a full web address"],
    ["lms.test", "not a full web address"],
    ["javascript:alert(1)", "not a full web address"],
    ["https://me:secret@lms.test/", "must not hold a user name"],
  ])("does not accept %s as an LMS's address", async (issuer, why) => {
    const { cookie, form } = await logIn(tool.url);
    const address = "https://lms.test/x";
    const rest = { clientId: "c", authorizationUrl: address, tokenUrl: address, jwksUrl: address };
    const answer = await send(
      `${tool.url}/admin/registrations`,
      { form, family: "other", newDeployments: "accept", issuer, ...rest },
      cookie,
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(why);
    expect((await get(`${tool.url}/admin/registrations`, cookie)).text).toContain("No LMS is connected yet");
  });

  test("shows what people typed as text, never as markup", async () => {
    const { cookie, form } = await logIn(tool.url);
    const bad = '"><script>alert(1)</script>';
    const answer = await send(
      `${tool.url}/admin/registrations`,
      { form, family: "moodle", newDeployments: "accept", name: bad, issuer: bad, clientId: bad },
      cookie,
    );
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain("<script>alert");
    expect(answer.text).toContain("&lt;script&gt;");
  });
});

test("no password, session, form token or invitation is ever logged", async () => {
  const { cookie, form } = await logIn(tool.url);
  await tryPassword("a-wrong-password-nobody-has");
  const made = await send(
    `${tool.url}/admin/invitations`,
    { environment: "production", hours: "1", form },
    cookie,
  );
  const invitation = /invite=([\w-]+)/.exec(made.text)?.[1] ?? "";
  expect(invitation).not.toBe("");
  await get(`${tool.url}/lti/register?invite=${invitation}`);
  const logged = tool.logged();
  expect(logged).toContain('"path":"/admin/invitations"');
  const secrets = [
    rightPassword,
    encodeURIComponent(rightPassword),
    "a-wrong-password",
    cookie.replace("console=", ""),
    form,
    invitation,
  ];
  for (const secret of secrets) expect(logged).not.toContain(secret);
  const audit = await get(`${tool.url}/admin/audit`, cookie);
  expect(audit.text).toContain("Invitation created");
  expect(audit.text).not.toContain(invitation);
});
