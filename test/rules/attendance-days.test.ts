import { describe, expect, test } from "vitest";
import type { AttendanceFacts, AttendanceObservation } from "../../src/domain/attendance.ts";
import { attendanceDays, evidenceOf } from "../../src/modules/attendance/rules/attendance-days.ts";
import { type CourseSession, unknownSession } from "../../src/modules/scheduling/rules/course-session.ts";
import { allDays } from "../../src/modules/scheduling/rules/time-zone.ts";

const hour = 3_600_000;
const said = (status: string, as?: AttendanceObservation["as"]): AttendanceObservation => ({
  status,
  notes: null,
  at: 1,
  updatedBy: null,
  ...(as === undefined ? {} : { as }),
});
const corrected = (status: "PRESENT" | "ABSENT" | null) => ({
  status,
  notes: null,
  reason: null,
  by: "teacher",
  at: 2,
});
const seen = (ms: number) => ({ startsAt: 0, endsAt: hour, ms, stays: [] });
const facts = (change: Partial<AttendanceFacts>): AttendanceFacts => ({
  history: [],
  corrections: [],
  ...change,
});

test.each([
  ["nothing", facts({}), null],
  ["PRESENT from the classroom", facts({ history: [said("PRESENT")] }), "classroom"],
  ["LATE from the classroom", facts({ history: [said("LATE")] }), "classroom"],
  ["absent", facts({ history: [said("ABSENT")] }), null],
  ["absent, with minutes in the Space", facts({ history: [said("ABSENT")], seen: seen(hour) }), null],
  ["excused", facts({ history: [said("EXCUSED")] }), null],
  [
    "an instructor's mark",
    facts({ history: [said("ABSENT")], corrections: [corrected("PRESENT")] }),
    "instructor",
  ],
  [
    "PRESENT, corrected by an instructor",
    facts({ history: [said("PRESENT")], corrections: [corrected("ABSENT")] }),
    null,
  ],
  [
    "a correction that was taken back",
    facts({ history: [said("PRESENT")], corrections: [corrected(null)] }),
    "classroom",
  ],
  ["a check-in", facts({ history: [said("PRESENT", "code"), said("ABSENT")] }), "code"],
  ["present by the minutes", facts({ history: [said("PRESENT", "presence")] }), "presence"],
  ["absent by the minutes", facts({ history: [said("ABSENT", "presence")], seen: seen(5 * 60_000) }), null],
  ["minutes without a mark", facts({ seen: seen(60_000) }), "presence"],
  ["seconds without a mark", facts({ seen: seen(59_999) }), null],
  ["an unknown status", facts({ history: [said("LEFT")] }), null],
  ["an unknown status with minutes", facts({ history: [said("LEFT")], seen: seen(hour) }), "presence"],
])("evidence of attendance: %s", (_what, of, evidence) => expect(evidenceOf(of)).toBe(evidence));

const at = (iso: string, change: Partial<CourseSession> = {}): CourseSession => ({
  ...unknownSession(iso),
  startsAt: Date.parse(iso),
  ...change,
});

function daysOf(
  sessions: readonly CourseSession[],
  days = allDays,
  timeZone: string | null = "Europe/Berlin",
) {
  const records = sessions.map(({ eventId }) => ({ eventId, ...facts({ history: [said("PRESENT")] }) }));
  return attendanceDays(records, {
    sessions: new Map(sessions.map((session) => [session.eventId, session])),
    days,
    timeZone,
    now: Date.parse("2026-12-01T00:00:00Z"),
  });
}

describe("first and last day", () => {
  const evening = at("2026-09-30T22:30:00Z");
  const autumn = at("2026-10-25T00:30:00Z");

  test.each([
    ["Europe/Berlin", "2026-10-01", "2026-10-25"],
    ["America/New_York", "2026-09-30", "2026-10-24"],
    [null, "2026-09-30", "2026-10-25"],
  ])("are days in the course's time zone: %s", (zone, first, last) => {
    const found = daysOf([autumn, evening], allDays, zone);
    expect([found.first?.date, found.last?.date, found.attended]).toEqual([first, last, 2]);
  });

  test("are within the days asked for", () => {
    const found = daysOf([evening, autumn], { from: "2026-10-01", to: "2026-10-01" });
    expect(found).toMatchObject({ first: { date: "2026-10-01" }, last: { date: "2026-10-01" }, attended: 1 });
    expect(daysOf([evening], { from: null, to: "2026-09-30" })).toMatchObject({ first: null, recorded: 0 });
  });

  test.each([
    ["in the future", at("2026-12-24T10:00:00Z"), 0],
    [
      "cancelled here",
      at("2026-10-01T10:00:00Z", { cancelled: true, cancelledHere: true, counts: false }),
      0,
    ],
    ["deleted, its marks left out", at("2026-10-01T10:00:00Z", { cancelled: true, counts: false }), 0],
    ["deleted, its marks kept", at("2026-10-01T10:00:00Z", { cancelled: true }), 1],
    ["not counted for grades", at("2026-10-01T10:00:00Z", { counts: false }), 1],
  ])("%s", (_what, session, attended) => expect(daysOf([session]).attended).toBe(attended));

  test("a session without a known date counts, but gives no first or last day", () => {
    expect(daysOf([unknownSession("event")])).toMatchObject({ first: null, last: null, attended: 1 });
  });
});
