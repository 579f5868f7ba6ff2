import type { CookieOptions } from "express";
import { describe, expect, test } from "vitest";
import { createSessionCookie, keepsCookies } from "../../src/web/session-address.ts";

const id = "abcdefghijklmnop";
const token = `${id}.${"s".repeat(43)}.en`;

type Header = Record<string, string>;
const request = (headers: Header) => ({ get: (name: string) => headers[name.toLowerCase()] });

function setBy(publicUrl: string, headers: Header): Map<string, CookieOptions> {
  const set = new Map<string, CookieOptions>();
  const response = {
    cookie: (name: string, _value: string, options: CookieOptions) => {
      set.set(name, options);
      return response;
    },
  };
  createSessionCookie(publicUrl).set(request(headers), response, token, 60_000);
  return set;
}

describe("the cookie of a session", () => {
  test("in a frame is set twice: partitioned, and for browsers that allow third-party cookies", () => {
    const set = setBy("https://tool.example", { "sec-fetch-dest": "iframe" });
    expect([...set]).toEqual([
      [`__Secure-v_${id}`, expect.objectContaining({ sameSite: "none", secure: true, path: `/c/${id}` })],
      [`__Secure-p_${id}`, expect.objectContaining({ sameSite: "none", partitioned: true, httpOnly: true })],
    ]);
  });

  test("at top level is not sent with another site's requests", () => {
    const set = setBy("https://tool.example", { "sec-fetch-dest": "document" });
    expect([...set]).toEqual([
      [`__Secure-v_${id}`, expect.objectContaining({ sameSite: "lax", maxAge: 60_000 })],
    ]);
  });

  test("for a browser that does not say where the page is shown is set in both ways", () => {
    expect([...setBy("https://tool.example", {}).keys()]).toEqual([`__Secure-v_${id}`, `__Secure-p_${id}`]);
  });

  test("over plain http is set in the form that browsers accept there", () => {
    const set = setBy("http://localhost:3000", { "sec-fetch-dest": "iframe" });
    expect([...set]).toEqual([[`v_${id}`, expect.objectContaining({ sameSite: "lax", secure: false })]]);
  });

  test("is found among all cookies, and never for another session", () => {
    const { tokensIn } = createSessionCookie("http://localhost:3000");
    const other = `ponmlkjihgfedcba.${"s".repeat(43)}`;
    const cookie = `x=1; p_${id}=${token}; v_${id}=${token}; v_${id}=${other}; v_${id}2=no`;
    expect(tokensIn(request({ cookie }), id)).toEqual([token]);
    expect(tokensIn(request({}), id)).toEqual([]);
  });

  test("counts at most three times, whatever a neighbouring host has planted", () => {
    const { tokensIn } = createSessionCookie("http://localhost:3000");
    const planted = Array.from({ length: 180 }, (_none, n) => `v_${id}=${id}.${n}`).join("; ");
    expect(tokensIn(request({ cookie: `p_${id}=${token}; ${planted}` }), id)).toEqual([
      token,
      `${id}.0`,
      `${id}.1`,
    ]);
  });
});

describe("the cookie that names the session last opened in this browser", () => {
  const pointed = (publicUrl: string, headers: Header) => {
    const set: [string, string, CookieOptions][] = [];
    const cookie = (name: string, value: string, options: CookieOptions) => set.push([name, value, options]);
    createSessionCookie(publicUrl).point(request(headers), { cookie }, token, 60_000, "/check-in");
    return set;
  };

  test.each([
    ["https://tool.example", "iframe", "__Secure-last", "none"],
    ["https://tool.example", "document", "__Secure-last", "lax"],
    ["http://localhost:3000", "iframe", "last", "lax"],
  ])("of %s in a %s goes to one address only, and contains no secret", (publicUrl, shown, name, sameSite) => {
    expect(pointed(publicUrl, { "sec-fetch-dest": shown })).toEqual([
      [name, id, expect.objectContaining({ path: "/check-in", httpOnly: true, sameSite })],
    ]);
  });

  test.each([
    [`last=${id}`, id],
    [`x=1; last=${id}; y=2`, id],
    [`notlast=${id}`, null],
    [`last=${id}more`, null],
    ["last=", null],
    ["", null],
  ])("is read from %j as %j", (cookie, found) => {
    expect(createSessionCookie("http://localhost:3000").pointsTo(request({ cookie }))).toBe(found);
  });
});

test.each([
  ["__Secure-lti_abc=x", true],
  [`a=b; __Secure-p_${id}=${token}`, true],
  [`v_${id}=${token}`, true],
  [`__Secure-last=${id}`, true],
  ["place_abc=ticket", true],
  ["balancer=1; alti_abc=x; blast=1", false],
  ["", false],
])("a browser that sends %j keeps our cookies: %s", (cookie, kept) =>
  expect(keepsCookies(request({ cookie }))).toBe(kept),
);
