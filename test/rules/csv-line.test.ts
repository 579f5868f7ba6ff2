import { describe, expect, test } from "vitest";
import { zonedIso } from "../../src/modules/scheduling/rules/time-zone.ts";
import { csvLine } from "../../src/web/table-file.ts";

describe("A line of a file for spreadsheets", () => {
  test.each([
    [["Ann", 93.33, null], "Ann,93.33,\r\n"],
    [["Adler, Ann", 'says "hi"'], '"Adler, Ann","says ""hi"""\r\n'],
    [["two\nlines"], '"two\nlines"\r\n'],
    [["a;b", " space "], '"a;b"," space "\r\n'],
    [[-1, 0], "-1,0\r\n"],
  ])("quotes %j", (cells, line) => expect(csvLine(cells)).toBe(line));

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "\r=1", "\n=1"])(
    "keeps a spreadsheet from computing %j",
    (text) => expect(csvLine([text])).toBe(`"'${text}"\r\n`),
  );
});

test.each([
  ["UTC", "2026-11-21T15:04:05Z", "2026-11-21T15:04:05+00:00"],
  ["Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T01:59:59+01:00"],
  ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00+02:00"],
  ["Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00+01:00"],
  ["America/St_Johns", "2026-01-01T00:00:00Z", "2025-12-31T20:30:00-03:30"],
  ["Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T05:45:00+05:45"],
])("A moment in a course's zone of %s: %s is %s", (zone, utc, written) => {
  const iso = zonedIso(zone);
  expect(iso(Date.parse(utc))).toBe(written);
  expect(Date.parse(iso(Date.parse(utc)))).toBe(Date.parse(utc));
});
