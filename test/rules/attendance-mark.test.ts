import { decideInClass, decideRow } from "../../src/modules/attendance/rules/register.ts";
import type { MarkedRow } from "../../src/modules/attendance/rules/records.ts";
import { describe, expect, test } from "vitest";
import {
  type AttendanceFacts,
  type AttendanceObservation,
  type Correction,
  currentAttendanceOf,
  withCorrection,
} from "../../src/domain/attendance.ts";

const said = (change: Partial<Correction> = {}): Correction => ({
  status: "PRESENT",
  notes: null,
  reason: null,
  by: "ina",
  at: 100,
  ...change,
});
const seen = (change: Partial<AttendanceObservation> = {}): AttendanceObservation => ({
  status: "ABSENT",
  notes: null,
  at: 50,
  updatedBy: null,
  ...change,
});
const facts = (
  history: readonly AttendanceObservation[],
  corrections: Correction[] = [],
): AttendanceFacts => ({ history, corrections });
const mark = { by: { personId: "ina", name: "Ina" }, at: 1_000, reason: "was in the back row" };
const row = (change: Partial<MarkedRow> = {}): MarkedRow => ({
  personId: "ann",
  status: "PRESENT",
  notes: null,
  seen: 1,
  confirms: false,
  ...change,
});

describe("corrections in a row", () => {
  test("are sorted newest first, whatever order they arrive in", () => {
    const [first, second, third] = [said({ at: 1 }), said({ at: 2, by: "bo" }), said({ at: 3 })];
    const orders = [
      [first, second, third],
      [third, second, first],
      [second, third, first, second],
    ];
    for (const order of orders) {
      expect(order.reduce<readonly Correction[]>(withCorrection, [])).toEqual([third, second, first]);
    }
  });

  test("within one millisecond, the correction that arrived last holds: it was sent last", () => {
    const [present, absent] = [said({ at: 5, status: "PRESENT" }), said({ at: 5, status: "ABSENT" })];
    const arrived = (...order: Correction[]) => order.reduce<readonly Correction[]>(withCorrection, []);
    expect(arrived(present, absent)).toEqual([absent, present]);
    expect(arrived(absent, present)).toEqual([present, absent]);
    expect(currentAttendanceOf({ history: [], corrections: arrived(present, absent) })?.status).toBe(
      "ABSENT",
    );
  });

  test.each<[string, Partial<Correction>, number]>([
    ["the same correction again is not stored twice", {}, 1],
    ["a correction by another person is stored too", { by: "bo" }, 2],
    ["a correction with another note is stored too", { notes: "bus" }, 2],
    ["a correction with another reason is stored too", { reason: "I saw her" }, 2],
    ["a correction at another time is stored too", { at: 101 }, 2],
  ])("%s", (_what, change, count) => {
    expect(withCorrection([said()], said(change))).toHaveLength(count);
  });

  test("conflict with a later report of the classroom only if it differs", () => {
    const later = (status: string) => currentAttendanceOf(facts([seen({ status, at: 200 })], [said()]));
    expect(later("PRESENT")?.conflicting).toBeNull();
    expect(later("LATE")?.conflicting).toMatchObject({ status: "LATE" });
  });
});

describe("a learner whom an instructor marks by name", () => {
  test("is corrected, with who, when and why", () => {
    expect(decideRow(mark, row(), facts([seen()]), 1)).toEqual({
      kind: "write",
      correction: { status: "PRESENT", notes: null, reason: "was in the back row", by: "ina", at: 1_000 },
    });
  });

  test("is corrected without a conflict although the classroom's clock is ahead of ours", () => {
    const decided = decideRow(mark, row(), facts([seen({ at: 5_000 })]), 1);
    if (decided.kind !== "write") throw new Error("nothing was written");
    const after = facts([seen({ at: 5_000 })], [decided.correction]);
    expect(currentAttendanceOf(after)).toMatchObject({ status: "PRESENT", conflicting: null });
    expect(
      currentAttendanceOf(facts([seen({ at: 5_001 }), ...after.history], [decided.correction])),
    ).toMatchObject({ status: "PRESENT", conflicting: { at: 5_001 } });
  });

  test("is corrected even after a correction from another machine whose clock is ahead", () => {
    const decided = decideRow(mark, row({ status: "LATE" }), facts([], [said({ by: "bo", at: 9_000 })]), 1);
    expect(decided).toMatchObject({ kind: "write", correction: { status: "LATE", at: 9_001 } });
  });

  test.each([
    ["somebody corrected the learner", facts([seen()], [said({ by: "bo", status: "LATE" })])],
    ["the classroom reported something else", facts([seen({ status: "LATE", at: 60 }), seen()])],
    ["the classroom first reported something", facts([seen()])],
  ])("is left alone when %s since the page was made", (_what, now) => {
    expect(decideRow(mark, row({ seen: 0 }), now, 2)).toEqual({ kind: "changed-meanwhile" });
  });

  test("is corrected when the classroom meanwhile reports what the instructor says", () => {
    expect(decideRow(mark, row({ seen: 0 }), facts([seen({ status: "PRESENT" })]), 1).kind).toBe("write");
  });

  test("is left alone when another instructor has since said the same", () => {
    expect(decideRow(mark, row({ seen: 1 }), facts([seen()], [said({ by: "bo" })]), 2).kind).toBe("already");
  });

  test("is not corrected twice by work that is repeated after a crash", () => {
    const done = facts([seen()], [said({ at: 1_000 })]);
    expect(decideRow(mark, row(), done, 2)).toEqual({ kind: "written" });
    const takenBack = facts([seen()], [said({ status: null, at: 1_000 }), said()]);
    expect(decideRow(mark, row({ status: null, seen: 2 }), takenBack, 3)).toEqual({ kind: "written" });
  });

  test("is left alone by repeated work when the same instructor has since said something else", () => {
    const since = facts([seen()], [said({ status: "LATE", at: 2_000 })]);
    expect(decideRow(mark, row(), since, 2)).toEqual({ kind: "changed-meanwhile" });
  });

  test("is not corrected again when an instructor confirms an undisputed mark", () => {
    const undisputed = facts([seen()], [said()]);
    expect(decideRow(mark, row({ confirms: true }), undisputed, 1)).toEqual({ kind: "already" });
  });

  test("goes back to what the classroom says, once", () => {
    const decided = decideRow(mark, row({ status: null, seen: 2 }), facts([seen()], [said()]), 2);
    expect(decided).toMatchObject({ kind: "write", correction: { status: null } });
    expect(decideRow(mark, row({ status: null, seen: 2 }), facts([seen()]), 2)).toEqual({ kind: "already" });
  });

  test("keeps a correction that the classroom contradicts only when the instructor says it again", () => {
    const disputed = facts([seen({ at: 200 })], [said()]);
    expect(decideRow(mark, row({ seen: 2 }), disputed, 2)).toEqual({ kind: "already" });
    const kept = decideRow(mark, row({ seen: 2, confirms: true }), disputed, 2);
    if (kept.kind !== "write") throw new Error("nothing was written");
    expect(
      currentAttendanceOf(facts(disputed.history, [kept.correction, ...disputed.corrections])),
    ).toMatchObject({ status: "PRESENT", conflicting: null });
  });

  test("is corrected when only the note differs", () => {
    const now = facts([seen()], [said()]);
    expect(decideRow(mark, row({ notes: "came by bus" }), now, 1)).toMatchObject({
      kind: "write",
      correction: { status: "PRESENT", notes: "came by bus" },
    });
  });
});

describe("a class marked as a whole", () => {
  const blanks = { who: "blanks", status: "ABSENT", sectionId: null } as const;
  const all = { who: "all", status: "ABSENT", sectionId: null } as const;

  test("filling blanks marks learners with no status", () => {
    expect(decideInClass(mark, blanks, facts([]))).toMatchObject({
      kind: "write",
      correction: { status: "ABSENT" },
    });
    expect(decideInClass(mark, blanks, facts([], [said({ status: null })])).kind).toBe("write");
  });

  test.each([
    ["the classroom has reported a status", facts([seen({ status: "LATE" })])],
    ["the classroom has reported an unknown status", facts([seen({ status: "LEFT" })])],
    ["an instructor has said something", facts([], [said()])],
  ])("filling blanks leaves a learner alone when %s", (_what, now) => {
    expect(decideInClass(mark, blanks, now)).toEqual({ kind: "already" });
  });

  test("setting all overrides classroom and instructor, and keeps an instructor's note", () => {
    expect(decideInClass(mark, all, facts([seen({ status: "PRESENT" })])).kind).toBe("write");
    expect(decideInClass(mark, all, facts([], [said({ notes: "ill" })]))).toMatchObject({
      kind: "write",
      correction: { status: "ABSENT", notes: "ill" },
    });
  });

  test("setting all leaves alone what somebody said after the button was pressed", () => {
    expect(decideInClass(mark, all, facts([], [said({ by: "bo", at: 1_001 })]))).toEqual({
      kind: "changed-meanwhile",
    });
  });

  test("pressing again, or repeating the work after a crash, changes nothing", () => {
    const done = facts([], [said({ status: "ABSENT", at: 1_000 })]);
    expect(decideInClass(mark, all, done)).toEqual({ kind: "written" });
    expect(decideInClass({ ...mark, at: 2_000 }, all, done)).toEqual({ kind: "already" });
    expect(decideInClass(mark, blanks, done)).toEqual({ kind: "written" });
  });

  test("setting all can go back to what the classroom says", () => {
    const back = { ...all, status: null };
    expect(decideInClass(mark, back, facts([seen()], [said({ notes: "ill" })]))).toMatchObject({
      kind: "write",
      correction: { status: null, notes: null },
    });
    expect(decideInClass(mark, back, facts([seen()]))).toEqual({ kind: "already" });
  });
});
