import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { MinutesWorth } from "../../src/domain/grade-working.ts";
import {
  comparable,
  mayBeSource,
  nearestSource,
  withSettingsOf,
} from "../../src/modules/courses/rules/course.ts";
import type { Course } from "../../src/domain/course.ts";
import { alwaysOpen } from "../../src/domain/entry.ts";
import { defaultGradePolicy } from "../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../src/settings/options.ts";
import { capabilitiesOf } from "../../src/lms/products/products.ts";
import { keptCourse } from "../support/builders/launched-course.ts";

const course = (contextId: string, change: Partial<Course> = {}) =>
  keptCourse({
    id: `crs_${contextId}`,
    contextId,
    title: `Course ${contextId}`,
    label: "",
    spaceId: "space",
    ...change,
  });

const copy = course("9");
const nothing = { history: [], noticed: [], madeIn: null };
const known = [course("1"), course("2"), course("3")];

describe("the course that a copy came from", () => {
  test.each([
    ["no evidence of a copy", nothing, null],
    ["the history names one course", { ...nothing, history: ["2"] }, "2"],
    ["the history names several courses: the newest counts", { ...nothing, history: ["3", "2", "1"] }, "3"],
    ["the newest course in the history is unknown here", { ...nothing, history: ["77", "2", "1"] }, "2"],
    ["the history names only itself", { ...nothing, history: ["9"] }, null],
    ["only a notice names a course", { ...nothing, noticed: ["1"] }, "1"],
    ["a notice and the history differ", { ...nothing, history: ["2"], noticed: ["1"] }, "2"],
    ["only a notice names a known course", { ...nothing, history: ["77"], noticed: ["1"] }, "1"],
    ["only a copied link names a course", { ...nothing, madeIn: "crs_3" }, "3"],
    ["a copied link and the history differ", { history: ["2"], noticed: [], madeIn: "crs_3" }, "2"],
    ["a copied link names a course that no longer exists", { ...nothing, madeIn: "crs_77" }, null],
  ])("%s", (_what, evidence, expected) => {
    expect(
      nearestSource(copy, capabilitiesOf({ family: "moodle" }), evidence, [...known, copy])?.contextId ??
        null,
    ).toBe(expected);
  });

  const elsewhere = course("2", { id: "crs_else", deploymentId: "2" });
  test.each([
    ["another LMS's course with the same id", "canvas", course("2", { registrationId: "reg_2" }), false],
    ["another deployment's course with the same id", "moodle", elsewhere, false],
    ["another deployment's course of an LMS we do not know", "other", elsewhere, false],
    ["a course of another deployment in Canvas, where each course may have one", "canvas", elsewhere, true],
    ["the course itself", "canvas", copy, false],
  ] as const)("%s", (_what, family, candidate, expected) => {
    expect(mayBeSource(copy, capabilitiesOf({ family }), candidate)).toBe(expected);
  });

  test("in Canvas a course of the same deployment is preferred to one of another", () => {
    const found = nearestSource(copy, capabilitiesOf({ family: "canvas" }), { ...nothing, history: ["2"] }, [
      elsewhere,
      ...known,
    ]);
    expect(found?.id).toBe("crs_2");
  });
});

const byMinutes: MinutesWorth = {
  kind: "minutes",
  fullFrom: 80,
  tolerance: 5,
  below: "share",
  hidden: "counted",
};
const around = { ...alwaysOpen, opens: "around-sessions" as const, minutesBefore: 30 };
const withPolicy = (policy: object) => ({ policy: { ...defaultGradePolicy, ...policy } });
const perSession = { kind: "column-per-session" };

describe("taking the settings of another course", () => {
  test.each<[string, Partial<Course>, Partial<Course>, changes: boolean]>([
    ["the same settings", {}, {}, false],
    ["another setting", {}, { settings: { ...defaultJoinSettings, galleryView: true } }, true],
    ["an entry window", {}, { door: around }, true],
    ["no entry window", { door: around }, {}, true],
    ["other minutes", { door: around }, { door: { ...around, minutesAfter: 5 } }, true],
    [
      "other sections, which belong to each course",
      {},
      { door: { ...alwaysOpen, sectionIds: ["1"] } },
      false,
    ],
    ["minutes of an entry that is always open", {}, { door: { ...alwaysOpen, minutesAfter: 5 } }, false],
    ["check-in", {}, { checkIn: true }, true],
    ["no check-in, which is the default", {}, { checkIn: false }, false],
    ["other points", {}, withPolicy({ points: 10 }), true],
    ["a dropped session", {}, withPolicy({ dropLowest: 2 }), true],
    ["nothing dropped", withPolicy({ dropLowest: 2 }), {}, true],
    ["minutes in place of statuses", {}, withPolicy({ worth: byMinutes }), true],
    ["the same minutes", withPolicy({ worth: byMinutes }), withPolicy({ worth: { ...byMinutes } }), false],
    ["a column for each session", {}, withPolicy(perSession), true],
    [
      "minutes in columns of single sessions",
      withPolicy(perSession),
      withPolicy({ ...perSession, worth: byMinutes }),
      true,
    ],
    [
      "options that columns of single sessions do not have",
      withPolicy(perSession),
      withPolicy({ ...perSession, dropLowest: 1, minimumSessions: 3, denominator: { kind: "planned" } }),
      false,
    ],
    ["no grades", {}, { policy: { kind: "no-grades" } }, true],
  ])("changes something if the other course has %s: %s", (_what, ours, theirs, changes) => {
    const [present, source] = [course("1", ours), course("2", theirs)];
    const after = withSettingsOf(source, present);
    expect(isDeepStrictEqual(comparable(present), comparable(after))).toBe(!changes);
  });

  test("leaves the Space, sections and everything else of the course unchanged", () => {
    const present = course("1", { door: { ...alwaysOpen, sectionIds: ["7"] } });
    const source = course("2", { door: { ...around, sectionIds: ["1"] }, checkIn: true, spaceId: "other" });
    expect(withSettingsOf(source, present)).toEqual({
      ...present,
      checkIn: true,
      door: { ...around, sectionIds: ["7"] },
    });
  });
});
