import { expect, test } from "vitest";
import { byLight, lightOf } from "../../src/modules/operations/lms-light.ts";

const day = 24 * 3_600_000;
const now = 100 * day;

test.each([
  ["good", { active: true, alarms: [], lastLaunchAt: now - 30 * day }],
  ["quiet", { active: true, alarms: [], lastLaunchAt: now - 30 * day - 1 }],
  ["quiet", { active: true, alarms: [], lastLaunchAt: null }],
  ["check", { active: true, alarms: [{ what: "lms-closed" as const }], lastLaunchAt: now }],
  ["check", { active: false, alarms: [{ what: "new-deployments" as const }], lastLaunchAt: null }],
  ["down", { active: true, alarms: [{ what: "lms-refused" as const }], lastLaunchAt: now }],
  ["down", { active: true, alarms: [{ what: "connection" as const }], lastLaunchAt: null }],
  ["off", { active: false, alarms: [], lastLaunchAt: now }],
])("the light of an LMS is %s", (light, facts) => {
  expect(lightOf(facts, now)).toBe(light);
});

test("the worst LMS is first, and of two alike the one with more scores that wait", () => {
  const lines = [
    { light: "good" as const, scoresWaiting: 2 },
    { light: "off" as const, scoresWaiting: 9 },
    { light: "down" as const, scoresWaiting: 0 },
    { light: "good" as const, scoresWaiting: 7 },
    { light: "check" as const, scoresWaiting: 0 },
  ];
  expect(lines.toSorted(byLight).map(({ light, scoresWaiting }) => [light, scoresWaiting])).toEqual([
    ["down", 0],
    ["check", 0],
    ["good", 7],
    ["good", 2],
    ["off", 9],
  ]);
});
