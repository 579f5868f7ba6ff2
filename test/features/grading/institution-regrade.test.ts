import { beforeEach, expect, test } from "vitest";
import { nothingSet } from "../../../src/settings/in-effect.ts";
import { regradeInstitution } from "../../../src/modules/grading/regrade.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { openGradingCourse } from "../../support/builders/grading-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const course = await forAllTests(openGradingCourse());
beforeEach(() => course.empty());

const rules = { ...nothingSet("reg_1"), values: { points: 10 }, locked: ["points" as const] };

test("a lock changes the grades of the course, and removing it restores them", async () => {
  await course.learner("Anna");
  await course.fact("Anna", "one", "PRESENT");
  await course.grade("Anna");
  expect(await course.scores()).toEqual({ "Anna attendance": 100 });
  const { institutionDefaults } = course.stores;
  await institutionDefaults.change(rules, { regrades: true });
  expect(await regradeInstitution(course.deps)).toBe(true);
  expect(await regradeInstitution(course.deps), "once").toBe(false);
  await course.regrade();
  expect(await course.scores()).toEqual({ "Anna attendance": 10 });
  await institutionDefaults.change({ ...nothingSet("reg_1"), revision: 1 }, { regrades: true });
  await regradeInstitution(course.deps);
  await course.regrade();
  expect(await course.scores()).toEqual({ "Anna attendance": 100 });
});

test("another process continues what a killed one began, and another change starts again", async () => {
  const { institutionDefaults, regrades } = course.stores;
  await institutionDefaults.change(rules, { regrades: true });
  const now = course.clock.now();
  const killed = await institutionDefaults.claimRegrade("killed", now, now + leaseMs);
  expect(killed).toMatchObject({ registrationId: "reg_1", revision: 1 });
  expect(await regradeInstitution(course.deps), "it is claimed").toBe(false);
  await institutionDefaults.change({ ...rules, revision: 1 }, { regrades: true });
  expect(killed !== null && (await institutionDefaults.regraded(killed, "killed", null))).toBe(false);
  course.pass(leaseMs + 1);
  expect(await regradeInstitution(course.deps)).toBe(true);
  expect((await regrades.find(course.key))?.wanted).toBe(1);
});

test("the second of two people who change the same values is refused", async () => {
  const { institutionDefaults } = course.stores;
  const both = [1, 2].map(() => institutionDefaults.change(rules, { regrades: false }));
  expect((await Promise.all(both)).sort()).toEqual([false, true]);
  expect(await institutionDefaults.change(rules, { regrades: false })).toBe(false);
  expect(await institutionDefaults.find("reg_1")).toEqual({ ...rules, revision: 1 });
});
