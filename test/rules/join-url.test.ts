import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinUrl, languageOfLocale } from "../../src/domain/join-settings.ts";
import { defaultJoinSettings, type JoinSettings } from "../../src/settings/options.ts";
import { anyJoinSettings } from "../support/tool/forms.ts";

const plain: JoinSettings = {
  ...defaultJoinSettings,
  call: "nobody",
  standalone: false,
  language: "classroom",
};

/** The query of the Space URL for these settings. */
function queryFor(
  settings: Partial<JoinSettings>,
  who: { role?: "host" | "participant"; locale?: string | null; mobile?: boolean } = {},
): string {
  const url = joinUrl({
    appUrl: "https://app.example",
    spaceId: "s1",
    settings: { ...plain, ...settings },
    role: who.role ?? "host",
    locale: who.locale ?? null,
    mobile: who.mobile ?? false,
  });
  return url.replace("https://app.example/spaces/s1", "");
}

describe("the address of a Space", () => {
  test("has no question mark when no setting is on", () => expect(queryFor({})).toBe(""));

  test("carries every parameter in the document's order", () => {
    const everything: JoinSettings = {
      ...plain,
      mode: "embedded",
      call: "anyone",
      skipDeviceSetup: true,
      galleryView: true,
      standalone: true,
      language: "fr",
      startLocalRecording: true,
    };
    expect(queryFor(everything)).toBe(
      "?startCall=true&skipCallHostCheck=true&skipDeviceSetup=true&gv=true&standalone=true&language=fr" +
        "&startLocalRecording=true&broadcastEvents=true",
    );
  });

  test.each<[string, Partial<JoinSettings>, "host" | "participant", string]>([
    ["a host starts the call", { call: "host" }, "host", "?startCall=true"],
    ["a participant's startCall is left out: it would be ignored", { call: "host" }, "participant", ""],
    [
      "a participant starts the call if everyone may",
      { call: "anyone" },
      "participant",
      "?startCall=true&skipCallHostCheck=true",
    ],
    ["nobody starts the call by joining", { call: "nobody" }, "host", ""],
  ])("%s", (_title, settings, role, query) => expect(queryFor(settings, { role })).toBe(query));

  test("leaves out local recording on a phone and keeps it on a desktop", () => {
    expect(queryFor({ startLocalRecording: true }, { mobile: true })).toBe("");
    expect(queryFor({ startLocalRecording: true }, { mobile: false })).toBe("?startLocalRecording=true");
  });

  test("asks for embed events only when the Space is embedded", () => {
    expect(queryFor({ mode: "tab" })).toBe("");
    expect(queryFor({ mode: "embedded" })).toBe("?broadcastEvents=true");
  });

  test.each<[string, string | null, string]>([
    ["lms", "de", "?language=de"],
    ["lms", "pt-BR", "?language=pt"],
    ["lms", null, ""],
    ["lms", "fil", ""],
    ["es", "de", "?language=es"],
    ["classroom", "de", ""],
  ])("language setting %s with LMS locale %s gives %s", (language, locale, query) => {
    expect(queryFor({ language }, { locale })).toBe(query);
  });

  test.each([
    ["https://app.example", "https://app.example/spaces/s1"],
    ["https://app.example/", "https://app.example/spaces/s1"],
    ["https://app.example/learn/", "https://app.example/learn/spaces/s1"],
  ])("%s leads to %s", (appUrl, expected) => {
    expect(
      joinUrl({ appUrl, spaceId: "s1", settings: plain, role: "host", locale: null, mobile: false }),
    ).toBe(expected);
  });

  test("does not let an id break out of its part of the path", () => {
    const entry = {
      appUrl: "https://app.example",
      settings: plain,
      role: "host",
      locale: null,
      mobile: false,
    } as const;
    expect(joinUrl({ ...entry, spaceId: "a/b?c#d" })).toBe("https://app.example/spaces/a%2Fb%3Fc%23d");
    expect(() => joinUrl({ ...entry, spaceId: ".." })).toThrow(/can’t be used/);
    expect(() => joinUrl({ ...entry, spaceId: "" })).toThrow(/can’t be used/);
    expect(() => joinUrl({ ...entry, spaceId: "half\uD83D" })).toThrow(/can’t be used/);
  });

  test("by default lets the first host start the call, in a new tab, in the LMS's language", () => {
    expect(queryFor(defaultJoinSettings, { locale: "nl" })).toBe(
      "?startCall=true&standalone=true&language=nl",
    );
  });
});

describe("what the classroom reads from the address", () => {
  const id = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !/^\.*$/.test(text) && text.isWellFormed());
  const settings = anyJoinSettings("lms", "classroom", "de", "tl", "zh", "&gv=true", "d e");
  const appUrl = fc.constantFrom(
    "https://app.example",
    "https://app.example/",
    "https://app.example:8443/learn//",
    "https://app.example/a%20b/c+d",
    "https://xn--bcher-kva.example/b",
  );
  const locale = fc.option(fc.oneof(fc.constantFrom("de", "pt_BR", "fil", "en&gv=true"), fc.string()));

  test("is the Space and exactly the parameters of these settings and this role, decoded once", () => {
    fc.assert(
      fc.property(
        fc.record({ appUrl, spaceId: id, settings, locale, mobile: fc.boolean() }),
        fc.constantFrom("host" as const, "participant" as const),
        (entry, role) => {
          // As a query value, encoded once by the client and decoded once by the service.
          const carried = new URLSearchParams({ redirectUrl: joinUrl({ ...entry, role }) }).toString();
          const url = new URL(new URLSearchParams(carried).get("redirectUrl") ?? "");
          const { settings: wanted, mobile } = entry;
          const folder = `${new URL(entry.appUrl).pathname.replace(/\/+$/, "")}/spaces/`;
          expect(url.origin).toBe(new URL(entry.appUrl).origin);
          expect(url.pathname.startsWith(folder)).toBe(true);
          expect(decodeURIComponent(url.pathname.slice(folder.length))).toBe(entry.spaceId);
          const { language, ...flags } = Object.fromEntries(url.searchParams);
          const starts = wanted.call === "anyone" || (wanted.call === "host" && role === "host");
          const intended = {
            startCall: starts,
            skipCallHostCheck: wanted.call === "anyone",
            skipDeviceSetup: wanted.skipDeviceSetup,
            gv: wanted.galleryView,
            standalone: wanted.standalone,
            startLocalRecording: wanted.startLocalRecording && !mobile,
            broadcastEvents: wanted.mode === "embedded",
          };
          const on = Object.entries(intended).filter(([, value]) => value);
          expect(flags).toEqual(Object.fromEntries(on.map(([name]) => [name, "true"])));
          expect([...url.searchParams.keys()].length).toBe(on.length + (language === undefined ? 0 : 1));
          expect(language ?? "de").toMatch(/^[a-z]{2}$/);
          if (wanted.language === "classroom") expect(language).toBeUndefined();
          if (wanted.language === "tl") expect(language).toBe("tl");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the language of a locale", () => {
  test.each([
    ["en", "en"],
    ["EN-us", "en"],
    ["zh_cn", "zh"],
    ["zh-Hant-TW", "zh"],
    ["de_DE.UTF-8", "de"],
    ["de@euro", "de"],
    ["deu", "de"],
    ["fil", null],
    ["C", null],
    ["", null],
    ["english", null],
    ["xx", null],
    ["iw", "he"],
    ["tl_PH", "tl"],
    ["sh", "sr"],
    ["prs", "fa"],
    ["da-x-k12", "da"],
    ["en-AU-x-unimelb", "en"],
    ["zh_tw", "zh"],
    ["nb", "nb"],
    ["<script>", null],
  ])("%s is %s", (locale, language) => expect(languageOfLocale(locale)).toBe(language));
});
