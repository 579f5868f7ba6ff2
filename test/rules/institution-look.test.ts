import { describe, expect, test } from "vitest";
import {
  brandOf,
  type InstitutionLook,
  plainLook,
  readLook,
  sheetAt,
  type TypedLook,
} from "../../src/modules/courses/rules/institution-look.ts";
import { judgeLogo, maxLogoBytes } from "../../src/modules/courses/rules/logo-file.ts";
import { pngLogo, svgLogo } from "../support/builders/logo-files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const namespace = 'xmlns="http://www.w3.org/2000/svg"';

describe("a file", () => {
  test.each<[string, Uint8Array, ReturnType<typeof judgeLogo>]>([
    ["a small PNG", pngLogo(), "png"],
    ["a PNG of 1,024 pixels", pngLogo(1_024), "png"],
    ["a PNG of 1,025 pixels", pngLogo(1_025), { problem: "too-many-pixels" }],
    ["a PNG that is only begun", pngLogo().slice(0, 12), { problem: "wrong-type" }],
    ["an SVG", svgLogo(), "svg"],
    [
      "an SVG with a comment and a document type",
      bytes(
        `\ufeff<?xml version="1.0"?><!-- by hand --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg ${namespace}/>`,
      ),
      "svg",
    ],
    [
      "an SVG with styles, gradients and a picture in it",
      svgLogo(
        '<style>.a{fill:url(#g)}</style><linearGradient id="g"/><use href="#g"/><image href="data:image/png;base64,AA=="/><metadata/>',
      ),
      "svg",
    ],
    ["nothing", new Uint8Array(), { problem: "wrong-type" }],
    ["a JPEG", new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), { problem: "wrong-type" }],
    ["a page", bytes("<!doctype html><svg></svg>"), { problem: "wrong-type" }],
    ["an SVG of another namespace", bytes("<svg></svg>"), { problem: "wrong-type" }],
    ["what is too large", new Uint8Array(maxLogoBytes + 1), { problem: "too-big" }],
  ])("%s", (_what, file, judged) => {
    expect(judgeLogo(file)).toEqual(judged);
  });

  test.each([
    "<script>alert(1)</script>",
    "<SCRIPT/>",
    '<svg:script xmlns:svg="http://www.w3.org/2000/svg"/>',
    '<g onload="alert(1)"/>',
    '<rect fill="red"onclick="alert(1)"/>',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    '<a href="javascript:alert(1)"/>',
    '<a href="https://elsewhere.test/"/>',
    '<use xlink:href="https://elsewhere.test/a.svg#b"/>',
    '<use href="data:image/svg+xml,x"/>',
    '<image href = "https://elsewhere.test/a.png"/>',
    '<style>@import "https://elsewhere.test/a.css";</style>',
    '<rect fill="url(https://elsewhere.test/a.svg#b)"/>',
    "<style>a{background:url( 'https://elsewhere.test/a.png')}</style>",
    '<a><set attributeName="href" to="x"/></a>',
  ])("that is an SVG may not have %s", (inside) => {
    expect(judgeLogo(svgLogo(inside))).toEqual({ problem: "active" });
  });

  test.each(["<!ENTITY a 'b'>", '<?xml-stylesheet href="#a"?>'])(
    "that begins with %s is no logo",
    (start) => {
      const judged = judgeLogo(bytes(`<?xml version="1.0"?>${start}<svg ${namespace}/>`));
      expect(judged).toEqual({ problem: "wrong-type" });
    },
  );
});

const typed = (change: Partial<TypedLook> = {}): TypedLook => ({
  ...{ name: "", accent: "", accentDark: "", logo: null, logoDark: null },
  removes: { logo: false, logoDark: false },
  ...change,
});
const none = plainLook("reg_1");
const file = { kind: "svg", digest: "abcdefghijklmnop" } as const;
const withLogo: InstitutionLook = { ...none, name: "Northfield", logo: file };

describe("a form", () => {
  test.each<[string, TypedLook, InstitutionLook, ReturnType<typeof readLook>["problems"]]>([
    ["may be empty", typed(), none, null],
    ["may have a name alone", typed({ name: "Northfield" }), none, null],
    ["may have a colour alone", typed({ accent: "#8A1538" }), none, null],
    ["keeps a logo that is there", typed({ name: "Northfield" }), withLogo, null],
    ["has colours", typed({ accent: "red" }), none, { accent: { why: "not-a-colour" } }],
    [
      "has an accent that can be read",
      typed({ accent: "#fc0" }),
      none,
      { accent: { why: "contrast", nearest: "#886d00" } },
    ],
    [
      "has an accent that can be read in the dark",
      typed({ accent: "#8a1538", accentDark: "#000" }),
      none,
      { accentDark: { why: "contrast", nearest: "#8c8c8c" } },
    ],
    [
      "begins with light pages",
      typed({ accentDark: "#8fbaff" }),
      none,
      { accentDark: { why: "light-first" } },
    ],
    [
      "begins with the logo of light pages",
      typed({ name: "Northfield", logoDark: svgLogo() }),
      none,
      { logoDark: { why: "light-first" } },
    ],
    ["names a logo", typed({ logo: svgLogo() }), none, { name: { why: "name-needed" } }],
    ["names a logo that is there", typed(), withLogo, { name: { why: "name-needed" } }],
    ["has a short name", typed({ name: "x".repeat(101) }), none, { name: { why: "name-too-long" } }],
    [
      "says all that is wrong",
      typed({ name: "Northfield", accent: "?", logo: new Uint8Array([1]) }),
      none,
      { accent: { why: "not-a-colour" }, logo: { why: "wrong-type" } },
    ],
  ])("%s", (_what, form, seen, problems) => {
    expect(readLook(form, seen).problems).toEqual(problems);
  });

  test("changes what it says, and keeps or removes a logo", () => {
    const name = "Northfield";
    const words = { name, accent: "#8a1538", accentDark: null };
    const kept = readLook(typed({ name: ` ${name} `, accent: "8A1538" }), withLogo);
    expect(kept.read).toEqual({ ...words, logo: "keep", logoDark: "keep" });
    const removed = readLook(
      typed({ name, accent: "8A1538", removes: { logo: true, logoDark: true } }),
      withLogo,
    );
    expect(removed.read).toEqual({ ...words, logo: null, logoDark: null });
    const png = pngLogo();
    const replaced = readLook(typed({ name, logo: png, removes: { logo: true, logoDark: false } }), withLogo);
    expect(replaced.read?.logo).toEqual({ kind: "png", bytes: png });
  });
});

describe("what pages show", () => {
  test("is nothing where nothing is set, and else has addresses that change with what is there", () => {
    expect(brandOf(none)).toBeNull();
    expect(brandOf({ ...none, name: "Northfield" })).toEqual({ name: "Northfield", sheet: null, logo: null });
    expect(brandOf({ ...withLogo, accent: "#8a1538", accentDark: "#ffb3c6" })).toEqual({
      name: "Northfield",
      sheet: "/brand/8a1538-ffb3c6.css",
      logo: { light: "/brand/abcdefghijklmnop.svg", dark: null },
    });
  });

  test("is a style sheet of four colours, if they can be read", () => {
    expect(sheetAt("#8a1538", "#ffb3c6")).toBe(
      ":root{--brand:#8a1538;--brand-on:#ffffff;--brand-dark:#ffb3c6;--brand-dark-on:#0b1a2f}\n",
    );
    expect(sheetAt("#ffcc00", "#ffb3c6")).toBeNull();
    expect(sheetAt("#8a1538", "#8a1538")).toBeNull();
  });
});
