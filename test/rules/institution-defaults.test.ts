import { describe, expect, test } from "vitest";
import { alwaysOpen } from "../../src/domain/entry.ts";
import { defaultGradePolicy, type GradePolicy } from "../../src/domain/grade-policy.ts";
import {
  beginningOf,
  belowLocks,
  type CourseValues,
  firstValues,
  inCourse,
  inLink,
  type InstitutionDefaults,
  keepsToLocks,
  lockedNames,
  nothingSet,
  type OptionName,
} from "../../src/settings/in-effect.ts";
import { defaultJoinSettings } from "../../src/settings/options.ts";
import type { Completion, MinutesWorth } from "../../src/domain/grade-working.ts";
import {
  defaultsOfForm,
  defaultsPosted,
  formOfDefaults,
} from "../../src/modules/console/pages/defaults-form.ts";
import { changedNames, defaultsFormView } from "../../src/modules/console/pages/defaults-view.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { ruleWith } from "../support/builders/grading-course.ts";

const plain: CourseValues = { ...firstValues, door: { ...alwaysOpen, sectionIds: ["1"] } };

const threeAttended: Completion = { kind: "sessions", sessions: 3, before: "held" };
const byMinutes: MinutesWorth = {
  kind: "minutes",
  fullFrom: 80,
  tolerance: 5,
  below: "nothing",
  hidden: "taken-off",
};

/** An institution that set every option. */
const everything: InstitutionDefaults = {
  ...nothingSet("reg_1"),
  values: {
    ...defaultJoinSettings,
    mode: "embedded",
    galleryView: true,
    call: "anyone",
    doorTimes: { opens: "around-sessions", minutesBefore: 5, minutesAfter: 0 },
    newSpace: { access: "Public", waitingRoom: true },
    checkIn: true,
    unplanned: { answer: "never", presentFrom: 75, lateAfter: 5 },
    reminders: 60,
    weekly: { digest: true, low: 75 },
    kind: "one-column",
    ...ruleWith({ points: 10, dropLowest: 2, worth: byMinutes, completion: threeAttended, comment: true }),
  },
};
const locking = (...locked: OptionName[]): InstitutionDefaults => ({ ...everything, locked });

describe("the values in a course", () => {
  test("are its own while the institution only has defaults", () => {
    expect(inCourse(plain, everything)).toEqual(plain);
  });

  test.each<[OptionName, object]>([
    ["mode", { settings: { ...plain.settings, mode: "embedded" } }],
    ["call", { settings: { ...plain.settings, call: "anyone" } }],
    ["galleryView", { settings: { ...plain.settings, galleryView: true } }],
    ["newSpace", { newSpace: { access: "Public", waitingRoom: true } }],
    [
      "doorTimes",
      { door: { opens: "around-sessions", minutesBefore: 5, minutesAfter: 0, sectionIds: ["1"] } },
    ],
    ["checkIn", { checkIn: true }],
    ["unplanned", { unplanned: everything.values.unplanned }],
    ["reminders", { reminders: 60 }],
    ["weekly", { weekly: { digest: true, low: 75 } }],
    ["points", { policy: { ...defaultGradePolicy, points: 10 } }],
    ["worth", { policy: { ...defaultGradePolicy, worth: byMinutes } }],
    ["dropLowest", { policy: { ...defaultGradePolicy, dropLowest: 2 } }],
    ["completion", { policy: { ...defaultGradePolicy, completion: threeAttended } }],
    ["comment", { policy: { ...defaultGradePolicy, comment: true } }],
  ])("include the locked %s, and are its own otherwise", (name, change) => {
    expect(inCourse(plain, locking(name))).toEqual({ ...plain, ...change });
  });

  test("follow the institution in mails and unplanned classes until the course chooses", () => {
    const { settings, door, policy, newSpace } = plain;
    const { unplanned, reminders, weekly } = everything.values;
    const own = { settings, door, policy, newSpace, reminders: null };
    expect(inCourse(own, everything)).toMatchObject({ unplanned, reminders, weekly, checkIn: false });
    expect(inCourse({ ...own, reminders: 0 }, everything)).toMatchObject({ reminders: 0, weekly });
    expect(inCourse({ ...own, reminders: 0 }, locking("reminders"))).toMatchObject({ reminders: 60 });
    expect(inCourse(own, nothingSet("reg_1"))).toEqual(plain);
  });

  test("do not change through a lock without a value", () => {
    const rules: InstitutionDefaults = { ...nothingSet("reg_1"), locked: ["mode", "points", "doorTimes"] };
    expect(lockedNames(rules)).toEqual([]);
    expect(inCourse(plain, rules)).toEqual(plain);
  });

  test("include the institution's way of grading when grades are required", () => {
    const without: CourseValues = { ...plain, policy: { kind: "no-grades" } };
    expect(inCourse(without, locking("points")).policy, "nothing to have points").toEqual({
      kind: "no-grades",
    });
    expect(inCourse(without, locking("kind")).policy).toEqual({
      kind: "one-column",
      ...ruleWith({ points: 10, dropLowest: 2, worth: byMinutes, completion: threeAttended, comment: true }),
    });
  });

  test("include no grades when grades are forbidden", () => {
    const rules: InstitutionDefaults = { ...locking("kind"), values: { kind: "no-grades" } };
    expect(inCourse(plain, rules).policy).toEqual({ kind: "no-grades" });
  });

  test("also override the settings of a link", () => {
    const link = {
      door: { opens: "always" as const, sectionIds: ["2"] },
      settings: { galleryView: false, language: "de" },
      customSettings: { mode: "tab" as const },
    };
    const course = {
      ...inCourse(plain, locking("galleryView", "mode")),
      locked: ["galleryView", "mode"] as const,
    };
    expect(inLink(course, link).settings).toMatchObject({
      galleryView: true,
      mode: "embedded",
      language: "de",
    });
    const closed = { ...inCourse(plain, locking("doorTimes")), locked: ["doorTimes"] as const };
    expect(inLink(closed, link).door).toEqual({
      opens: "around-sessions",
      minutesBefore: 5,
      minutesAfter: 0,
      sectionIds: ["2"],
    });
  });
});

describe("the values a new course begins with", () => {
  test("are all those the institution set, locked or not", () => {
    const { values } = everything;
    expect(beginningOf(plain, everything)).toMatchObject({
      settings: { mode: "embedded", galleryView: true, call: "anyone" },
      door: { ...values.doorTimes, sectionIds: ["1"] },
      newSpace: values.newSpace,
      policy: { kind: "one-column", points: 10, dropLowest: 2, comment: true },
    });
  });

  test("are the tool's own if nothing is set", () => {
    expect(beginningOf(plain, nothingSet("reg_1"))).toEqual(plain);
  });
});

describe("somebody who saves with locked options", () => {
  const rules = locking("galleryView", "points", "doorTimes");
  const held = inCourse(plain, rules);

  test.each<[string, Partial<CourseValues>, boolean]>([
    ["what is not locked", { settings: { ...held.settings, language: "fr" } }, true],
    ["the sections that may enter", { door: { ...held.door, sectionIds: [] } }, true],
    ["a locked setting", { settings: { ...held.settings, galleryView: false } }, false],
    ["a locked entry window", { door: { ...held.door, minutesBefore: 6 } }, false],
    ["locked points", { policy: { kind: "one-column", ...ruleWith({ points: 20 }) } }, false],
    ["the kind of grades", { policy: { kind: "column-per-session", ...ruleWith({ points: 10 }) } }, true],
    ["not to give grades", { policy: { kind: "no-grades" } }, true],
  ])("may or may not change %s", (_what, change, allowed) => {
    expect(keepsToLocks(held, { ...held, ...change }, rules.locked)).toBe(allowed);
  });

  test("cannot give grades when grades are forbidden", () => {
    const none: InstitutionDefaults = { ...locking("kind"), values: { kind: "no-grades" } };
    const now = inCourse(plain, none);
    expect(keepsToLocks(now, { ...now, policy: defaultGradePolicy }, none.locked)).toBe(false);
    expect(keepsToLocks(now, { ...now, door: alwaysOpen }, none.locked)).toBe(true);
  });

  test("keeps the course's own values for when the locks are removed", () => {
    const wanted = { ...held, settings: { ...held.settings, language: "fr" } };
    const kept = belowLocks(plain, wanted, rules.locked);
    expect(kept.settings).toEqual({ ...plain.settings, language: "fr" });
    expect(kept).toMatchObject({ door: plain.door, newSpace: plain.newSpace, policy: plain.policy });
    expect(inCourse({ ...plain, ...kept }, rules)).toEqual(wanted);
  });

  test.each<[string, GradePolicy, GradePolicy, OptionName[], GradePolicy]>([
    ["a rule under “no grades”", defaultGradePolicy, { kind: "no-grades" }, ["kind"], defaultGradePolicy],
    [
      "other points under locked credit",
      { kind: "one-column", ...ruleWith({ credit: { PRESENT: 90, LATE: 50, ABSENT: 0, EXCUSED: null } }) },
      { kind: "one-column", ...ruleWith({ points: 50 }) },
      ["credit"],
      {
        kind: "one-column",
        ...ruleWith({ points: 50, credit: { PRESENT: 90, LATE: 50, ABSENT: 0, EXCUSED: null } }),
      },
    ],
  ])("keeps %s", (_what, own, wanted, locked, kept) => {
    expect(belowLocks({ ...plain, policy: own }, { ...plain, policy: wanted }, locked).policy).toEqual(kept);
  });
});

describe("the form of an institution", () => {
  const seen = { registrationId: "reg_1", revision: 3 };

  test("gives back the values it was made from", () => {
    const stored: InstitutionDefaults = {
      ...locking("galleryView", "credit"),
      ...seen,
      staff: { developer: "teach" },
    };
    expect(defaultsOfForm(formOfDefaults(stored), seen).defaults).toEqual(stored);
    const nothing = { ...nothingSet("reg_1"), revision: 3 };
    expect(defaultsOfForm(formOfDefaults(nothing), seen).defaults).toEqual(nothing);
  });

  test("sets nothing when it is empty or has unknown values", () => {
    const foreign = { "state-mode": "open", mode: "tab", "staff-developer": "everything" };
    const unplanned = { answer: "always", presentFrom: "101", lateAfter: "5" };
    for (const body of [{}, null, foreign, unplanned])
      expect(defaultsOfForm(defaultsPosted(body), seen).defaults).toEqual({
        ...nothingSet("reg_1"),
        revision: 3,
      });
  });

  test("reports problems with options that are set, and with no others", () => {
    const posted = {
      "state-points": "locked",
      points: "0",
      dropLowest: "many",
      "state-doorTimes": "default",
      opens: "around-sessions",
      minutesBefore: "soon",
      minutesAfter: "5",
      "state-mode": "default",
      mode: "sideways",
      "state-unplanned": "locked",
      answer: "always",
      presentFrom: "101",
      lateAfter: "5",
      "state-weekly": "",
      low: "101",
    };
    expect(defaultsOfForm(defaultsPosted(posted), seen).problems).toEqual({
      options: { minutesBefore: "minutes", mode: "choose", presentFrom: "choose" },
      grading: { points: "whole" },
    });
  });

  test("names what another person has changed meanwhile, including parts of the grading", () => {
    const form = formOfDefaults(nothingSet("reg_1"));
    const typed = { ...form, options: { ...form.options, LATE: "50", fixedSessions: "9", mode: "embedded" } };
    const labels = ["Where the classroom opens", "Credit per status", "Calculate from"];
    expect(changedNames(createTranslator()("en"), nothingSet("reg_1"), typed)).toEqual(labels);
    expect(changedNames(createTranslator()("en"), nothingSet("reg_1"), form)).toEqual([]);
  });

  test("names a wrong field as its page does", () => {
    const wrong = { gradesUntil: "choose", limit1Number: "limit", minutesBefore: "minutes" } as const;
    const form = formOfDefaults(nothingSet("reg_1"));
    const view = defaultsFormView(createTranslator()("en"), form, { options: wrong, grading: {} });
    expect(view.wrong.map(({ label }) => label)).toEqual([
      "Last day for grades",
      "Number",
      "Minutes before a session",
    ]);
  });

  test("keeps a rule under “no grades”", () => {
    const posted = { "state-kind": "default", kind: "no-grades", "state-points": "default", points: "20" };
    expect(defaultsOfForm(defaultsPosted(posted), seen).defaults?.values).toEqual({
      kind: "no-grades",
      points: 20,
    });
  });
});
