import { describe, expect, test } from "vitest";
import {
  type AttendanceObservation,
  checkInOf,
  type Correction,
  countedMinutes,
  currentAttendanceOf,
  withCheckIn,
} from "../../src/domain/attendance.ts";
import {
  closingTime,
  codeCount,
  codeOf,
  isOpen,
  readCode,
  readMinutes,
  spacedCode,
  statusAt,
  turnAt,
  turnsTaken,
} from "../../src/modules/check-in/rules/check-in.ts";

const minute = 60_000;

describe("a code is readable from far away, and accepted however people type it", () => {
  test.each([
    ["K7M2PX", "K7M2PX"],
    ["k7m 2px", "K7M2PX"],
    [" K7M-2PX ", "K7M2PX"],
    ["Ｋ７Ｍ２ＰＸ", "K7M2PX"],
    ["K٧M ٢PX", "K7M2PX"],
    ["\u200eK7M 2PX\u200e", "K7M2PX"],
    ["K7M–2PX", "K7M2PX"],
    ["“K7M.2PX”", "K7M2PX"],
    ["K7M2P", null],
    ["K7M2PXX", null],
    ["K7M2P0", null],
    ["K7M2PO", null],
    ["K7M2P1", null],
    ["K7M2PI", null],
    ["ABCDEF", null],
    ["К7М2РХ", null],
    ["", null],
  ])("%j is %j", (typed, code) => expect(readCode(typed)).toBe(code));

  test("is shown in two halves, and can be typed that way", () => {
    expect(spacedCode("K7M2PX")).toBe("K7M 2PX");
    expect(readCode(spacedCode("K7M2PX"))).toBe("K7M2PX");
  });

  test("comes from a digest's first bytes, in letters and digits that can be typed", () => {
    const bytes = (...first: number[]) => Uint8Array.from([...first, 9, 9]);
    expect(codeOf(bytes(0, 0, 0, 0, 0, 0))).toBe("222222");
    expect(codeOf(bytes(0, 0, 0, 0, 0, 1))).toBe("322222");
    expect(codeOf(bytes(255, 255, 255, 255, 255, 255))).toMatch(/^[2-9BCDFGHJKMNPQRSTVWXYZ]{6}$/);
    expect(codeOf(bytes(1, 2, 3, 4, 5, 6))).not.toBe(codeOf(bytes(1, 2, 3, 4, 5, 7)));
    expect(codeCount).toBeGreaterThan(400_000_000);
  });

  test.each([
    [0, 0, 30_000, [0]],
    [29_999, 0, 30_000, [0]],
    [30_000, 1, 60_000, [1, 0]],
    [95_000, 3, 120_000, [3, 2]],
    // A clock that is a little behind.
    [-400, 0, 30_000, [0]],
  ])(
    "%i ms after the start, code %i is shown until %i, and codes %j are accepted",
    (after, turn, endsAt, taken) => {
      expect(turnAt(1_000, 1_000 + after)).toEqual({ turn, endsAt: 1_000 + endsAt });
      expect(turnsTaken(1_000, 1_000 + after)).toEqual(taken);
    },
  );
});

describe("learners check in while a session takes place", () => {
  const at = (minutes: number) => 1_000_000_000 + minutes * minute;
  const session = { startsAt: at(0), endsAt: at(60), cancelled: false };
  test.each([
    ["15 minutes before it begins", session, 10, -15, -5],
    ["not 16 minutes before it begins", session, 10, -16, null],
    ["as it begins", session, 10, 0, 10],
    ["until it ends, even if more minutes were chosen", session, 30, 45, 60],
    ["not once it has ended", session, 10, 60, null],
    ["for two hours if it has no end", { ...session, endsAt: null }, 60, 100, 120],
    ["not if it has no time", { ...session, startsAt: null }, 10, 5, null],
    ["not when it is cancelled", { ...session, cancelled: true }, 10, 5, null],
    ["not when it is deleted", { ...session, deleted: true }, 10, 5, null],
  ])("%s", (_what, one, minutes, now, closes) => {
    expect(closingTime(one, minutes, at(now))).toBe(closes === null ? null : at(closes));
  });

  test.each([
    ["open", session, 10, 5, true],
    ["over", session, 10, 10, false],
    ["the session ended first", { ...session, endsAt: at(8) }, 10, 9, false],
    ["the session was cancelled", { ...session, cancelled: true }, 10, 5, false],
    ["the session was moved", { ...session, startsAt: at(1_440), endsAt: at(1_500) }, 10, 5, false],
  ])("%s", (_what, one, closes, now, open) => {
    expect(isOpen(one, { closesAt: at(closes) }, at(now))).toBe(open);
  });

  test.each([
    [-5, "PRESENT"],
    [10, "PRESENT"],
    [10.01, "LATE"],
    [50, "LATE"],
  ])("%i minutes after the beginning they are %s, if 10 minutes are late", (after, status) => {
    expect(statusAt(session, 10, at(after))).toBe(status);
  });

  test("a form accepts only minutes from 1 to 60", () => {
    expect(["10", "60", "61", "0", "-5", "1e1", ""].map(readMinutes)).toEqual([
      10,
      60,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("a check-in and reports from others", () => {
  const word = (status: string, at: number, as?: AttendanceObservation["as"]): AttendanceObservation => ({
    status,
    notes: null,
    at,
    updatedBy: null,
    ...(as === undefined ? {} : { as }),
  });
  const checkedIn = word("LATE", 50, "code");
  const mark = (status: Correction["status"], at: number): Correction => ({
    status,
    notes: null,
    reason: null,
    by: "ina",
    at,
  });
  test.each<[string, AttendanceObservation[], Correction[], string, string, boolean]>([
    ["nobody said anything", [], [], "LATE", "code", false],
    ["the classroom did not see them before", [word("ABSENT", 10)], [], "LATE", "code", false],
    ["the classroom did not see them afterwards", [word("ABSENT", 90)], [], "LATE", "code", false],
    ["the classroom saw them", [word("PRESENT", 10)], [], "PRESENT", "classroom", false],
    ["the classroom saw them come late", [word("LATE", 60)], [], "LATE", "classroom", false],
    ["they are excused in the classroom", [word("EXCUSED", 10)], [], "EXCUSED", "classroom", false],
    ["the classroom reported an unknown status", [word("REMOTE", 10)], [], "REMOTE", "classroom", false],
    ["absent, but seen before", [word("ABSENT", 60), word("PRESENT", 10)], [], "LATE", "code", false],
    ["absent as a host", [word("ABSENT", 60, "host")], [], "LATE", "code", false],
    ["present as a host", [word("PRESENT", 60, "host")], [], "PRESENT", "classroom", false],
    ["presence suggests otherwise", [word("ABSENT", 90, "presence")], [], "LATE", "code", false],
    ["an instructor says absent afterwards", [], [mark("ABSENT", 90)], "ABSENT", "instructor", false],
    ["an instructor said absent before", [], [mark("ABSENT", 10)], "ABSENT", "instructor", true],
    ["an instructor said present before", [], [mark("PRESENT", 10)], "PRESENT", "instructor", false],
    ["an instructor excused them before", [], [mark("EXCUSED", 10)], "EXCUSED", "instructor", false],
    ["an instructor took a mark back", [word("ABSENT", 90)], [mark(null, 95)], "LATE", "code", false],
  ])("%s", (_what, told, corrections, status, source, isConflict) => {
    const history = [...told, checkedIn].sort((one, other) => other.at - one.at);
    const current = currentAttendanceOf({ history, corrections });
    expect([current?.status, current?.source, current?.conflicting !== null]).toEqual([
      status,
      source,
      isConflict,
    ]);
    expect(checkInOf({ history })).toBe(50);
  });

  test("minutes in the Space do not count beside a check-in", () => {
    const seen = { startsAt: 0, endsAt: 60 * minute, ms: 5 * minute, stays: [{ from: 0, to: 5 * minute }] };
    const facts = { history: [word("PRESENT", 10)], corrections: [], seen };
    expect(countedMinutes(facts)).toEqual({ present: 5, of: 60 });
    expect(countedMinutes({ ...facts, history: [checkedIn, word("PRESENT", 10)] })).toBe(null);
    expect(countedMinutes({ ...facts, history: [checkedIn, word("ABSENT", 10)] })).toBe(null);
  });

  test("only the first check-in counts", () => {
    const once = withCheckIn([word("ABSENT", 10)], { status: "PRESENT", at: 50 });
    expect(checkInOf({ history: once })).toBe(50);
    expect(withCheckIn(once, { status: "LATE", at: 60 })).toBe(once);
    expect(currentAttendanceOf({ history: once, corrections: [] })).toMatchObject({
      status: "PRESENT",
      source: "code",
      checkedInAt: 50,
    });
  });
});
