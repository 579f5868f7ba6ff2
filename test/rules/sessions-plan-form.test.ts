import { readChange } from "../../src/modules/scheduling/pages/session-change-page.ts";
import { describe, expect, test } from "vitest";
import { type DayKind, monthsView } from "../../src/modules/scheduling/pages/sessions-view.ts";
import { createTranslator } from "../../src/web/translate.ts";
import {
  freshPlanForm,
  type PlanForm,
  planFormOf,
  readPlanForm,
} from "../../src/modules/scheduling/pages/sessions-plan-pages.ts";

const sent = {
  title: "Lesson",
  date: "2026-10-20",
  time: "10:00",
  minutes: "60",
  repeats: "week",
  interval: "2",
  end: "count",
  count: "4",
  until: "",
  who: "all",
};
const read = (change: Record<string, unknown> = {}) =>
  readPlanForm(planFormOf({ ...sent, ...change }), "Europe/Berlin", {
    sections: ["s1", "s2"],
    spaces: ["space-lab"],
  });

test("ticks the first date's weekday in a new form", () => {
  expect(freshPlanForm({ date: "2026-12-05", time: "10:00" }, "Session", "Paris").days).toEqual(["SA"]);
});

test("shows months as weeks from Monday, with the kinds of their days", () => {
  const kinds = new Map<string, DayKind>([
    ["2027-02-01", "new"],
    ["2026-11-29", "off"],
  ]);
  const t = createTranslator()("en");
  const { months, weekdays, legend } = monthsView(t, kinds);
  expect(months.map(({ name, weeks }) => [name, weeks.length])).toEqual([
    ["November 2026", 6],
    ["February 2027", 4],
  ]);
  expect(months[0]?.weeks[0]).toEqual([null, null, null, null, null, null, { day: "1", kind: null }]);
  expect(months[0]?.weeks[4]?.[6]).toEqual({ day: "29", kind: "off" });
  expect(months[1]?.weeks[0]?.[0]).toEqual({ day: "1", kind: "new" });
  expect([weekdays.join(""), legend]).toEqual(["MTWTFSS", ["new", "off"]]);
  // The month of a typed date is shown without a mark: another date may be typed.
  expect(monthsView(t, new Map(), "2027-03-05")).toMatchObject({
    months: [{ name: "March 2027" }],
    legend: [],
  });
  expect(monthsView(t, new Map(), "soon").months).toEqual([]);
});

describe("the form for planning sessions", () => {
  test("is read as intended, with the first date's weekday if no day is ticked", () => {
    expect(read().plan).toEqual({
      title: "Lesson",
      times: { date: "2026-10-20", time: "10:00", minutes: 60, timeZone: "Europe/Berlin" },
      recurrence: { every: "week", interval: 2, days: ["TU"], end: { kind: "count", count: 4 } },
      sectionIds: [],
      counts: false,
      spaceId: null,
    });
    expect(read({ day: ["FR", "MO", "XX"], counts: "yes" }).plan).toMatchObject({
      recurrence: { days: ["MO", "FR"] },
      counts: true,
    });
  });

  test("of one session ignores the fields of a series", () => {
    expect(read({ repeats: "once", interval: "no", count: "" }).plan?.recurrence).toEqual({ every: "once" });
  });

  test("accepts only sections of the course", () => {
    expect(read({ who: "some", section: ["s2", "s9"] }).plan?.sectionIds).toEqual(["s2"]);
    expect(read({ who: "some", section: "s9" }).problems).toEqual(["sections"]);
    expect(read({ who: "all", section: "s1" }).plan?.sectionIds).toEqual([]);
  });

  test("accepts only Spaces of the course", () => {
    expect(read({ space: "space-lab" }).plan?.spaceId).toBe("space-lab");
    expect(read({ space: "space-of-others" }).problems).toEqual(["space"]);
  });

  test.each([
    [{ title: " \u200b" }, "title"],
    [{ title: "x".repeat(201) }, "title"],
    [{ date: "2026-02-30" }, "date"],
    [{ time: "25:00" }, "time"],
    [{ minutes: "0" }, "minutes"],
    [{ minutes: "1441" }, "minutes"],
    [{ minutes: "1e2" }, "minutes"],
    [{ interval: "53" }, "interval"],
    [{ count: "201" }, "count"],
    [{ count: "-1" }, "count"],
    [{ end: "until", until: "2026-10-19" }, "until"],
    [{ end: "until", until: "soon" }, "until"],
  ])("%j is reported at its field", (change, problem) => expect(read(change).problems).toEqual([problem]));

  test("can be made from anything that is posted", () => {
    for (const body of [null, undefined, 7, [], { title: ["a"], day: { x: 1 }, counts: [] }]) {
      const form: PlanForm = planFormOf(body ?? {});
      expect(form.repeats).toBe("once");
    }
  });
});

test("a session without an end can be renamed without a length", () => {
  const stored = { title: "Lab", date: "2026-11-30", time: "10:00", minutes: "", section: [] };
  const form = { ...stored, who: "all", scope: "one", counts: true } as const;
  const changed = (typed: Partial<typeof form> | { title: string } | { time: string }) =>
    readChange({ ...form, ...typed }, { ...form }, { timeZone: null }, []);
  expect(changed({ title: "Lab 2" }).change).toMatchObject({ title: "Lab 2" });
  expect(changed({ time: "11:00" }).problems).toEqual(["minutes"]);
});

test("a change of a series leaves alone what was not changed on the page", () => {
  const stored = { title: "Lab", date: "2026-11-30", time: "10:00", minutes: "60", section: ["s1"] };
  const form = { ...stored, who: "some", scope: "all", counts: true } as const;
  const changed = (typed: { title?: string; counts?: boolean; section?: string[] }) =>
    readChange({ ...form, ...typed }, { ...form, section: ["s1"] }, { timeZone: null }, ["s1", "s2"]).change;
  expect(changed({ title: "Lab 2" })).toEqual({ title: "Lab 2", own: {} });
  expect(changed({ counts: false })).toEqual({ own: { counts: false } });
  expect(changed({ section: ["s2"] })).toEqual({ own: { sectionIds: ["s2"] } });
});
