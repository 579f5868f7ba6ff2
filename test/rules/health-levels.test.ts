import { describe, expect, test } from "vitest";
import {
  asHealth,
  byHealth,
  lastDay,
  launchesFail,
  healthOf,
  healthOfAccount,
  linesPage,
} from "../../src/modules/operations/rules/health.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = 100 * day;

const used = { active: true, alarms: [], lastLaunchAt: now, refusedScores: 0, partDown: false };
const lms = { ...used, account: "on" as const };
test.each([
  ["good", { ...lms, lastLaunchAt: now - 30 * day }],
  ["quiet", { ...lms, lastLaunchAt: now - 30 * day - 1 }],
  ["quiet", { ...lms, lastLaunchAt: null }],
  ["check", { ...lms, alarms: [{ what: "lms-closed" }] }],
  ["check", { ...lms, alarms: [{ what: "lms-silent" }] }],
  ["check", { ...lms, refusedScores: 1 }],
  ["check", { ...lms, partDown: true }],
  ["check", { ...lms, active: false, alarms: [{ what: "new-deployments" }], lastLaunchAt: null }],
  ["down", { ...lms, alarms: [{ what: "lms-refused" }] }],
  ["down", { ...lms, alarms: [{ what: "connection" }], lastLaunchAt: null }],
  ["down", { ...lms, alarms: [{ what: "launches-fail" }], lastLaunchAt: null }],
  ["down", { ...lms, account: "down" as const }],
  ["off", { ...lms, account: "paused" as const }],
  ["off", { ...lms, active: false, refusedScores: 3 }],
])("an LMS is %s", (health, facts) => expect(healthOf(facts, now)).toBe(health));

const well = { state: "on" as const, toCheck: false, lastLaunchAt: now };
test.each([
  ["good", well],
  ["quiet", { ...well, lastLaunchAt: null }],
  ["check", { ...well, toCheck: true }],
  ["down", { ...well, state: "down" as const, toCheck: true }],
  ["off", { ...well, state: "paused" as const }],
])("a classroom account is %s", (health, facts) => expect(healthOfAccount(facts, now)).toBe(health));

test("sorts by health, then by failures, then by waiting scores", () => {
  const lines = [
    { health: "good" as const, failures: 0, scoresWaiting: 2 },
    { health: "off" as const, failures: 0, scoresWaiting: 9 },
    { health: "down" as const, failures: 0, scoresWaiting: 0 },
    { health: "good" as const, failures: 0, scoresWaiting: 7 },
    { health: "good" as const, failures: 1, scoresWaiting: 0 },
    { health: "check" as const, failures: 0, scoresWaiting: 0 },
  ];
  expect(
    lines.toSorted(byHealth).map((one) => [one.health, one.failures, one.scoresWaiting].join(" ")),
  ).toEqual(["down 0 0", "check 0 0", "good 1 0", "good 0 7", "good 0 2", "off 0 9"]);
});

describe("Failed launches of the last day", () => {
  test("cover 24 hours of UTC, including the current one", () => {
    expect(lastDay(now + 20 * 60_000)).toEqual({ from: now - 23 * hour, before: now + hour });
    expect(lastDay(now)).toEqual({ from: now - 23 * hour, before: now + hour });
    expect(lastDay(now - 1)).toEqual({ from: now - 24 * hour, before: now });
  });

  const of = (...counts: readonly number[]) => counts.map((count, n) => ({ hour: (n + 1) * hour, count }));

  test.each([
    ["nobody ever got in", of(2, 0, 1), null, { count: 3, since: hour }],
    ["nobody has got in since", of(9, 2, 3), hour + 5, { count: 5, since: 2 * hour }],
    ["the LMS broke just after somebody got in", of(9, 9), hour, { count: 9, since: 2 * hour }],
    ["somebody has got in since", of(9, 9), 2 * hour + 5, null],
    ["only two failed: one person may have tried twice", of(2), null, null],
    ["no launch failed", [], null, null],
  ])("show that nobody gets in, since when: %s", (_what, hours, lastLaunchAt, fails) => {
    expect(launchesFail(hours, lastLaunchAt)).toEqual(fails);
  });
});

describe("Two hundred lines", () => {
  const lines = Array.from({ length: 200 }, (_none, n) => ({
    name: `École ${n}`,
    health: n < 3 ? ("down" as const) : ("good" as const),
  }));
  const page = (query: Partial<Parameters<typeof linesPage>[2]>) =>
    linesPage(lines, ({ name }) => name, { typed: "", health: null, page: 1, pageSize: 25, ...query });

  test("are shown 25 at a time, and pages beyond the last show the last", () => {
    const { rows, pages, first, last, found, counts } = page({});
    expect([rows.length, pages, first, last, found]).toEqual([25, 8, 1, 25, 200]);
    expect(counts).toEqual({ down: 3, check: 0, quiet: 0, good: 197, off: 0 });
    expect(page({ page: 8 }).last).toBe(200);
    expect(page({ page: 99 }).page).toBe(8);
    expect(page({ page: 0 }).page).toBe(1);
  });

  test("are found by any part of a name, ignoring accents and capitals", () => {
    expect(page({ typed: "ecole 19" }).rows.map(({ name }) => name)).toEqual([
      "École 19",
      ...Array.from({ length: 10 }, (_none, n) => `École 19${n}`),
    ]);
    expect(page({ typed: "LE 199" }).found).toBe(1);
    expect(page({ typed: "nowhere" })).toMatchObject({ rows: [], pages: 1, first: 0, last: 0, found: 0 });
  });

  test("are filtered by health, with counts for the search text", () => {
    expect(page({ health: "down" }).rows).toHaveLength(3);
    expect(page({ health: "down", typed: "ecole 2" })).toMatchObject({ found: 1, counts: { down: 1 } });
    expect([asHealth("down"), asHealth("red"), asHealth(["down"])]).toEqual(["down", null, null]);
  });
});
