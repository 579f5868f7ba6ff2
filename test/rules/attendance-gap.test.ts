import { describe, expect, test } from "vitest";
import { type AttendanceObservation, withObservation } from "../../src/domain/attendance.ts";
import { gapBefore, hasOpenGap, isOpenGap } from "../../src/modules/attendance/rules/attendance-reading.ts";

type Change = [
  at: number,
  status: string,
  before?: string | undefined,
  notes?: string | null,
  notesBefore?: string | undefined,
];
const told = ([at, status, before, notes = null, notesBefore]: Change): AttendanceObservation => ({
  status,
  notes,
  at,
  updatedBy: null,
  ...(before === undefined ? {} : { previous: { status: before, notes: notesBefore ?? null } }),
});
const historyOf = (...all: Change[]) =>
  all.map(told).reduce<readonly AttendanceObservation[]>(withObservation, []);
/** "2 LATE(bus) was PRESENT": at second 2, with a note, after another status. */
function changeOf(text: string): Change {
  const [, at, status = "", notes, before, notesBefore] =
    /^(\d) (\w+)(?:\((\w+)\))?(?: was (\w+)(?:\((\w+)\))?)?$/.exec(text) ?? [];
  return [Number(at), status, before, notes ?? null, notesBefore];
}
/** The statuses that are missing, the newest first. */
const missing = (...all: Change[]) => {
  const history = historyOf(...all);
  return history.flatMap((one) => gapBefore(history, one)?.status ?? []);
};

describe("The status before an observation, as the classroom reports it,", () => {
  test.each([
    ["equals the last one we knew: nothing is missing", "1 ABSENT, 2 PRESENT was ABSENT", ""],
    ["differs from the last one we knew", "1 ABSENT, 3 PRESENT was LATE", "LATE"],
    ["is reported although we knew nothing", "1 ABSENT was PRESENT", "PRESENT"],
    ["is not reported although we knew a status", "1 ABSENT, 2 PRESENT", ""],
    ["came later than what followed it", "3 PRESENT was LATE, 1 ABSENT, 2 LATE was ABSENT", ""],
    ["happened in the same second", "1 ABSENT, 2 LATE was PRESENT, 2 PRESENT was ABSENT", ""],
    ["was missed twice", "1 LATE was PRESENT, 3 ABSENT was EXCUSED", "EXCUSED PRESENT"],
    ["had a different note", "1 LATE, 2 LATE(bus) was LATE(train)", "LATE"],
    ["had a note that is not reported again", "1 LATE(bus), 2 PRESENT was LATE", ""],
    ["is an undocumented status", "1 LEFT, 2 PRESENT was LEFT", ""],
  ])("%s", (_name, text, expected) => {
    const all = text.split(", ").map(changeOf);
    expect(missing(...all).join(" ")).toBe(expected);
    expect(missing(...all.toReversed()).join(" "), "in whatever order it comes").toBe(expected);
  });

  test("stops being a gap once the attendance is read after it", () => {
    const minute = 60_000;
    const gap: Change = [10 * minute, "ABSENT", "PRESENT"];
    const history = historyOf(gap);
    expect(hasOpenGap(history, null)).toBe(true);
    expect(hasOpenGap(history, 9 * minute)).toBe(true);
    // The classroom's clock may be a little behind.
    expect(hasOpenGap(history, 10.5 * minute)).toBe(true);
    expect(hasOpenGap(history, 12 * minute)).toBe(false);
    expect(isOpenGap(history, told(gap), null)).toBe(true);
    expect(isOpenGap(history, told([1, "LATE", "PRESENT"]), null), "not this one's").toBe(false);
  });
});
