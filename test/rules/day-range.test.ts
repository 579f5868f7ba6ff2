import { describe, expect, test } from "vitest";
import { allDays, isWithin, readDays } from "../../src/modules/scheduling/rules/time-zone.ts";

/** Half past eleven in the evening of 24 November in Berlin; in Auckland it is the 25th. */
const late = Date.parse("2026-11-24T22:30:00Z");

describe("Whether a session is on one of the days", () => {
  test.each([
    [{ from: "2026-11-24", to: "2026-11-24" }, "Europe/Berlin", true],
    [{ from: "2026-11-25", to: null }, "Europe/Berlin", false],
    [{ from: "2026-11-25", to: null }, "Pacific/Auckland", true],
    [{ from: null, to: "2026-11-24" }, "Pacific/Auckland", false],
    [{ from: null, to: "2026-11-24" }, null, true],
    [{ from: null, to: "2026-11-23" }, "no zone", false],
    [allDays, "Europe/Berlin", true],
  ])("%j in %s: %s", (days, zone, is) => expect(isWithin(days, late, zone)).toBe(is));

  test("a session without a date is shown only without a range of days", () => {
    expect(isWithin(allDays, null, "UTC")).toBe(true);
    expect(isWithin({ from: "2026-01-01", to: null }, null, "UTC")).toBe(false);
  });
});

test.each([
  [
    { from: "2026-11-01", to: "2026-11-30" },
    { from: "2026-11-01", to: "2026-11-30" },
  ],
  [
    { from: "2026-11-30", to: "2026-11-01" },
    { from: "2026-11-01", to: "2026-11-30" },
  ],
  [{ from: "2026-02-30", to: "" }, allDays],
  [{ from: ["2026-11-01"], to: "tomorrow" }, allDays],
  [
    { from: "2026-11-01' or 1=1", to: "2026-11-30" },
    { from: null, to: "2026-11-30" },
  ],
  [undefined, allDays],
  ["text", allDays],
])("Typed days %j", (posted, days) => expect(readDays(posted)).toEqual(days));
