import { describe, expect, test } from "vitest";
import { type EntryWindow, alwaysOpen } from "../../src/domain/entry.ts";
import { defaultJoinSettings, type JoinSettings } from "../../src/settings/options.ts";
import { afterConflict, formOfText, joinAnswers, withoutLocked } from "../../src/settings/forms.ts";
import { openSpace } from "../../src/domain/course-link.ts";
import {
  formOfPosted,
  rulesOfCourseForm,
  rulesOfLinkForm,
  settingsFields,
  type SettingsForm,
} from "../../src/modules/courses/pages/settings-form.ts";
import { usualSettings } from "../support/tool/forms.ts";

const form: SettingsForm = { ...usualSettings, sections: "[]", newAccess: "Public", newWaiting: "no" };
const inherited: SettingsForm = { ...form, ...joinAnswers({}), opens: "", who: "" };

describe("the form of a course", () => {
  test("with its first values gives the default settings", () => {
    expect(rulesOfCourseForm(form).rules).toEqual({
      settings: defaultJoinSettings,
      door: alwaysOpen,
      spaceAccess: "unknown",
      newSpace: openSpace,
    });
  });

  test.each<[string, Partial<SettingsForm>, object]>([
    ["an unknown language", { language: "xx" }, { language: "choose" }],
    ["a locale for a language", { language: "de-AT" }, { language: "choose" }],
    ["an empty answer: a course has nothing to inherit", { mode: "" }, { mode: "choose" }],
    ["an invented answer", { call: "everybody<script>" }, { call: "choose" }],
    ["no opening times", { opens: "" }, { opens: "choose" }],
    ["too many minutes", { opens: "around-sessions", minutesBefore: "1441" }, { minutesBefore: "minutes" }],
    [
      "minutes in words",
      { opens: "around-sessions", minutesBefore: "ten", minutesAfter: "-1" },
      { minutesBefore: "minutes", minutesAfter: "minutes" },
    ],
    ["“some sections”, but none ticked", { who: "some" }, { sections: "sections" }],
    ["a broken list of sections", { who: "some", sections: "[1" }, { sections: "sections" }],
    ["an invented access", { access: "Private" }, { access: "choose" }],
  ])("is refused with %s", (_what, change, problems) => {
    expect(rulesOfCourseForm({ ...form, ...change })).toEqual({ rules: null, problems });
  });

  test("is not refused because of minutes that are hidden", () => {
    const read = rulesOfCourseForm({ ...form, minutesBefore: "x", minutesAfter: "20" });
    expect(read.rules?.door).toEqual({ ...alwaysOpen, minutesAfter: 20 });
  });
});

describe("the form of a link", () => {
  const link = linkWith({});
  test("without changes sets nothing", () => {
    expect(rulesOfLinkForm(inherited, link).rules).toEqual({ settings: {}, door: {}, spaceAccess: null });
  });

  test.each<[string, Partial<SettingsForm>, Partial<JoinSettings>, Partial<EntryWindow>]>([
    ["gallery view off", { galleryView: "no" }, { galleryView: false }, {}],
    ["the call by hand", { call: "nobody" }, { call: "nobody" }, {}],
    ["always open", { opens: "always" }, {}, { opens: "always" }],
    [
      "open around sessions",
      { opens: "around-sessions", minutesBefore: "5" },
      {},
      { opens: "around-sessions", minutesBefore: 5, minutesAfter: 15 },
    ],
    ["for everybody", { who: "all" }, {}, { sectionIds: [] }],
    ["for one section", { who: "some", sections: '["7"]' }, {}, { sectionIds: ["7"] }],
  ])("with %s sets just that", (_what, change, settings, door) => {
    expect(rulesOfLinkForm({ ...inherited, ...change }, link).rules).toMatchObject({ settings, door });
  });

  test("sets the access of the Space that it opens, and of no other", () => {
    const elsewhere = linkWith({ choice: { kind: "space", spaceId: "s9" } });
    const invited = { ...inherited, access: "invited-only" };
    expect(rulesOfLinkForm(invited, elsewhere).rules?.spaceAccess).toEqual({
      spaceId: "s9",
      access: "invited-only",
    });
    expect(rulesOfLinkForm(invited, link).rules?.spaceAccess).toBeNull();
  });
});

describe("anything that is posted", () => {
  test.each([
    [undefined],
    [null],
    ["text"],
    [{ section: { $gt: "" } }],
    [{ mode: ["a", "b"], section: ["1", { a: 1 }] }],
    [{ section: Array.from({ length: 5_000 }, String) }],
    [{ __proto__: { mode: "tab" } }],
  ])("%j becomes text, and is refused without a crash", (body) => {
    const read = formOfPosted(body);
    expect(Object.values(read).every((value) => typeof value === "string")).toBe(true);
    expect(rulesOfCourseForm({ ...read, who: "some" }).rules).toBeNull();
  });

  test("one section and several, in any order, become one list without repetition", () => {
    expect(formOfPosted({ section: "b" }).sections).toBe('["b"]');
    expect(formOfPosted({ section: ["b", "a", "b"] }).sections).toBe('["a","b"]');
  });

  test("a carried form that was tampered with is ignored", () => {
    expect(formOfText(settingsFields, JSON.stringify(form))).toEqual(form);
    for (const text of ["", "{", "[]", '{"mode":1}', '{"mode":"tab"}', `"${"x".repeat(30_000)}"`, 7]) {
      expect(formOfText(settingsFields, text), String(text).slice(0, 20)).toBeNull();
    }
  });
});

describe("two people who change settings at the same time", () => {
  const now = { ...form, galleryView: "yes", language: "fr" };

  test("the second sees what the first changed, keeps what they typed, and gets the rest", () => {
    const typed = { ...form, language: "es", standalone: "no" };
    expect(afterConflict(settingsFields, form, typed, now)).toEqual({
      changes: [
        { field: "galleryView", was: "no", now: "yes" },
        { field: "language", was: "lms", now: "fr" },
      ],
      form: { ...form, galleryView: "yes", language: "es", standalone: "no" },
    });
  });

  test("what was typed stays if the values shown before are unknown", () => {
    const typed = { ...form, language: "es" };
    expect(afterConflict(settingsFields, null, typed, now).form).toEqual(typed);
  });
});

function linkWith(change: object) {
  return {
    id: "lnk_1",
    registrationId: "reg_1",
    deploymentId: "1",
    courseId: "crs_1",
    linkId: "5",
    choice: { kind: "course-space" as const },
    choiceId: null,
    settings: {},
    customSettings: {},
    ignoredParameters: [],
    door: {},
    spaceAccess: null,
    settingsRevision: 0,
    ...change,
  };
}

describe("an option that the institution has locked", () => {
  const now = { ...form, galleryView: "yes", opens: "around-sessions", minutesBefore: "5" };
  const typed = { ...form, galleryView: "no", opens: "always", minutesBefore: "90", language: "de" };

  test("keeps its value, whatever is posted; the rest is as typed", () => {
    expect(withoutLocked(typed, now, ["galleryView", "doorTimes"])).toEqual({ ...now, language: "de" });
  });

  test("does not exist without locks", () => expect(withoutLocked(typed, now)).toEqual(typed));
});

describe("the access of a new Space", () => {
  test("is asked on one page only, and left alone by others", () => {
    expect(rulesOfCourseForm({ ...form, newAccess: "", newWaiting: "" }).rules).not.toHaveProperty(
      "newSpace",
    );
  });

  test.each([
    [{ newAccess: "Secret" }, { newAccess: "choose" }],
    [{ newWaiting: "perhaps" }, { newWaiting: "choose" }],
    [{ newAccess: "" }, { newAccess: "choose" }],
  ])("cannot be %j", (change, problems) => {
    expect(rulesOfCourseForm({ ...form, ...change }).problems).toEqual(problems);
  });
});
