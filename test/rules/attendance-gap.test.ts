import { describe, expect, test } from "vitest";
import { type AttendanceObservation, withObservation } from "../../src/domain/attendance.ts";
import { gapBefore, hasOpenGap, isOpenGap } from "../../src/modules/attendance/rules/attendance-reading.ts";

type Change = [
  at: number,
  status: string,
  before?: string | undefined,
  notes?: string | null,
  notesBefore?: string,
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
/** The statuses that are missing, the newest first. */
const missing = (...all: Change[]) => {
  const history = historyOf(...all);
  return history.flatMap((one) => gapBefore(history, one)?.status ?? []);
};

describe("What the classroom says was before an observation", () => {
  test.each<[string, Change[], string[]]>([
    [
      "is the last we knew: nothing is missing",
      [
        [1, "ABSENT"],
        [2, "PRESENT", "ABSENT"],
      ],
      [],
    ],
    [
      "is another status than the last we knew",
      [
        [1, "ABSENT"],
        [3, "PRESENT", "LATE"],
      ],
      ["LATE"],
    ],
    ["is told although we knew nothing", [[1, "ABSENT", "PRESENT"]], ["PRESENT"]],
    [
      "is not told although we knew a status",
      [
        [1, "ABSENT"],
        [2, "PRESENT"],
      ],
      [],
    ],
    [
      "came later than what followed it",
      [
        [3, "PRESENT", "LATE"],
        [1, "ABSENT"],
        [2, "LATE", "ABSENT"],
      ],
      [],
    ],
    [
      "happened in the same second",
      [
        [1, "ABSENT"],
        [2, "LATE", "PRESENT"],
        [2, "PRESENT", "ABSENT"],
      ],
      [],
    ],
    [
      "was missed twice",
      [
        [1, "LATE", "PRESENT"],
        [3, "ABSENT", "EXCUSED"],
      ],
      ["EXCUSED", "PRESENT"],
    ],
    [
      "had another note",
      [
        [1, "LATE"],
        [2, "LATE", "LATE", "bus", "train"],
      ],
      ["LATE"],
    ],
    [
      "had a note that is not told again",
      [
        [1, "LATE", undefined, "bus"],
        [2, "PRESENT", "LATE"],
      ],
      [],
    ],
    [
      "is a status that nobody documented",
      [
        [1, "LEFT"],
        [2, "PRESENT", "LEFT"],
      ],
      [],
    ],
  ])("%s", (_name, all, expected) => {
    expect(missing(...all)).toEqual(expected);
    expect(missing(...all.toReversed()), "in whatever order it comes").toEqual(expected);
  });

  test("is known once the attendance was read after it", () => {
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
