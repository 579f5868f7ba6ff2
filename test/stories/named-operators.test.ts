import { expect, test } from "vitest";
import { cookieOf, get, logIn, rightPassword, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import {
  atProvider,
  logInByProvider,
  providerVariables,
  startOpenIdProvider,
} from "../support/stand-ins/openid-provider.ts";

const olga = { sub: "1", email: "Olga@School.test" };
const rita = { sub: "2", email: "rita@school.test" };
const ivan = { sub: "3", groups: ["staff", "it"] };
const hour = 3_600_000;

const provider = await forAllTests(startOpenIdProvider(olga));
const tool = await forAllTests(startConsoleTool(providerVariables(provider)));

const textOf = (text: string) => text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const isIn = async (cookie: string) => (await get(`${tool.url}/admin/registrations`, cookie)).status === 200;
const invite = { environment: "production", hours: "72" };

test("an operator logs in at the provider, gets to the requested page, and the audit log names them", async () => {
  const page = await get(`${tool.url}/admin/audit?lms=reg_1`);
  expect(page.text).toContain('name="password"');
  expect(page.text).toContain('href="/admin/log-in?to=%2Fadmin%2Faudit%3Flms%3Dreg_1"');
  provider.user = olga;
  const { cookie, back } = await atProvider(tool.url);
  const answer = await get(back, cookie);
  expect(answer.headers.get("refresh")).toBe("0; url=/admin/audit");
  expect(textOf(answer.text)).toContain("You are logged in as olga@school.test");
  const { cookie: own, form } = await logInByProvider(tool.url, provider, olga);
  expect((await send(`${tool.url}/admin/invitations`, { ...invite, form }, own)).status).toBe(200);
  const log = textOf((await get(`${tool.url}/admin/audit`, own)).text);
  expect(log).toMatch(/Invitation created [^@]*olga@school\.test/);
  expect(log).toMatch(/Logged in olga@school\.test/);
});

test("somebody in an operators' group gets in, even with claims only in the provider's UserInfo", async () => {
  const { cookie } = await logInByProvider(tool.url, provider, ivan);
  expect(textOf((await get(`${tool.url}/admin/audit`, cookie)).text)).toMatch(/Logged in 3 /);
  provider.claimsApart = true;
  try {
    const apart = await logInByProvider(tool.url, provider, olga);
    expect(await isIn(apart.cookie)).toBe(true);
  } finally {
    provider.claimsApart = false;
  }
});

test("a logout ends one session, and an operator ends another's", async () => {
  const operator = await logInByProvider(tool.url, provider, olga);
  const reader = await logInByProvider(tool.url, provider, rita);
  const list = (await get(`${tool.url}/admin/sessions`, operator.cookie)).text;
  const row = list.split("<tr").find((one) => one.includes("rita@school.test")) ?? "";
  const action = /action="([^"]+)"/.exec(row)?.[1] ?? "";
  expect(list.split("<tr").filter((one) => one.includes("This session"))).toHaveLength(1);
  const byReader = await send(`${tool.url}${action}`, { form: reader.form }, reader.cookie);
  expect(byReader.status).toBe(403);
  const ended = await send(`${tool.url}${action}`, { form: operator.form }, operator.cookie);
  expect(ended.location).toBe("/admin/sessions?note=ended");
  const log = textOf((await get(`${tool.url}/admin/audit`, operator.cookie)).text);
  expect(log).toMatch(/Console session ended rita@school\.test olga@school\.test/);
  await send(`${tool.url}/admin/log-out`, { form: operator.form }, operator.cookie);
  expect(await isIn(operator.cookie)).toBe(false);
  const other = await logInByProvider(tool.url, provider, rita);
  expect((await send(`${tool.url}/admin/log-out`, { form: other.form }, other.cookie)).status).toBe(303);
  expect(await isIn(other.cookie)).toBe(false);
});

test("a session ends after an idle hour, and lasts while it is used", async () => {
  const { cookie } = await logInByProvider(tool.url, provider, olga);
  tool.pass(0.9 * hour);
  expect(await isIn(cookie)).toBe(true);
  tool.pass(0.9 * hour);
  expect(await isIn(cookie)).toBe(true);
  tool.pass(hour + 1);
  expect(await isIn(cookie)).toBe(false);
  await tool.restart();
  tool.pass(-tool.ahead());
});

test("a removed right ends its sessions, and without a password only the provider remains", async () => {
  const operator = await logInByProvider(tool.url, provider, olga);
  const password = await logIn(tool.url);
  await tool.restart({ OIDC_OPERATORS: "group:it", OIDC_READERS: "olga@school.test" });
  expect(textOf((await get(`${tool.url}/admin/registrations`, operator.cookie)).text)).toContain(
    "but not change",
  );
  await tool.restart({ OIDC_READERS: "" });
  expect(await isIn(operator.cookie)).toBe(false);
  expect(await isIn(password.cookie)).toBe(true);
  await tool.restart({ ADMIN_PASSWORD: "" });
  expect(await isIn(password.cookie)).toBe(false);
  const page = await get(`${tool.url}/admin`);
  expect(page.text).not.toContain('name="password"');
  const tried = await send(`${tool.url}/admin`, { password: rightPassword });
  expect([tried.status, cookieOf(tried)]).toEqual([401, ""]);
  expect((await send(`${tool.url}/admin`, { password: "" })).status).toBe(401);
  expect(await isIn((await logInByProvider(tool.url, provider, ivan)).cookie)).toBe(true);
});
