import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  brandOf,
  carriesWhiteWords,
  colourFrom,
  type Branding,
  judgeLogo,
  maxLogoBytes,
  ownAccent,
  noBranding,
  readBranding,
  sheetAt,
  type TypedBranding,
} from "../../src/modules/courses/rules/branding.ts";
import { pngLogo, tinyLogos } from "../support/builders/logo-files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
/** The file with other bytes from that position. */
const withBytes = (file: Uint8Array, at: number, ...changed: number[]) => {
  const copy = Uint8Array.from(file);
  copy.set(changed, at);
  return copy;
};
const { jpeg, lossyWebp, losslessWebp, extendedWebp } = tinyLogos;
/** Where a JPEG's frame has its height. */
const frameAt = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xc0])) + 5;

describe("a logo file", () => {
  test.each<[string, Uint8Array, ReturnType<typeof judgeLogo>]>([
    ["a small PNG", pngLogo(), "png"],
    ["a PNG of 1,024 pixels", pngLogo(1_024), "png"],
    ["a PNG of 1,025 pixels", pngLogo(1_025), { problem: "too-many-pixels" }],
    ["a PNG of no pixels", withBytes(pngLogo(), 16, 0, 0, 0, 0), { problem: "wrong-type" }],
    ["a truncated PNG", pngLogo().slice(0, 12), { problem: "wrong-type" }],
    ["a JPEG", jpeg, "jpg"],
    ["a JPEG of 65,535 pixels", withBytes(jpeg, frameAt, 0xff, 0xff), { problem: "too-many-pixels" }],
    ["a progressive JPEG", withBytes(jpeg, frameAt - 4, 0xc2), "jpg"],
    ["a JPEG without a frame", withBytes(jpeg, frameAt - 4, 0xc4), { problem: "wrong-type" }],
    ["a truncated JPEG", jpeg.slice(0, 22), { problem: "wrong-type" }],
    [
      "a JPEG of empty segments only",
      Uint8Array.from({ length: maxLogoBytes }, (_byte, at) => [0xff, at === 1 ? 0xd8 : 0xe0][at % 2] ?? 0),
      { problem: "wrong-type" },
    ],
    ["a WebP", lossyWebp, "webp"],
    ["a lossless WebP", losslessWebp, "webp"],
    ["a transparent WebP", extendedWebp, "webp"],
    ["a WebP of 16,383 pixels", withBytes(lossyWebp, 26, 0xff, 0x3f), { problem: "too-many-pixels" }],
    [
      "a lossless WebP of 16,384 pixels",
      withBytes(losslessWebp, 21, 0xff, 0xff),
      { problem: "too-many-pixels" },
    ],
    [
      "an extended WebP of 65,536 pixels",
      withBytes(extendedWebp, 27, 0xff, 0xff),
      { problem: "too-many-pixels" },
    ],
    ["a truncated WebP", lossyWebp.slice(0, 20), { problem: "wrong-type" }],
    ["an SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), { problem: "wrong-type" }],
    ["nothing", new Uint8Array(), { problem: "wrong-type" }],
    ["a GIF", bytes("GIF89a\u0003\0\u0002\0"), { problem: "wrong-type" }],
    ["an HTML page", bytes("<!doctype html><p>Hello"), { problem: "wrong-type" }],
    ["a file that is too large", new Uint8Array(maxLogoBytes + 1), { problem: "too-big" }],
  ])("%s", (_what, file, judged) => expect(judgeLogo(file)).toEqual(judged));
});

describe("an accent", () => {
  test.each([
    ["#1d5fbf", "#1d5fbf"],
    [" 1D5FBF ", "#1d5fbf"],
    ["#abc", "#aabbcc"],
    ["blue", null],
    ["#12345", null],
    ["#1d5fbf;}", null],
    ["", null],
  ])("typed as %j is %s", (typed, colour) => expect(colourFrom(typed)).toBe(colour));

  test.each([
    ["#000000", true],
    [ownAccent, true],
    ["#8a1538", true],
    ["#767676", true], // 4.54:1
    ["#777777", false], // 4.48:1
    ["#ff0000", false],
    ["#ffcc00", false],
    ["#ffffff", false],
  ])("of %s is readable under white text: %s", (colour, can) => expect(carriesWhiteWords(colour)).toBe(can));

  test("that pages use by default is the style sheet's", () => {
    const sheet = readFileSync(new URL("../../views/assets/style.css", import.meta.url), "utf8");
    expect(/--accent: (#[\da-f]{6});/.exec(sheet)?.[1]).toBe(ownAccent);
  });
});

const typed = (change: Partial<TypedBranding> = {}): TypedBranding => ({
  name: "",
  accent: "",
  logo: null,
  logoDark: null,
  removes: { logo: false, logoDark: false },
  ...change,
});
const none = noBranding("reg_1");
const file = { kind: "webp", digest: "abcdefghijklmnop" } as const;
const withLogo: Branding = { ...none, name: "Northfield", logo: file };

describe("a form", () => {
  test.each<[string, TypedBranding, Branding, ReturnType<typeof readBranding>["problems"]]>([
    ["may be empty", typed(), none, null],
    ["may have only a name", typed({ name: "Northfield" }), none, null],
    ["may have only a colour", typed({ accent: "#8A1538" }), none, null],
    ["may keep the current logo", typed({ name: "Northfield" }), withLogo, null],
    ["needs a valid colour", typed({ accent: "red" }), none, { accent: "not-a-colour" }],
    [
      "needs an accent that is readable under white text",
      typed({ accent: "#fc0" }),
      none,
      { accent: "contrast" },
    ],
    [
      "needs a logo for light pages before one for dark pages",
      typed({ name: "Northfield", logoDark: pngLogo() }),
      none,
      { logoDark: "light-first" },
    ],
    ["needs a name with a new logo", typed({ logo: pngLogo() }), none, { name: "name-needed" }],
    ["needs a name with the current logo", typed(), withLogo, { name: "name-needed" }],
    ["needs a short name", typed({ name: "x".repeat(101) }), none, { name: "name-too-long" }],
    [
      "lists all its problems",
      typed({ name: "Northfield", accent: "?", logo: new Uint8Array([1]) }),
      none,
      { accent: "not-a-colour", logo: "wrong-type" },
    ],
  ])("%s", (_what, form, seen, problems) => expect(readBranding(form, seen).problems).toEqual(problems));

  test("changes what is filled in, and keeps or removes a logo", () => {
    const name = "Northfield";
    const words = { name, accent: "#8a1538" };
    const kept = readBranding(typed({ name: ` ${name} `, accent: "8A1538" }), withLogo);
    expect(kept.read).toEqual({ ...words, logo: "keep", logoDark: "keep" });
    const removed = readBranding(
      typed({ name, accent: "8A1538", removes: { logo: true, logoDark: true } }),
      withLogo,
    );
    expect(removed.read).toEqual({ ...words, logo: null, logoDark: null });
    const png = pngLogo();
    const replaced = readBranding(
      typed({ name, logo: png, removes: { logo: true, logoDark: false } }),
      withLogo,
    );
    expect(replaced.read?.logo).toEqual({ kind: "png", bytes: png });
  });
});

describe("what pages show", () => {
  test("is nothing by default, else files whose addresses change with their content", () => {
    expect(brandOf(none)).toBeNull();
    expect(brandOf({ ...none, name: "Northfield" })).toEqual({ name: "Northfield", sheet: null, logo: null });
    expect(brandOf({ ...withLogo, accent: "#8a1538" })).toEqual({
      name: "Northfield",
      sheet: "/brand/8a1538.css",
      logo: { light: "/brand/abcdefghijklmnop.webp", dark: null },
    });
  });

  test("is a style sheet of one colour, if text on it is readable", () => {
    expect(sheetAt("#8a1538")).toBe(":root{--brand:#8a1538;--brand-on:#ffffff}\n");
    expect(sheetAt("#ffcc00")).toBeNull();
  });
});
