import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gapBefore } from "../../src/modules/attendance/rules/attendance-reading.ts";
import {
  asKnownStatus,
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
  latestObservation,
  withObservation,
} from "../../src/domain/attendance.ts";
import { required } from "../support/required.ts";

function observation(at: number, status = "PRESENT"): AttendanceObservation {
  return { status, notes: null, at, updatedBy: null };
}

function historyOf(observations: readonly AttendanceObservation[]): AttendanceHistory {
  return observations.reduce<AttendanceHistory>(withObservation, []);
}

/** Few times and texts, so that equal times and equal observations are frequent. */
const anyObservation: fc.Arbitrary<AttendanceObservation> = fc
  .record({
    status: fc.constantFrom("PRESENT", "LATE", "ABSENT", "EXCUSED", "LEFT_EARLY"),
    notes: fc.constantFrom(null, "", "bus"),
    at: fc.integer({ min: 0, max: 3 }),
    updatedBy: fc.constantFrom(null, "", "u1"),
    previous: fc.constantFrom(undefined, { status: "ABSENT", notes: null }, { status: "PRESENT", notes: "" }),
  })
  .map(({ previous, ...rest }) => ({ ...rest, ...(previous === undefined ? {} : { previous }) }));

describe("what we know of somebody's attendance", () => {
  test("is empty before the first observation", () => expect(latestObservation([])).toBeNull());

  test("follows the classroom's own times, not the order in which webhooks arrive", () => {
    const history = historyOf([
      observation(20, "LATE"),
      observation(30, "EXCUSED"),
      observation(10, "ABSENT"),
    ]);
    expect(history.map((one) => one.status)).toEqual(["EXCUSED", "LATE", "ABSENT"]);
    expect(latestObservation(history)?.status).toBe("EXCUSED");
  });

  test("is the participant's mark, whatever mark the same person has as a host", () => {
    const asHost = { ...observation(30, "ABSENT"), as: "host" } as const;
    const both = historyOf([asHost, observation(20, "LATE")]);
    expect(latestObservation(both)?.status).toBe("LATE");
    expect(latestObservation([asHost])?.status).toBe("ABSENT");
    expect(historyOfSameUser(both, asHost)).toEqual([asHost]);
    expect(historyOfSameUser(both, {})).toEqual([observation(20, "LATE")]);
  });

  test("keeps two equal reports of one moment, for the host and the participant", () => {
    const asHost = { ...observation(10), as: "host" } as const;
    expect(historyOf([observation(10), asHost, observation(10)])).toEqual([observation(10), asHost]);
  });

  test("has no gap where a report about the person's other user came between", () => {
    const before = { status: "LATE", notes: null };
    const asHost = { ...observation(15, "PRESENT"), as: "host" } as const;
    const told = { ...observation(20, "PRESENT"), previous: before };
    expect(gapBefore(historyOf([observation(10, "LATE"), asHost, told]), told)).toBeNull();
    expect(gapBefore(historyOf([observation(10, "ABSENT"), asHost, told]), told)).toEqual(before);
  });

  test.each<[string, string | null, string, string | null, string]>([
    ["names no earlier status", null, "ABSENT", null, "PRESENT"],
    ["was there before the other mark", null, "ABSENT", "PRESENT", "ABSENT"],
    ["came after the other mark", "ABSENT", "ABSENT", null, "PRESENT"],
    ["was both before and after the other mark", "ABSENT", "ABSENT", "PRESENT", "PRESENT"],
    ["can be counted", null, "LEFT_EARLY", null, "PRESENT"],
  ])(
    "takes the later of two marks at one moment, or else the better one: PRESENT %s",
    (_what, before, status, previous, holds) => {
      const after = (said: AttendanceObservation, was: string | null) =>
        was === null ? said : { ...said, previous: { status: was, notes: null } };
      const two = [after(observation(10), before), after(observation(10, status), previous)];
      for (const arrived of [two, two.toReversed()])
        expect(latestObservation(historyOf([observation(5, "LATE"), ...arrived]))?.status).toBe(holds);
    },
  );

  test("keeps an undocumented status", () => {
    expect(latestObservation(historyOf([observation(1, "LEFT_EARLY")]))?.status).toBe("LEFT_EARLY");
    expect(asKnownStatus("LEFT_EARLY")).toBeNull();
  });

  test("recognizes a status only in its documented spelling", () => {
    expect(["PRESENT", "LATE", "ABSENT", "EXCUSED"].map(asKnownStatus)).toEqual([
      "PRESENT",
      "LATE",
      "ABSENT",
      "EXCUSED",
    ]);
    expect(["present", " PRESENT", "", "toString"].map(asKnownStatus)).toEqual([null, null, null, null]);
  });

  test("keeps a changed note with the status it came with", () => {
    const first = observation(10);
    const noted = { ...observation(20), notes: "came by bus" };
    expect(historyOf([first, noted])).toEqual([noted, first]);
  });

  test("keeps the newest two hundred observations, in any order, and a check-in", () => {
    const checkIn = { ...observation(1), as: "code" as const };
    const all = [checkIn, ...Array.from({ length: 300 }, (_none, at) => observation(((at * 7) % 300) + 10))];
    expect(historyOf(all).map(({ at }) => at)).toEqual([
      ...Array.from({ length: 200 }, (_none, at) => 309 - at),
      1,
    ]);
  });

  test("does not change the history it was given", () => {
    const before = Object.freeze([observation(10)]);
    expect(withObservation(before, observation(20))).toHaveLength(2);
    expect(before).toEqual([observation(10)]);
  });
});

describe("however webhooks arrive", () => {
  test("the same observations in any order give the same history", () => {
    const shuffled = fc
      .array(anyObservation, { maxLength: 8 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([sent, arrived]) => {
        expect(historyOf(arrived)).toEqual(historyOf(sent));
      }),
      { numRuns: 500 },
    );
  });

  test("the same observation a second time changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 8 }), fc.nat(), (list, pick) => {
        const history = historyOf(list);
        const again = required(list[pick % list.length]);
        expect(withObservation(history, { ...again })).toEqual(history);
      }),
      { numRuns: 500 },
    );
  });

  test("the current status is never older than any observation", () => {
    fc.assert(
      fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 8 }), (list) => {
        expect(latestObservation(historyOf(list))?.at).toBe(Math.max(...list.map((one) => one.at)));
      }),
    );
  });
});
