import { expect, test } from "vitest";
import { proposedStart } from "../../src/modules/scheduling/rules/time-zone.ts";

const at = Date.parse;

test.each([
  ["17:20", "Europe/Paris", "2026-11-24", "19:00"],
  ["18:00", "Europe/Paris", "2026-11-24", "20:00"],
  ["22:30", "Europe/Paris", "2026-11-25", "00:00"],
  ["17:20", "Asia/Kolkata", "2026-11-24", "23:00"],
  ["17:20", "Asia/Kathmandu", "2026-11-25", "00:00"],
])("at %s UTC a first session in %s is proposed at the next full hour there", (clock, zone, date, time) => {
  expect(proposedStart([], at(`2026-11-24T${clock}:00Z`), zone)).toEqual({ date, time });
});

test("proposes another session a week after the last, at the same local time", () => {
  const now = at("2026-11-24T17:20:00Z");
  const usual = { date: "2026-12-08", time: "10:00" };
  expect(
    proposedStart([at("2026-11-24T09:00:00Z"), at("2026-12-01T09:00:00Z")], now, "Europe/Paris"),
  ).toEqual(usual);
});

test("proposes the usual weekday after a pause, across a change of clocks, never in the past", () => {
  const now = at("2026-11-24T17:20:00Z");
  const long = at("2026-09-29T08:00:00Z"); // 10:00 in summer, a Tuesday
  expect(proposedStart([long], now, "Europe/Paris")).toEqual({ date: "2026-12-01", time: "10:00" });
  expect(proposedStart([at("2026-11-17T18:00:00Z")], now, "Europe/Paris")).toEqual({
    date: "2026-12-01",
    time: "19:00",
  });
});
