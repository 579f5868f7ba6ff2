import { describe, expect, test } from "vitest";
import {
  compareClasses,
  timetableChanges,
  typedTimes,
  type UnplannedState,
} from "../../src/modules/unplanned/rules/compare-classes.ts";
import type { FoundClass } from "../../src/modules/unplanned/rules/found-class.ts";

const found = (startsAt: number, endsAt: number, learners = 5): FoundClass => ({
  startsAt,
  endsAt,
  learners,
  led: "staff",
});
const kept = (id: string, startsAt: number, endsAt: number, state: UnplannedState = "waiting") => ({
  id,
  state,
  ...found(startsAt, endsAt),
});
/** "adds 10-20": with five learners, unless it says how many. */
function changesOf(now: FoundClass[], before: ReturnType<typeof kept>[]): string {
  const { added, changed, removed, sessions } = compareClasses(now, before, 0);
  const text = ({ startsAt, endsAt, learners }: FoundClass) =>
    `${startsAt}-${endsAt}${learners === 5 ? "" : ` of ${learners}`}`;
  return [
    ...changed.map(({ id, to }) => `${id} becomes ${text(to)}`),
    ...added.map((one) => `adds ${text(one)}`),
    ...removed.map((id) => `removes ${id}`),
    ...sessions.map((id) => `${id} is a session`),
  ].join(", ");
}

describe("late reports change what is asked", () => {
  test.each([
    ["nothing known, nothing found", [], [], ""],
    ["a first class", [found(10, 20)], [], "adds 10-20"],
    ["the same class again", [found(10, 20)], [kept("a", 10, 20)], ""],
    ["it grew", [found(10, 30)], [kept("a", 10, 20)], "a becomes 10-30"],
    ["it began earlier", [found(5, 20)], [kept("a", 10, 20)], "a becomes 5-20"],
    ["more people", [found(10, 20, 6)], [kept("a", 10, 20)], "a becomes 10-20 of 6"],
    ["two merged", [found(10, 40)], [kept("b", 30, 40), kept("a", 10, 20)], "a becomes 10-40, removes b"],
    ["one split", [found(10, 20), found(30, 40)], [kept("a", 10, 40)], "a becomes 10-20, adds 30-40"],
    ["it was not a class", [], [kept("a", 10, 20)], "removes a"],
    ["a class answered with no, which is not asked again", [found(10, 30)], [kept("a", 10, 20, "none")], ""],
    ["a session, which is not asked again", [found(10, 30)], [kept("a", 10, 20, "class")], "a is a session"],
    [
      "a session, which an open question turns out to be part of",
      [found(10, 40)],
      [kept("a", 10, 20, "class"), kept("b", 30, 40)],
      "removes b, a is a session",
    ],
    [
      "another class after a session",
      [found(10, 20), found(20, 40)],
      [kept("a", 10, 20, "class")],
      "adds 20-40, a is a session",
    ],
    [
      "an old class of which not everything is read",
      [found(-5, 2)],
      [kept("a", -10, 2), kept("b", -20, -10, "class")],
      "",
    ],
  ])("%s", (_what, now, before, expected) => expect(changesOf(now, before)).toBe(expected));

  test("saying the same thing again changes nothing", () => {
    const now = [found(10, 20), found(40, 60)];
    const { added } = compareClasses(now, [], 0);
    const stored = added.map((one, at) => ({ ...one, id: String(at), state: "waiting" as const }));
    expect(changesOf(now, stored)).toBe("");
  });
});

describe("one hour is one session, however the timetable changes", () => {
  const hour = 3_600_000;
  const planned = (from: number, change = {}) => ({
    eventId: "e",
    startsAt: from * hour,
    endsAt: (from + 1) * hour,
    cancelled: false,
    ...change,
  });
  const one = (state: UnplannedState) => kept("a", 10 * hour, 11 * hour, state);
  test.each([
    ["a session planned for the same hour", one("class"), planned(10), ["planned", "e"]],
    ["a session planned for another hour", one("class"), planned(12), null],
    ["a cancelled session in the same hour", one("class"), planned(10, { cancelled: true }), null],
    ["a session planned here, and not created yet", one("class"), planned(10, { eventId: null }), null],
    ["a planned session that is still there", one("planned"), planned(10), null],
    ["a planned session that was moved or deleted", one("planned"), planned(14), ["class", null]],
    ["a session planned for an hour that was no class", one("none"), planned(10), null],
  ])("%s", (_what, of, session, expected) => {
    const [change] = timetableChanges([of], [session]);
    expect(change === undefined ? null : [change.to, change.eventId]).toEqual(expected);
  });
});

describe("correcting the times of a class", () => {
  const at = (clock: string, day = 25) => Date.parse(`2026-11-${day}T${clock}:00Z`);
  const late = { startsAt: at("22:30") + 17_000, endsAt: at("06:30", 26) + 5_000 };
  const now = at("09:00", 27);
  test.each([
    ["unchanged, to the second", "23:30", "07:30", "22:30:17-06:30:05"],
    ["an earlier end, before midnight", "23:30", "23:45", "22:30:17-22:45:00"],
    ["an earlier end, after midnight", "23:30", "00:30", "22:30:17-23:30:00"],
    ["a later start, over midnight", "00:10", "00:50", "23:10:00-23:50:00"],
    ["an earlier start", "23:00", "00:00", "22:00:00-23:00:00"],
    ["the original end with another start", "00:30", "07:30", "23:30:00-06:30:00"],
    ["twelve hours", "23:00", "11:00", "22:00:00-10:00:00"],
    ["refuses longer than twelve hours", "23:30", "12:00", null],
    ["refuses what is not a time", "23:30", "half past", null],
    ["refuses what is not an hour", "24:30", "00:00", null],
  ])("%s", (_what, began, ended, expected) => {
    const times = typedTimes(late, { began, ended }, "Europe/Berlin", now);
    const clock = (moment: number) => new Date(moment).toISOString().slice(11, 19);
    expect(times === null ? null : `${clock(times.startsAt)}-${clock(times.endsAt)}`).toBe(expected);
  });

  test("refuses an end in the future", () => {
    const typed = { began: "10:00", ended: "11:30" };
    const found = { startsAt: at("10:00"), endsAt: at("11:00") };
    expect(typedTimes(found, typed, "UTC", at("11:29"))).toBe(null);
    expect(typedTimes(found, typed, "UTC", at("11:30"))).toEqual({
      startsAt: at("10:00"),
      endsAt: at("11:30"),
    });
  });
});
