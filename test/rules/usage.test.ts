import { describe, expect, test } from "vitest";
import { barsOf } from "../../src/modules/console/pages/usage-pages.ts";
import {
  addUp,
  byDay,
  byWeek,
  dayOf,
  daysOfWeek,
  sessionStarts,
  isUsed,
  noUsage,
  periodOf,
  periods,
  type UsageNumbers,
  weekOf,
  weekOfDays,
  weeksBetween,
  weeksToCount,
} from "../../src/modules/usage/rules/usage.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** A Monday. */
const monday = Date.UTC(2026, 10, 23);
const at = (text: string) => Date.parse(text);

describe("Days and weeks in UTC", () => {
  test("begin at midnight and on Monday, even when Europe and America change their clocks", () => {
    expect(dayOf(at("2026-11-24T23:59:59.999Z"))).toBe(at("2026-11-24"));
    expect(dayOf(at("2026-11-24"))).toBe(at("2026-11-24"));
    for (const change of ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01"]) {
      expect(weekOf(at(`${change}T23:59:59Z`))).toBe(weekOf(at(`${change}T00:00:00Z`)));
      expect(new Date(weekOf(at(change))).getUTCDay()).toBe(1);
    }
    expect(weekOf(monday)).toBe(monday);
    expect(weekOf(monday - 1)).toBe(monday - 7 * day);
    expect(daysOfWeek(monday)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => monday + n * day));
  });

  test("a stay over midnight counts on both days, one that ends at midnight only on its own", () => {
    const from = monday + 23 * hour;
    expect(byDay({ from, to: from + 3 * hour })).toEqual([
      { day: monday, ms: hour },
      { day: monday + day, ms: 2 * hour },
    ]);
    expect(byDay({ from, to: from + hour })).toEqual([{ day: monday, ms: hour }]);
    expect(byDay({ from, to: from }), "only the coming was told").toEqual([{ day: monday, ms: 0 }]);
    expect(byDay({ from: monday, to: monday })).toEqual([{ day: monday, ms: 0 }]);
    expect(byDay({ from: monday, to: monday + 2.5 * day }).map(({ ms }) => ms)).toEqual([day, day, day / 2]);
  });

  test("weeks of a period include the first and the last", () => {
    expect(weeksBetween(monday - 1, monday + 8 * day)).toEqual([monday - 7 * day, monday, monday + 7 * day]);
    expect(weeksBetween(monday + day, monday)).toEqual([monday]);
  });

  test.each([
    ["on a Friday: the week of the last three days", monday + 4 * day + hour, monday + 3 * day, [monday]],
    ["on a Tuesday: last week, too", monday + day + hour, monday, [monday - 7 * day, monday]],
    ["on a Monday: last week, which is over", monday + hour, monday - day, [monday - 7 * day]],
    [
      "after a week without the tool: the missing weeks",
      monday + 4 * day,
      monday - 5 * day,
      [monday - 7 * day, monday],
    ],
  ])("are counted %s", (_when, now, latest, weeks) => expect(weeksToCount(now, latest)).toEqual(weeks));

  test("are counted eight weeks back at first, and no further after a year without the tool", () => {
    const weeks = weeksToCount(monday + 2 * day, null);
    expect([weeks.length, weeks[0]]).toEqual([9, monday - 56 * day]);
    expect(weeksToCount(monday + 2 * day, monday - 365 * day)).toEqual(weeks);
  });
});

const numbers = (change: Partial<UsageNumbers>): UsageNumbers => ({ ...noUsage, ...change });

describe("Sums", () => {
  test("of a week add up its days, but count people and courses once", () => {
    const days = [
      numbers({ courses: 2, people: 10, sessions: 3, minutes: 90, grades: 4 }),
      numbers({ courses: 1, people: 8, sessions: 1, minutes: 30, failedLaunches: 2, refusedScores: 1 }),
    ];
    expect(weekOfDays(days, { courses: 2, people: 11 })).toEqual(
      numbers({
        courses: 2,
        people: 11,
        sessions: 4,
        minutes: 120,
        grades: 4,
        failedLaunches: 2,
        refusedScores: 1,
      }),
    );
    expect(addUp([])).toEqual(noUsage);
  });

  test("of a period have the people of its busiest week", () => {
    const weeks = [numbers({ people: 5, courses: 1, sessions: 2 }), numbers({ people: 9, sessions: 3 })];
    expect(periodOf(weeks)).toEqual(numbers({ people: 9, courses: 1, sessions: 5 }));
    expect(isUsed(periodOf([noUsage]))).toBe(false);
    expect(isUsed(numbers({ failedLaunches: 1 }))).toBe(true);
  });

  test("by week include every week, and by LMS begin with the one with most people", () => {
    const row = (registrationId: string, account: string, week: number, people: number) => ({
      registrationId,
      account,
      week,
      ...numbers({ people }),
    });
    const rows = [
      row("a", "x", monday, 4),
      row("b", "x", monday, 5),
      row("b", "y", monday, 2),
      row("b", "x", monday + 14 * day, 6),
    ];
    expect(
      byWeek(rows, weeksBetween(monday, monday + 14 * day)).map(({ week, people }) => [week, people]),
    ).toEqual([
      [monday, 11],
      [monday + 7 * day, 0],
      [monday + 14 * day, 6],
    ]);
    expect(periods(rows, "registrationId").map(({ id, people }) => [id, people].join(" "))).toEqual([
      "b 7",
      "a 4",
    ]);
    expect(periods(rows, "account").map(({ id, people }) => [id, people].join(" "))).toEqual(["x 9", "y 2"]);
  });
});

describe("A session was held", () => {
  const event = (from: number, attended = false, endsAt: number | null = from + hour) => ({
    startsAt: from,
    endsAt,
    attended,
  });
  test.each([
    ["when somebody attended it", [event(0, true)], [], [0]],
    ["when somebody was in the Space during it", [event(0)], [{ from: hour / 2, to: hour }], [0]],
    [
      "once, however often people came back",
      [event(0)],
      [
        { from: 1, to: 2 },
        { from: 3, to: 4 },
      ],
      [0],
    ],
    ["beside a scheduled session", [event(0, true)], [{ from: 5 * hour, to: 6 * hour }], [0, 5 * hour]],
    ["without any scheduled session", [], [{ from: 7, to: 8 }], [7]],
    ["for an hour if its end is unknown", [event(0, false, null)], [{ from: hour - 1, to: 2 * hour }], [0]],
  ])("%s", (_what, events, seen, held) => expect(sessionStarts(events, seen)).toEqual(held));

  test("not when nobody came; people who came before it had their own session", () => {
    expect(sessionStarts([event(0)], [])).toEqual([]);
    expect(sessionStarts([event(hour)], [{ from: 0, to: hour }])).toEqual([0]);
  });
});

test("bars reach up to a round number, and 0 has no height", () => {
  const { bars, rule } = barsOf([0, 37, 50]);
  expect(rule.value).toBe(50);
  expect(bars.map(({ height }) => height)).toEqual([0, 63.64, 86]);
  expect(bars.every(({ y, height }) => Math.abs(y + height - 100) < 0.02)).toBe(true);
  const rules = [0, 3, 11, 101, 4_305].map((value) => barsOf([value]).rule.value);
  expect(rules).toEqual([1, 5, 15, 150, 5_000]);
  expect(barsOf([]).bars).toEqual([]);
});
