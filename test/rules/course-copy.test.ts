import { describe, expect, test } from "vitest";
import type { MinutesWorth } from "../../src/domain/grade-working.ts";
import {
  mayBeSource,
  nearestSource,
  settingsDifferences,
} from "../../src/modules/courses/rules/course-copy.ts";
import type { Course } from "../../src/domain/course.ts";
import { alwaysOpen } from "../../src/domain/entry.ts";
import { defaultGradePolicy, ruleDefaults } from "../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../src/domain/join-settings.ts";
import { capabilitiesOf } from "../../src/lms/products/capabilities-of.ts";

function course(contextId: string, change: Partial<Course> = {}): Course {
  return {
    id: `crs_${contextId}`,
    registrationId: "reg_1",
    deploymentId: "1",
    contextId,
    title: `Course ${contextId}`,
    label: "",
    environment: "production",
    spaceId: "space",
    settings: defaultJoinSettings,
    policy: defaultGradePolicy,
    policyRevision: 0,
    timeZone: null,
    lineItemsUrl: null,
    gradeScopes: [],
    membershipsUrl: null,
    groupsUrl: null,
    groupSetsUrl: null,
    history: [],
    copyAnswer: "open",
    courseUrl: null,
    asksFeedback: true,
    setUp: "open",
    door: alwaysOpen,
    spaceAccess: "unknown",
    settingsRevision: 0,
    createdAt: 0,
    ...change,
  };
}

const copy = course("9");
const nothing = { history: [], noticed: [], madeIn: null };
const known = [course("1"), course("2"), course("3")];

describe("the course that a copy came from", () => {
  test.each([
    ["nothing tells of a copy", nothing, null],
    ["the history names one course", { ...nothing, history: ["2"] }, "2"],
    ["the history names several: the newest", { ...nothing, history: ["3", "2", "1"] }, "3"],
    ["the newest is not known here", { ...nothing, history: ["77", "2", "1"] }, "2"],
    ["the history names only itself", { ...nothing, history: ["9"] }, null],
    ["only a notice tells", { ...nothing, noticed: ["1"] }, "1"],
    ["a notice and the history differ", { ...nothing, history: ["2"], noticed: ["1"] }, "2"],
    ["the history names nothing known, a notice does", { ...nothing, history: ["77"], noticed: ["1"] }, "1"],
    ["only a copied link tells", { ...nothing, madeIn: "crs_3" }, "3"],
    ["a copied link and the history differ", { history: ["2"], noticed: [], madeIn: "crs_3" }, "2"],
    ["a copied link names a course that is gone", { ...nothing, madeIn: "crs_77" }, null],
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

  test("in Canvas a course of the same deployment goes before one of another", () => {
    const found = nearestSource(copy, capabilitiesOf({ family: "canvas" }), { ...nothing, history: ["2"] }, [
      elsewhere,
      ...known,
    ]);
    expect(found?.id).toBe("crs_2");
  });
});

const threeAttended = { kind: "sessions", sessions: 3, before: "held" };
const byMinutes: MinutesWorth = {
  ...{ kind: "minutes", fullFrom: 80, tolerance: 5, below: "share", hidden: "counted" },
};

describe("what taking the settings of another course would change", () => {
  const present = { settings: defaultJoinSettings, policy: defaultGradePolicy, door: alwaysOpen };

  test("nothing between courses with the same settings", () => {
    expect(settingsDifferences(present, structuredClone(present))).toEqual([]);
  });

  test("every setting that differs, with the value it would have", () => {
    const settings = { ...defaultJoinSettings, galleryView: true, language: "fr" };
    expect(settingsDifferences(present, { ...present, settings })).toEqual([
      { kind: "setting", name: "galleryView", value: true },
      { kind: "setting", name: "language", value: "fr" },
    ]);
  });

  test("an entry window around sessions, with its minutes; sections are the course's own and do not count", () => {
    const around = { ...alwaysOpen, opens: "around-sessions" as const, minutesBefore: 30 };
    const offered = { ...present, door: around };
    expect(settingsDifferences(present, offered)).toEqual([
      { kind: "entry-times", minutesBefore: 30, minutesAfter: 15 },
    ]);
    expect(settingsDifferences(offered, present)).toEqual([{ kind: "entry-always" }]);
    expect(settingsDifferences(offered, { ...offered, door: { ...around, sectionIds: ["1"] } })).toEqual([]);
    expect(settingsDifferences(present, { ...present, door: { ...alwaysOpen, minutesAfter: 5 } })).toEqual(
      [],
    );
  });

  test("whether learners check in; a course that never said so does not", () => {
    const offered = { ...present, checkIn: true };
    expect(settingsDifferences(present, offered)).toEqual([{ kind: "check-in", on: true }]);
    expect(settingsDifferences(offered, present)).toEqual([{ kind: "check-in", on: false }]);
    expect(settingsDifferences(present, { ...present, checkIn: false })).toEqual([]);
  });

  test("every part of the way to a grade that differs", () => {
    const policy = {
      kind: "one-column" as const,
      points: 10,
      credit: { PRESENT: 100, LATE: 50, ABSENT: 0, EXCUSED: 100 },
      comment: true,
      ...ruleDefaults,
    };
    expect(settingsDifferences(present, { ...present, policy })).toEqual([
      { kind: "points", points: 10 },
      { kind: "credit", status: "LATE", percent: 50 },
      { kind: "credit", status: "EXCUSED", percent: 100 },
      { kind: "comment", on: true },
    ]);
  });

  const offeredFrom = (policy: object) => ({ ...present, policy: { ...defaultGradePolicy, ...policy } });

  test.each<[string, object, object, object[]]>([
    [
      "all planned",
      {},
      { denominator: { kind: "planned" } },
      [{ kind: "denominator", by: { kind: "planned" } }],
    ],
    [
      "another fixed number",
      { denominator: { kind: "fixed", sessions: 10 } },
      { denominator: { kind: "fixed", sessions: 12 } },
      [{ kind: "denominator", by: { kind: "fixed", sessions: 12 } }],
    ],
    ["the worst dropped", {}, { dropLowest: 2 }, [{ kind: "drop-lowest", sessions: 2 }]],
    ["nothing dropped any more", { dropLowest: 2 }, {}, [{ kind: "drop-lowest", sessions: 0 }]],
    ["a grade from three sessions on", {}, { minimumSessions: 3 }, [{ kind: "minimum", sessions: 3 }]],
    [
      "pass or fail",
      {},
      { formula: { kind: "pass-fail", percent: 60 } },
      [{ kind: "formula", formula: { kind: "pass-fail", percent: 60 } }],
    ],
    [
      "another share that is needed",
      { formula: { kind: "gate", percent: 60 } },
      { formula: { kind: "gate", percent: 75 } },
      [{ kind: "formula", formula: { kind: "gate", percent: 75 } }],
    ],
    [
      "completed after three sessions",
      {},
      { completion: threeAttended },
      [{ kind: "completion", completion: threeAttended }],
    ],
    [
      "the same rule for what completes",
      { completion: threeAttended },
      { completion: { ...threeAttended } },
      [],
    ],
    ["minutes in place of statuses", {}, { worth: byMinutes }, [{ kind: "worth", worth: byMinutes }]],
    [
      "another tolerance",
      { worth: { ...byMinutes, tolerance: 10 } },
      { worth: byMinutes },
      [{ kind: "worth", worth: byMinutes }],
    ],
    ["the same minutes", { worth: byMinutes }, { worth: { ...byMinutes } }, []],
    ["a column for each session", {}, { kind: "column-per-session" }, [{ kind: "columns", each: "session" }]],
    [
      "one column with something dropped",
      { kind: "column-per-session", dropLowest: 1 },
      { dropLowest: 1 },
      [
        { kind: "columns", each: "course" },
        { kind: "drop-lowest", sessions: 1 },
      ],
    ],
    [
      "options that columns of single sessions do not have",
      { kind: "column-per-session" },
      { kind: "column-per-session", dropLowest: 1, minimumSessions: 3, denominator: { kind: "planned" } },
      [],
    ],
  ])("how sessions make a grade: %s", (_what, before, after, differences) => {
    expect(settingsDifferences(offeredFrom(before), offeredFrom(after))).toEqual(differences);
  });

  test("a course without grades", () => {
    const without = { ...present, policy: { kind: "no-grades" as const } };
    expect(settingsDifferences(present, without)).toEqual([{ kind: "no-grades" }]);
    expect(settingsDifferences(without, without)).toEqual([]);
    expect(settingsDifferences(without, present).map(({ kind }) => kind)).toEqual([
      "points",
      "credit",
      "credit",
      "credit",
      "credit",
      "comment",
    ]);
  });
});
