import { beforeEach, describe, expect, test } from "vitest";
import { get, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { allConsoleRoutes } from "../support/tool/routes.ts";
import {
  atProvider,
  logInByProvider,
  type ProviderFault,
  providerVariables,
  startOpenIdProvider,
} from "../support/stand-ins/openid-provider.ts";

const olga = { sub: "1", email: "olga@school.test" };
const rita = { sub: "2", email: "rita@school.test" };
const minute = 60_000;

const provider = await forAllTests(startOpenIdProvider(olga));
const tool = await forAllTests(startConsoleTool(providerVariables(provider)));
beforeEach(() => {
  Object.assign(provider, { user: olga, fault: null, claimsApart: false });
});

/** Nobody got in: no session, and the code of the refusal on the page. */
function expectRefused(answer: Awaited<ReturnType<typeof get>>, status: number, code: string): void {
  expect([answer.status, answer.text.includes(code)], answer.text).toEqual([status, true]);
  expect(answer.headers.getSetCookie().filter((line) => /^console=./.test(line))).toEqual([]);
}

describe("a login by the provider", () => {
  test.each<[ProviderFault, string]>([
    ["wrong nonce", 'ID Token "nonce"'],
    ["no nonce", '"nonce" (nonce) claim missing'],
    ["wrong audience", '"aud" (audience)'],
    ["second audience", "aud"],
    ["foreign azp", "azp"],
    ["expired", '"exp" (expiration time)'],
    ["old", "iat"],
    ["from the future", "iat"],
    ["wrong issuer", '"iss" (issuer) claim'],
    ["alg none", 'unsupported JWS "alg"'],
    ["shared secret", "unsupported JWS algorithm"],
    ["foreign key", "signature verification failed"],
  ])("is refused for a token with %s", async (fault, why) => {
    provider.fault = fault;
    const before = tool.logged().length;
    const { cookie, back } = await atProvider(tool.url);
    expectRefused(await get(back, cookie), 403, "console-log-in-unproven");
    const [, logged = ""] = /"why":("(?:[^"\\]|\\.)*")/.exec(tool.logged().slice(before)) ?? [];
    expect(JSON.parse(logged)).toContain(why);
  });

  test.each([
    ["whose address is not verified", { ...olga, emailVerified: false }],
    ["whose address spells an operator's group", { sub: "9", email: "group:it" }],
    ["without an address or a group", { sub: "1" }],
    ["on no list", { sub: "9", email: "eve@school.test", groups: ["students"] }],
    ["whose group is called like an operator", { sub: "9", groups: ["olga@school.test", "group:it"] }],
  ])("is refused for somebody %s", async (_whom, user) => {
    provider.user = user;
    const { cookie, back } = await atProvider(tool.url);
    expectRefused(await get(back, cookie), 403, "console-log-in-stranger");
  });

  test("is refused with claims about somebody else", async () => {
    provider.claimsApart = true;
    provider.fault = "claims of somebody else";
    const { cookie, back } = await atProvider(tool.url);
    expectRefused(await get(back, cookie), 403, "console-log-in-unproven");
  });

  test("begun in another browser, in none, or too long ago is refused before the provider is called", async () => {
    const [one, other] = [await atProvider(tool.url), await atProvider(tool.url)];
    const before = provider.tokenRequests;
    expectRefused(await get(one.back, other.cookie), 403, "console-log-in-lost");
    expectRefused(await get(one.back), 403, "console-log-in-lost");
    expectRefused(await get(one.back, `${one.cookie}x`.replace("=v1.", "=v1.A")), 403, "console-log-in-lost");
    tool.pass(10 * minute + 1);
    expectRefused(await get(one.back, one.cookie), 403, "console-log-in-lost");
    tool.pass(-10 * minute - 1);
    expect(provider.tokenRequests).toBe(before);
    expect((await get(one.back, one.cookie)).status, "it was good").toBe(200);
  });

  test("with a code that was used before is refused", async () => {
    const { cookie, back } = await atProvider(tool.url);
    expect((await get(back, cookie)).status).toBe(200);
    expectRefused(await get(back, cookie), 403, "console-log-in-unproven");
  });

  test("with the code of another login is refused, as its verifier does not match", async () => {
    const [one, other] = [await atProvider(tool.url), await atProvider(tool.url)];
    const mixed = new URL(one.back);
    mixed.searchParams.set("code", new URL(other.back).searchParams.get("code") ?? "");
    expectRefused(await get(mixed.href, one.cookie), 403, "console-log-in-unproven");
  });

  test("with the answer of another issuer, or without one, is refused before the code is used", async () => {
    for (const iss of ["https://evil.test", null]) {
      const { cookie, back } = await atProvider(tool.url);
      const mixed = new URL(back);
      if (iss === null) mixed.searchParams.delete("iss");
      else mixed.searchParams.set("iss", iss);
      const before = provider.tokenRequests;
      expectRefused(await get(mixed.href, cookie), 403, "console-log-in-unproven");
      expect(provider.tokenRequests).toBe(before);
    }
  });

  test("that the person cancelled at the provider is refused with an explanation", async () => {
    const { cookie, back } = await atProvider(tool.url);
    const denied = new URL(back);
    denied.searchParams.delete("code");
    denied.searchParams.set("error", "access_denied");
    expectRefused(await get(denied.href, cookie), 403, "console-log-in-unproven");
  });

  test.each<[ProviderFault, number, string]>([
    ["down", 502, "console-log-in-away"],
    ["moved", 502, "console-log-in-away"],
    ["foreign metadata", 403, "console-log-in-unproven"],
  ])("is refused when the provider has %s", async (fault, status, code) => {
    await tool.restart();
    provider.fault = fault;
    expectRefused(await get(`${tool.url}/admin/log-in`), status, code);
  });
});

describe("a reader", () => {
  /** What changes only the session, and searches, which keep the text out of addresses. */
  const harmless = ["/", "/lms", "/log-out", "/people", "/search"];
  const posts = allConsoleRoutes().filter(
    ({ method, path }) => method === "POST" && !harmless.includes(path),
  );

  test.each(posts.map(({ path }) => path))("cannot change anything by a form to %s", async (path) => {
    const { cookie, form } = await theReader();
    const address = `${tool.url}/admin${path.replace(/:\w+/g, "x")}`;
    const answer = await send(address, { form }, cookie);
    expect([answer.status, answer.text.includes("console-reader")], answer.text).toEqual([403, true]);
  });

  test("can open each page, whose forms cannot be sent", async () => {
    const { cookie } = await theReader();
    const pages = allConsoleRoutes().filter(
      ({ method, path }) =>
        method === "GET" &&
        !path.includes(":") &&
        !path.startsWith("/log-in") &&
        // One needs a filter, the other is a file.
        !["/receipts/replay", "/usage/file"].includes(path),
    );
    const forms: string[] = [];
    for (const { path } of pages) {
      const page = await get(`${tool.url}/admin${path}`, cookie);
      expect(page.status, path).toBe(200);
      expect(page.text, path).toContain("not change anything");
      const found = page.text.matchAll(/<form\b[^>]*method="post"[^>]*>\s*(<fieldset disabled>)?/g);
      forms.push(...[...found].map(([form]) => form));
    }
    expect(pages.length).toBeGreaterThan(20);
    const [harmlessOnes, others] = [/action="\/admin\/(log-out|people|search)"/, /<fieldset disabled>$/];
    expect(forms.filter((form) => !harmlessOnes.test(form) && !others.test(form))).toEqual([]);
    expect(forms.filter((form) => others.test(form)).length).toBeGreaterThan(3);
  });

  test("searches, and finds what an operator finds", async () => {
    const { cookie, form } = await theReader();
    for (const path of ["search", "people"]) {
      const answer = await send(`${tool.url}/admin/${path}`, { form, q: "nobody-of-this-name" }, cookie);
      expect([answer.status, answer.text.includes("not change anything")], path).toEqual([200, true]);
    }
  });

  let known: { cookie: string; form: string } | undefined;
  const theReader = async () => (known ??= await logInByProvider(tool.url, provider, rita));
});
