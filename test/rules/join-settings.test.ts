import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { customSettingsOf, inLink } from "../../src/settings/in-effect.ts";
import { joinAnswers, readJoin } from "../../src/settings/forms.ts";
import {
  defaultJoinSettings,
  joinNames,
  joinOptions,
  type JoinSettings,
} from "../../src/settings/options.ts";
import { alwaysOpen } from "../../src/domain/entry.ts";
import { spaceAccessOf } from "../../src/domain/course-link.ts";

describe("custom parameters of a link", () => {
  test.each<[string, string, Partial<JoinSettings>]>([
    ["space_gallery_view", "true", { galleryView: true }],
    ["space_gallery_view", " YES ", { galleryView: true }],
    ["space_gallery_view", "0", { galleryView: false }],
    ["space_skip_device_setup", "on", { skipDeviceSetup: true }],
    ["space_standalone", "off", { standalone: false }],
    ["space_local_recording", "no", { startLocalRecording: false }],
    ["space_mode", "Embedded", { mode: "embedded" }],
    ["space_mode", "tab", { mode: "tab" }],
    ["space_guests", "Out", { guests: "out" }],
    ["space_instructors", "Space", { instructors: "space" }],
    ["space_instructors", "page", { instructors: "page" }],
    ["space_learners", "Near", { learners: "near" }],
    ["space_learners", "page", { learners: "page" }],
    ["space_start_call", "true", { call: "host" }],
    ["space_start_call", "host", { call: "host" }],
    ["space_start_call", "anyone", { call: "anyone" }],
    ["space_start_call", "false", { call: "nobody" }],
    ["space_start_call", "nobody", { call: "nobody" }],
    ["space_language", "de", { language: "de" }],
    ["space_language", "pt_BR", { language: "pt" }],
    ["space_language", "LMS", { language: "lms" }],
    ["space_language", "classroom", { language: "classroom" }],
  ])("%s=%s is understood", (name, value, settings) => {
    expect(customSettingsOf({ [name]: value })).toEqual({ settings, ignored: [] });
  });

  test.each([
    ["space_gallery_view", "maybe"],
    ["space_mode", "yes"],
    ["space_instructors", "true"],
    ["space_learners", "yes"],
    ["space_language", "klingon"],
    ["space_language", "xx"],
    ["space_start_call", ""],
    ["space_galery_view", "true"],
    ["space_constructor", "true"],
  ])("%s=%s has no effect and is shown", (name, value) => {
    expect(customSettingsOf({ [name]: value })).toEqual({ settings: {}, ignored: [{ name, value }] });
  });

  test("ignores the tool's own parameters and other people's", () => {
    const custom = { spaces_section_ids: "1,2", spaces_choice: "x", gallery_view: "true", space: "1" };
    expect(customSettingsOf(custom)).toEqual({ settings: {}, ignored: [] });
  });

  test("keeps only a few shortened ones for the record of a link", () => {
    const custom = Object.fromEntries(
      Array.from({ length: 300 }, (_none, at) => [`space_${at}_${"n".repeat(500)}`, "😀".repeat(500)]),
    );
    const { ignored } = customSettingsOf(custom);
    expect(ignored).toHaveLength(10);
    expect(JSON.stringify(ignored).length).toBeLessThan(5_000);
    expect(ignored.every(({ value }) => value.isWellFormed())).toBe(true);
  });

  test("never throws, whatever the LMS sends", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().map((end) => `space_${end}`),
          fc.string(),
        ),
        (custom) => {
          const { settings } = customSettingsOf(custom);
          expect(Object.keys(settings).every((name) => name in defaultJoinSettings)).toBe(true);
        },
      ),
    );
  });
});

describe("which settings count", () => {
  const link = (customSettings: Partial<JoinSettings>, settings: Partial<JoinSettings>) => ({
    customSettings,
    settings,
    door: {},
  });
  const course = {
    settings: { ...defaultJoinSettings, galleryView: true, language: "es" },
    door: alwaysOpen,
  };

  test("the course's, for people without a link or with a plain one", () => {
    expect(inLink(course, null).settings).toEqual(course.settings);
    expect(inLink(course, link({}, {})).settings).toEqual(course.settings);
  });

  test("the LMS's parameters override the course, and an instructor's choice overrides both", () => {
    expect(inLink(course, link({ language: "de", galleryView: false }, {})).settings).toMatchObject({
      language: "de",
      galleryView: false,
    });
    expect(inLink(course, link({ language: "de" }, { language: "fr" })).settings.language).toBe("fr");
    expect(inLink(course, link({ galleryView: false }, { galleryView: true })).settings.galleryView).toBe(
      true,
    );
  });

  test("every offered answer means a value that gives the same answer back", () => {
    const unset = joinAnswers({});
    for (const name of joinNames) {
      for (const answer of joinOptions[name].form.offered) {
        const settings = readJoin([name], { ...unset, [name]: answer });
        expect(Object.keys(settings), `${name} ${answer}`).toEqual([name]);
        expect(joinAnswers(settings)).toEqual({ ...unset, [name]: answer });
      }
      const problems = {};
      expect(readJoin([name], { ...unset, [name]: "__proto__" }, problems)).toEqual({});
      expect(problems).toEqual({ [name]: "choose" });
    }
  });
});

describe("who may enter a Space", () => {
  const said = { spaceId: "s9", access: "invited-only" as const };
  const opens = (spaceId: string) => ({ kind: "space" as const, spaceId });
  const course = { spaceAccess: "waiting-room" as const };
  test.each([
    ["the course's Space", null, "waiting-room"],
    [
      "a link to the course's Space",
      { choice: { kind: "course-space" as const }, spaceAccess: said },
      "waiting-room",
    ],
    ["a link to another Space", { choice: opens("s9"), spaceAccess: said }, "invited-only"],
    ["a link to a Space without an answer of its own", { choice: opens("s8"), spaceAccess: said }, "unknown"],
    ["a link to another Space without an answer", { choice: opens("s9"), spaceAccess: null }, "unknown"],
  ])("%s", (_what, link, expected) => expect(spaceAccessOf(course, link)).toBe(expected));
});
