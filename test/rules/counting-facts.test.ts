import { describe, expect, test } from "vitest";
import { type AttendanceFacts, currentAttendanceOf } from "../../src/domain/attendance.ts";
import { excusedFacts, joinedFacts, officeId } from "../../src/domain/counting-facts.ts";
import { maxReasonLength, whatToReport } from "../../src/modules/attendance/learner-words.ts";
import { excuseProblem } from "../../src/modules/attendance/office-excuses.ts";

const nothing: AttendanceFacts = { history: [], corrections: [] };
const told = (status: string, at: number): AttendanceFacts => ({
  history: [{ status, notes: null, at, updatedBy: null }],
  corrections: [],
});
const mark = (status: "PRESENT" | "ABSENT" | "EXCUSED" | null, at: number) => ({
  status,
  notes: null,
  reason: null,
  by: "per-Ina",
  at,
});
const marked = (facts: AttendanceFacts, ...corrections: ReturnType<typeof mark>[]): AttendanceFacts => ({
  ...facts,
  corrections,
});
const seen = (ms: number) => ({ startsAt: 0, endsAt: 3_600_000, ms, stays: [] });

describe("one session of a person with two accounts", () => {
  test.each([
    ["uses the better evidence, not the newer", told("ABSENT", 9), told("PRESENT", 1), "PRESENT"],
    ["uses that of the current account if it is better", told("LATE", 1), told("ABSENT", 9), "LATE"],
    ["uses the mark of the only marked account", nothing, told("LATE", 1), "LATE"],
    [
      "uses an instructor's newest mark",
      marked(nothing, mark("PRESENT", 1)),
      marked(nothing, mark("ABSENT", 2)),
      "ABSENT",
    ],
    ["prefers a mark to better evidence", told("PRESENT", 9), marked(nothing, mark("EXCUSED", 2)), "EXCUSED"],
    [
      "ignores a mark taken back on the earlier account",
      marked(nothing, mark("PRESENT", 1)),
      marked(nothing, mark(null, 5), mark("ABSENT", 2)),
      "PRESENT",
    ],
    [
      "uses the classroom's report once the earlier account's mark is taken back here",
      marked(told("ABSENT", 1), mark(null, 9)),
      marked(nothing, mark("PRESENT", 2)),
      "ABSENT",
    ],
  ])("%s", (_what, now, earlier, status) => {
    expect(currentAttendanceOf(joinedFacts([now, earlier]))?.status).toBe(status);
  });

  test("uses the longer time, not the sum", () => {
    const [short, long] = [seen(600_000), seen(1_800_000)];
    expect(
      joinedFacts([
        { ...nothing, seen: short },
        { ...nothing, seen: long },
      ]).seen,
    ).toBe(long);
  });
});

describe("an office's excuse", () => {
  const excuse = { reason: "hospital", at: 5 };
  test.each([
    ["counts where nothing is known", nothing, "EXCUSED"],
    ["overrides an absence, even one reported later", told("ABSENT", 9), "EXCUSED"],
    ["does not change PRESENT", told("PRESENT", 1), "PRESENT"],
    ["does not change LATE", told("LATE", 1), "LATE"],
    ["does not change an unknown status", told("REMOTE", 1), "REMOTE"],
    ["never replaces an instructor's mark", marked(nothing, mark("ABSENT", 1)), "ABSENT"],
    ["counts once a mark was taken back", marked(nothing, mark(null, 9), mark("ABSENT", 1)), "EXCUSED"],
  ])("%s", (_what, facts, status) => {
    const current = currentAttendanceOf(excusedFacts(facts, excuse));
    expect(current?.status).toBe(status);
    expect(current?.conflicting).toBeNull();
    expect(current?.correction?.by === officeId).toBe(status === "EXCUSED");
  });
});

describe("an excuse", () => {
  const good = { from: "2026-11-30", to: "2026-12-04", reason: "hospital" };
  test.each([
    ["of five days with a reason is accepted", {}, null],
    ["of one day is accepted", { to: "2026-11-30" }, null],
    ["with its days the wrong way round is refused", { from: "2026-12-05" }, "dates"],
    ["with a day that no calendar has is refused", { to: "2027-02-30" }, "dates"],
    ["with something other than a day is refused", { from: "soon" }, "dates"],
    ["for more than a year is refused", { to: "2027-12-01" }, "too-long"],
    ["without a reason is refused", { reason: "" }, "reason"],
    ["with a long reason is refused", { reason: "x".repeat(maxReasonLength + 1) }, "reason"],
  ])("%s", (_what, change, problem) => {
    expect(excuseProblem({ ...good, ...change })).toBe(problem);
  });
});

describe("what a learner may say of a session", () => {
  const day = 86_400_000;
  const lesson = { startsAt: 100 * day, endsAt: 100 * day + 3_600_000, cancelled: false };
  test.each([
    ["is an absence before it", 99 * day, null, {}, "absent"],
    ["is nothing before it once they are marked", 99 * day, "EXCUSED", {}, null],
    ["is nothing during it", 100 * day + 60_000, null, {}, null],
    ["is that they were there afterwards", 101 * day, null, {}, "here"],
    ["is that they were there when recorded absent", 101 * day, "ABSENT", {}, "here"],
    ["is nothing when recorded present", 101 * day, "PRESENT", {}, null],
    ["is nothing two weeks later", 115 * day, null, {}, null],
    ["is nothing of a cancelled one", 99 * day, null, { cancelled: true }, null],
    ["is nothing of one without a time", 99 * day, null, { startsAt: null }, null],
  ] as const)("%s", (_what, now, status, change, says) => {
    expect(whatToReport({ ...lesson, ...change }, status, now)).toBe(says);
  });
});
