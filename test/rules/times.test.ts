import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  cityOf,
  cityWithOffset,
  renamedZones,
  timeZoneOf,
  timeZones,
  zoneOfCity,
} from "../../src/modules/scheduling/rules/time-zone.ts";
import { courseTimes } from "../../src/web/course-times.ts";

const writes = z.custom<(...at: unknown[]) => string>((value) => typeof value === "function");
const inBrowser = z
  .object({
    timesIn: z.custom<(language: string, zone: string) => unknown>((value) => typeof value === "function"),
    cityOf: z.custom<(zone: string) => string>((value) => typeof value === "function"),
  })
  .parse(await import(new URL("../../views/assets/times.js", import.meta.url).href));
const inBrowserTimes = (language: string, zone: string) =>
  z
    .object({ text: writes, span: writes, clock: writes, date: writes })
    .parse(inBrowser.timesIn(language, zone));

const startsAt = Date.parse("2026-11-24T09:00:00Z");
const endsAt = Date.parse("2026-11-24T10:30:00Z");
const nextDay = Date.parse("2026-11-25T10:30:00Z");
const summer = Date.parse("2026-07-01T10:00:00Z");

describe("dates and times on pages", () => {
  test.each(["en-GB", "en-US", "en-AU"])("have one form in English: %s", (locale) => {
    const times = courseTimes({ timeZone: "Europe/Paris" }, locale);
    expect(times.text(startsAt)).toBe("Tue 24 Nov 2026, 10:00");
    expect(times.span(startsAt, endsAt)).toBe("Tue 24 Nov 2026, 10:00–11:30");
    expect(times.span(startsAt, nextDay)).toBe("Tue 24 Nov 2026, 10:00 – Wed 25 Nov 2026, 11:30");
    expect(times.span(startsAt, null)).toBe("Tue 24 Nov 2026, 10:00");
    expect(times.date(startsAt)).toBe("Tue 24 Nov 2026");
    expect(times.day(startsAt)).toBe("24 Nov");
    expect(times.clock(startsAt)).toBe("10:00");
  });

  test.each(["en", "de", "fr", "es", "pt", "ar"])(
    "are the same from the server and from a script: %s",
    (language) => {
      const locale = language === "ar" ? "ar-u-nu-latn" : language === "en" ? "en-GB" : language;
      const server = courseTimes({ timeZone: "America/New_York" }, locale);
      const script = inBrowserTimes(language, "America/New_York");
      expect(script.text(startsAt)).toBe(server.text(startsAt));
      expect(script.clock(startsAt)).toBe(server.clock(startsAt));
      expect(script.date(startsAt)).toBe(server.date(startsAt));
      expect(script.span(startsAt, endsAt)).toBe(server.span(startsAt, endsAt));
      expect(script.span(startsAt, nextDay)).toBe(server.span(startsAt, nextDay));
    },
  );

  test("are kept for the next page, however many locales an LMS has made up before", () => {
    for (let made = 0; made < 400; made += 1) courseTimes({ timeZone: null }, `fr-${100 + made}`);
    expect(courseTimes({ timeZone: null }, "pt-AO")).toBe(courseTimes({ timeZone: null }, "pt-AO"));
  });

  test("name a zone by its city and its abbreviation at that time", () => {
    const place = (timeZone: string, locale: string, at: number) =>
      courseTimes({ timeZone }, locale).place(at);
    expect(place("Europe/Paris", "en-GB", startsAt)).toBe("Paris (CET)");
    expect(place("Europe/Paris", "en-US", summer)).toBe("Paris (CEST)");
    expect(place("Europe/Paris", "de", startsAt)).toBe("Paris (MEZ)");
    expect(place("America/New_York", "en-GB", startsAt)).toBe("New York (EST)");
    expect(place("America/Argentina/Buenos_Aires", "en-GB", startsAt)).toBe("Buenos Aires (UTC−3)");
    expect(place("Asia/Kathmandu", "ar-u-nu-latn", startsAt)).toMatch(/^Kath?mandu \(UTC\+5:45\)$/);
    expect(place("UTC", "en-GB", startsAt)).toBe("UTC");
    expect(courseTimes({ timeZone: null }, "en-GB").place(startsAt)).toBe("UTC");
  });

  test("find a zone by its city, as a field shows it", () => {
    expect(cityWithOffset("America/New_York", startsAt)).toBe("New York (UTC−5)");
    for (const zone of timeZones()) expect(zoneOfCity(cityWithOffset(zone, startsAt))).toBe(zone);
    expect(zoneOfCity("new york")).toBe("America/New_York");
    expect(zoneOfCity("São Paulo")).toBe("America/Sao_Paulo");
    expect(zoneOfCity("America/New_York")).toBe("America/New_York");
    for (const [former, zone] of renamedZones) expect(zoneOfCity(cityOf(former))).toBe(zone);
    expect(timeZoneOf("Asia/Calcutta")).toBe("Asia/Kolkata");
    for (const text of ["Kolkata", "Calcutta", "Mumbai", "GMT+5:30", "UTC +05:30", "+05:30", "+0530"])
      expect(zoneOfCity(text)).toBe("Asia/Kolkata");
    for (const [city, zone] of [
      ["Kyiv", "Europe/Kyiv"],
      ["Kathmandu", "Asia/Kathmandu"],
      ["Yangon", "Asia/Yangon"],
      ["Ho Chi Minh", "Asia/Ho_Chi_Minh"],
      ["Nuuk", "America/Nuuk"],
      ["Beijing", "Asia/Shanghai"],
    ] as const)
      expect(zoneOfCity(city)).toBe(zone);
    expect(zoneOfCity("GMT+1"), "one hour more in summer for some").toBeNull();
    expect(zoneOfCity("Atlantis")).toBeNull();
    expect(zoneOfCity("")).toBeNull();
  });

  test("a browser that uses a zone's former name shows the present city, as the server does", () => {
    expect(inBrowser.cityOf("Asia/Calcutta")).toBe("Kolkata");
    for (const [former, zone] of renamedZones) expect(inBrowser.cityOf(former)).toBe(cityOf(zone));
    for (const zone of timeZones()) expect(inBrowser.cityOf(zone)).toBe(cityOf(zone));
  });

  test("are formatted in one file of the server and one of the browser", async () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    // The second reads clocks and writes no text for people.
    const mayFormat = [
      "src/web/course-times.ts",
      "src/modules/scheduling/rules/time-zone.ts",
      "views/assets/times.js",
    ];
    const formats = /\bDateTimeFormat\(|\.toLocale(?:Date|Time)String\(|Date\([^)]*\)\.toLocaleString\(/;
    const found: string[] = [];
    for (const folder of ["src", "sandbox", "views"])
      for (const name of await readdir(`${root}/${folder}`, { recursive: true }))
        if (
          /\.(?:ts|m?js|ejs)$/.test(name) &&
          formats.test(await readFile(`${root}/${folder}/${name}`, "utf8"))
        )
          found.push(`${folder}/${name}`);
    expect(found.sort()).toEqual(mayFormat.sort());
  });
});
