import { describe, expect, test } from "vitest";
import { weekFrom, weekToMail } from "../../src/modules/mail/rules/due.ts";

const at = (text: string) => Date.parse(text);

describe("the week whose mails are due", () => {
  test.each<[string, string | null, string | null]>([
    ["2026-11-23T06:59:59Z", null, null],
    ["2026-11-23T07:00:00Z", null, "2026-11-16"],
    ["2026-11-23T07:00:00Z", "Nowhere/Land", "2026-11-16"],
    ["2026-11-25T23:59:59Z", null, "2026-11-16"],
    ["2026-11-26T00:00:00Z", null, null],
    ["2026-11-29T12:00:00Z", null, null],
    ["2026-11-23T05:59:59Z", "Europe/Berlin", null],
    ["2026-11-23T06:00:00Z", "Europe/Berlin", "2026-11-16"],
    // Clocks changed on Sunday.
    ["2026-10-26T05:59:59Z", "Europe/Berlin", null],
    ["2026-10-26T06:00:00Z", "Europe/Berlin", "2026-10-19"],
    ["2027-03-29T04:59:59Z", "Europe/Berlin", null],
    ["2027-03-29T05:00:00Z", "Europe/Berlin", "2027-03-22"],
    ["2026-11-22T16:59:59Z", "Pacific/Kiritimati", null],
    ["2026-11-22T17:00:00Z", "Pacific/Kiritimati", "2026-11-16"],
    ["2026-11-23T17:59:59Z", "Pacific/Pago_Pago", null],
    ["2026-11-23T18:00:00Z", "Pacific/Pago_Pago", "2026-11-16"],
    ["2027-01-04T07:00:00Z", null, "2026-12-28"],
  ])("at %s in %s is that of %s", (now, zone, monday) => {
    expect(weekToMail(at(now), zone)?.monday ?? null).toBe(monday);
  });

  test.each<[string | null, string, string]>([
    [null, "2026-10-19T00:00:00Z", "2026-10-26T00:00:00Z"],
    ["Europe/Berlin", "2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["America/Phoenix", "2026-10-19T07:00:00Z", "2026-10-26T07:00:00Z"],
  ])("begins and ends at midnight in %s", (zone, from, to) => {
    expect(weekFrom("2026-10-19", zone)).toEqual({ monday: "2026-10-19", from: at(from), to: at(to) });
  });
});
