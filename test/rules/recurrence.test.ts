import { describe, expect, test } from "vitest";
import {
  endOf,
  isDayOff,
  isTime,
  maxOccurrences,
  occurrencesOf,
  placed,
  type Recurrence,
} from "../../src/modules/scheduling/rules/recurrence.ts";
import { isDate } from "../../src/kernel/text.ts";
import { titleOf } from "../../src/modules/scheduling/rules/course-session.ts";
import { timeZoneOf, timeZones, wallTimeOf } from "../../src/modules/scheduling/rules/time-zone.ts";

const weekly = (count: number): Recurrence => ({
  every: "week",
  interval: 1,
  days: ["MO", "TH"],
  end: { kind: "count", count },
});
const utc = (at: number) => new Date(at).toISOString().slice(0, 16);

test.each([
  // Clocks go back on 25 October 2026 and forward on 28 March 2027.
  ["Europe/Berlin", "2026-10-22", ["2026-10-22T08:00", "2026-10-26T09:00", "2026-10-29T09:00"]],
  ["Europe/Berlin", "2027-03-25", ["2027-03-25T09:00", "2027-03-29T08:00", "2027-04-01T08:00"]],
  // 1 November 2026 and 14 March 2027.
  ["America/New_York", "2026-10-29", ["2026-10-29T14:00", "2026-11-02T15:00", "2026-11-05T15:00"]],
  ["America/New_York", "2027-03-11", ["2027-03-11T15:00", "2027-03-15T14:00", "2027-03-18T14:00"]],
  // The southern hemisphere: forward on 4 October 2026, back on 4 April 2027.
  ["Australia/Sydney", "2026-10-01", ["2026-10-01T00:00", "2026-10-04T23:00", "2026-10-07T23:00"]],
  ["Australia/Sydney", "2027-04-01", ["2027-03-31T23:00", "2027-04-05T00:00", "2027-04-08T00:00"]],
  // No change of clocks, and in Kolkata an offset of half an hour.
  ["Asia/Kolkata", "2026-10-22", ["2026-10-22T04:30", "2026-10-26T04:30", "2026-10-29T04:30"]],
  ["America/Sao_Paulo", "2026-10-15", ["2026-10-15T13:00", "2026-10-19T13:00", "2026-10-22T13:00"]],
  // Brazil still changed its clocks then, at midnight of 4 November.
  ["America/Sao_Paulo", "2018-11-01", ["2018-11-01T13:00", "2018-11-05T12:00", "2018-11-08T12:00"]],
])("a class at 10:00 stays at 10:00 in %s from %s on", (timeZone, date, starts) => {
  const { list } = occurrencesOf({ date, time: "10:00", minutes: 45, timeZone }, weekly(3));
  expect(list.map(({ startsAt }) => utc(startsAt))).toEqual(starts);
  expect(list.map(({ startsAt }) => wallTimeOf(startsAt, timeZone))).toEqual(
    list.map(({ date: day }) => ({ date: day, time: "10:00" })),
  );
  expect(list.every((each) => each.endsAt - each.startsAt === 45 * 60_000)).toBe(true);
  expect(list.map(({ oddity }) => oddity)).toEqual([null, null, null]);
});

describe("a time on the day when the clocks change", () => {
  test.each([
    ["Europe/Berlin", "2027-03-28", "02:30", "2027-03-28T01:30", "03:30", "skipped"],
    ["America/New_York", "2027-03-14", "02:00", "2027-03-14T07:00", "03:00", "skipped"],
    ["Australia/Sydney", "2026-10-04", "02:15", "2026-10-03T16:15", "03:15", "skipped"],
    // Midnight itself was skipped, so the day began at one.
    ["America/Sao_Paulo", "2018-11-04", "00:00", "2018-11-04T03:00", "01:00", "skipped"],
    ["Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30", "02:30", "repeated"],
    ["America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30", "01:30", "repeated"],
    ["Australia/Sydney", "2027-04-04", "02:30", "2027-04-03T15:30", "02:30", "repeated"],
    ["Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00", "03:00", null],
    ["Asia/Kolkata", "2026-10-25", "02:30", "2026-10-24T21:00", "02:30", null],
  ])("in %s on %s at %s begins at %s UTC", (timeZone, date, time, start, wall, oddity) => {
    const found = placed(date, time, 60, timeZone);
    expect(utc(found.startsAt)).toBe(start);
    expect(wallTimeOf(found.startsAt, timeZone).time).toBe(wall);
    expect(found.oddity).toBe(oddity);
  });

  test("keeps its date in a series, and later dates return to their time", () => {
    const { list } = occurrencesOf(
      { date: "2027-03-27", time: "02:30", minutes: 30, timeZone: "Europe/Berlin" },
      { every: "day", interval: 1, end: { kind: "until", date: "2027-03-30" } },
    );
    expect(
      list.map(({ date, startsAt }) => [date, wallTimeOf(startsAt, "Europe/Berlin").time].join(" ")),
    ).toEqual(["2027-03-27 02:30", "2027-03-28 03:30", "2027-03-29 02:30", "2027-03-30 02:30"]);
  });
});

describe("a rule", () => {
  const from = (date: string) => ({ date, time: "10:00", minutes: 60, timeZone: "Europe/Berlin" });
  const dates = (date: string, recurrence: Recurrence) =>
    occurrencesOf(from(date), recurrence).list.map((each) => each.date);

  test("without repetition gives one date", () => {
    expect(dates("2026-10-19", { every: "once" })).toEqual(["2026-10-19"]);
  });
  test("for every second week begins with the first of its days on or after the first date", () => {
    const rule = {
      every: "week",
      interval: 2,
      days: ["MO", "FR"],
      end: { kind: "count", count: 5 },
    } as const;
    // A Tuesday: the Monday of its week is over, and the next week is left out.
    expect(dates("2026-10-20", rule)).toEqual([
      "2026-10-23",
      "2026-11-02",
      "2026-11-06",
      "2026-11-16",
      "2026-11-20",
    ]);
  });
  test("includes its last date if that fits", () => {
    const rule = { every: "day", interval: 3, end: { kind: "until", date: "2026-10-25" } } as const;
    expect(dates("2026-10-19", rule)).toEqual(["2026-10-19", "2026-10-22", "2026-10-25"]);
  });
  test("that ends before it begins gives no dates", () => {
    const rule = { every: "day", interval: 1, end: { kind: "until", date: "2026-10-18" } } as const;
    expect(occurrencesOf(from("2026-10-19"), rule)).toEqual({ list: [], cut: null });
  });
  test("is cut at the maximum number, and says so", () => {
    const rule = { every: "day", interval: 1, end: { kind: "until", date: "2030-01-01" } } as const;
    const { list, cut } = occurrencesOf(from("2026-10-19"), rule);
    expect(list).toHaveLength(maxOccurrences);
    expect(cut).toBe("number");
  });
  test("is cut after two years, and says so", () => {
    const rule = { every: "week", interval: 4, days: ["MO"], end: { kind: "count", count: 100 } } as const;
    const { list, cut } = occurrencesOf(from("2026-10-19"), rule);
    expect(list.at(-1)?.date).toBe("2028-10-16");
    expect(cut).toBe("years");
  });
  test("with exactly the maximum number is not cut", () => {
    const rule = { every: "day", interval: 1, end: { kind: "count", count: maxOccurrences } } as const;
    const { list, cut } = occurrencesOf(from("2026-10-19"), rule);
    expect(list).toHaveLength(maxOccurrences);
    expect(cut).toBeNull();
  });
});

describe("a typed value", () => {
  test.each([
    ["2026-02-28", true],
    ["2024-02-29", true],
    ["2026-02-29", false],
    ["2026-13-01", false],
    ["26-01-01", false],
    ["2026-1-1", false],
  ])("as a date, %s: %s", (text, holds) => expect(isDate(text)).toBe(holds));
  test.each([
    ["00:00", true],
    ["23:59", true],
    ["24:00", false],
    ["9:00", false],
    ["10:60", false],
  ])("as a time, %s: %s", (text, holds) => expect(isTime(text)).toBe(holds));
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    [" europe/berlin ", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["99", null],
    ["+02:00", null],
    ["Mars/Olympus", null],
    ["", null],
    ["x".repeat(80), null],
  ])("as a zone, %s: %s", (text, zone) => expect(timeZoneOf(text)).toBe(zone));
  test("as a zone is accepted for every zone that can be chosen", () => {
    expect(timeZones().filter((name) => timeZoneOf(name) === null)).toEqual([]);
    expect(timeZones()).toContain("Europe/Berlin");
  });
  test("as a name fills its placeholders and nothing else", () => {
    const values = { number: "3", of: "12", date: "2026-10-19", course: "Bio {number}" };
    expect(titleOf("{course}: lesson {number}/{of} on {date} {what} {}", values)).toBe(
      "Bio {number}: lesson 3/12 on 2026-10-19 {what} {}",
    );
    expect(titleOf(" a \n b ", values)).toBe("a b");
    expect(titleOf("{course}".repeat(60), values)).toHaveLength(200);
  });
});

test.each([
  ["2026-12-23", false],
  ["2026-12-24", true],
  ["2027-01-06", true],
  ["2027-01-07", false],
  ["2027-05-01", true],
])("%s is a day off: %s", (date, isOff) => {
  expect(isDayOff(["2027-05-01", "2026-12-24/2027-01-06"], date)).toBe(isOff);
});

test.each([
  ["10:00", 90, "11:30"],
  ["23:30", 60, "00:30"],
  ["00:00", 1_440, "00:00"],
  ["10:00", Number.NaN, ""],
])("%s plus %i minutes is %s", (time, minutes, end) => {
  expect(endOf(time, minutes)).toBe(end);
});
