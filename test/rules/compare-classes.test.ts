import { describe, expect, test } from "vitest";
import { compareClasses } from "../../src/modules/unplanned/rules/compare-classes.ts";
import type { FoundClass } from "../../src/modules/unplanned/rules/found-class.ts";
import type { UnplannedState } from "../../src/modules/unplanned/rules/records.ts";

const found = (startsAt: number, endsAt: number, learners = 5): FoundClass => ({
  ...{ startsAt, endsAt, learners, led: "staff" },
});
const kept = (id: string, startsAt: number, endsAt: number, state: UnplannedState = "waiting") => ({
  ...{ id, state, ...found(startsAt, endsAt) },
});
const nothing = { added: [], changed: [], removed: [], sessions: [] };

describe("late signs change what is asked", () => {
  test.each([
    ["nothing known, nothing found", [], [], nothing],
    ["a first class", [found(10, 20)], [], { ...nothing, added: [found(10, 20)] }],
    ["the same again", [found(10, 20)], [kept("a", 10, 20)], nothing],
    [
      "it grew",
      [found(10, 30)],
      [kept("a", 10, 20)],
      { ...nothing, changed: [{ id: "a", to: found(10, 30) }] },
    ],
    [
      "it began earlier",
      [found(5, 20)],
      [kept("a", 10, 20)],
      { ...nothing, changed: [{ id: "a", to: found(5, 20) }] },
    ],
    [
      "more people",
      [found(10, 20, 6)],
      [kept("a", 10, 20)],
      { ...nothing, changed: [{ id: "a", to: found(10, 20, 6) }] },
    ],
    [
      "two were one",
      [found(10, 40)],
      [kept("b", 30, 40), kept("a", 10, 20)],
      { ...nothing, changed: [{ id: "a", to: found(10, 40) }], removed: ["b"] },
    ],
    [
      "one was two",
      [found(10, 20), found(30, 40)],
      [kept("a", 10, 40)],
      { ...nothing, changed: [{ id: "a", to: found(10, 20) }], added: [found(30, 40)] },
    ],
    ["it was none", [], [kept("a", 10, 20)], { ...nothing, removed: ["a"] }],
    ["answered with no, not asked again", [found(10, 30)], [kept("a", 10, 20, "none")], nothing],
    [
      "a session, not asked again",
      [found(10, 30)],
      [kept("a", 10, 20, "class")],
      { ...nothing, sessions: ["a"] },
    ],
    [
      "a session, and one that waited was part of it",
      [found(10, 40)],
      [kept("a", 10, 20, "class"), kept("b", 30, 40)],
      { ...nothing, removed: ["b"], sessions: ["a"] },
    ],
    [
      "another after it",
      [found(10, 20), found(20, 40)],
      [kept("a", 10, 20, "class")],
      { ...nothing, added: [found(20, 40)], sessions: ["a"] },
    ],
    [
      "long ago, of which not all is read",
      [found(-5, 2)],
      [kept("a", -10, 2), kept("b", -20, -10, "class")],
      nothing,
    ],
  ])("%s", (_what, now, before, expected) => {
    expect(compareClasses(now, before, 0)).toEqual(expected);
  });

  test("once said, saying it again changes nothing", () => {
    const now = [found(10, 20), found(40, 60)];
    const { added } = compareClasses(now, [], 0);
    const stored = added.map((one, at) => ({ ...one, id: String(at), state: "waiting" as const }));
    expect(compareClasses(now, stored, 0)).toEqual(nothing);
  });
});
