import { describe, expect, test } from "vitest";
import type { Seen } from "../../sandbox/visitor.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { usualSettings } from "../support/tool/forms.ts";
import { type Page, press } from "../support/tool/pages.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const world = await forAllTests(startTinyWorld());

type Coming = { course?: string; link?: string; custom?: Record<string, string>; locale?: string };

/** Somebody opens a link of a course in the LMS's frame. */
function comes(
  who: "teacher" | "other-teacher" | "learner" | "student-2",
  { course = "10", link, custom, locale }: Coming = {},
): Promise<Page> {
  const roles = who.includes("teacher") ? {} : { roles: [learnerRole] };
  return world.launch({
    claims: {
      ...claimsOf({ sub: who, course, ...roles }),
      ...(link === undefined ? {} : { [`${lti}/resource_link`]: { id: link, title: "Classroom" } }),
      ...(custom === undefined ? {} : { [`${lti}/custom`]: custom }),
      ...(locale === undefined
        ? {}
        : { [`${lti}/launch_presentation`]: { locale, document_target: "iframe" } }),
    },
  });
}

/** The settings page of the course, or of the link through which the page came. */
async function settingsOf(page: Page, scope: "course" | "link" = "course"): Promise<Page> {
  const shown = await press(page, "/course/settings", { scope });
  expect(shown.status).toBe(200);
  return shown;
}

const asInCourse = Object.fromEntries(Object.keys(usualSettings).map((name) => [name, ""]));

async function save(page: Page, fields: Record<string, string>): Promise<Page> {
  const link =
    page.text.includes('name="scope" value="link"') && page.text.includes("of this link only</h1>");
  const all = {
    ...(link ? { ...asInCourse, minutesBefore: "15", minutesAfter: "15", access: "unknown" } : usualSettings),
    ...fields,
  };
  return press(page, "/course/settings/save", all);
}

/** Somebody enters. @returns the login with which they do */
async function enters(page: Page) {
  const answer = await waitInQueue(page.visitor, await page.visitor.submit(page, { action: "/enter" }));
  expect(answer.status, answer.text).toBe(303);
  const token = new URL(answer.location ?? "").searchParams.get("token");
  const login = world.classroom.authorizations().find((one) => one.token === token);
  if (login === undefined) throw new Error("no such login");
  return { ...login, url: answer.location ?? "" };
}

/** Somebody enters. @returns the parameters sent to the classroom */
async function entersWith(page: Page): Promise<Readonly<Record<string, string>>> {
  return (await enters(page)).parameters;
}

describe("the settings of a course", () => {
  test("apply from the next entry on, to host and participant as documented", async () => {
    const teacher = await comes("teacher");
    expect(await entersWith(teacher)).toEqual({ startCall: "true", standalone: "true" });
    const saved = await save(await settingsOf(teacher), {
      call: "anyone",
      skipDeviceSetup: "yes",
      galleryView: "yes",
      standalone: "no",
      language: "fr",
      startLocalRecording: "yes",
    });
    expect(textOf(saved)).toContain("Saved. It applies from the next time someone joins.");
    const everything = {
      startCall: "true",
      skipCallHostCheck: "true",
      skipDeviceSetup: "true",
      gv: "true",
      language: "fr",
      startLocalRecording: "true",
    };
    expect(await entersWith(await comes("teacher"))).toEqual(everything);
    expect(await entersWith(await comes("learner", { locale: "de" }))).toEqual(everything);
    await save(await settingsOf(await comes("teacher")), { call: "nobody", language: "lms" });
    expect(await entersWith(await comes("learner", { locale: "de-AT" }))).toEqual({
      standalone: "true",
      language: "de",
    });
  });
});

describe("a link with settings that differ from its course's", () => {
  const custom = {
    space_gallery_view: "true",
    space_language: "De",
    space_mode: "sideways",
    space_colour: "red",
  };

  test("an instructor's choice for it overrides the LMS, until it is undone", async () => {
    const course = "21";
    const where = { course, custom, link: "a" };
    const page = await settingsOf(await comes("teacher", where), "link");
    expect(textOf(page)).toContain("Not understood, ignored: space_colour=red space_mode=sideways");
    const saved = await save(page, { language: "it", galleryView: "no" });
    expect(textOf(saved)).toContain("Saved.");
    expect(textOf(saved)).toContain("space_language: German (your choice here wins)");
    expect(await entersWith(await comes("learner", where))).toEqual({ standalone: "true", language: "it" });
    const whole = await settingsOf(await comes("teacher", where));
    expect(textOf(whole)).toContain("This link’s settings override the course’s");
    const again = await settingsOf(whole, "link");
    await again.visitor.submit(again, { action: "/course/settings/save", fields: { act: "reset-now" } });
    expect(await entersWith(await comes("learner", where))).toMatchObject({ gv: "true", language: "de" });
  });
});

describe("two instructors on the settings page at the same time", () => {
  test("the second saves nothing unseen: sees what changed, keeps their own input, and then saves", async () => {
    const course = "30";
    const first = await settingsOf(await comes("teacher", { course }));
    const second = await settingsOf(await comes("other-teacher", { course }));
    await save(first, { galleryView: "yes", language: "fr" });
    const told = await save(second, { language: "es", skipDeviceSetup: "yes" });
    expect(told.status).toBe(409);
    expect(textOf(told)).toContain("Someone else changed these settings");
    expect(textOf(told)).toContain("Begin in gallery view: now “Yes”, before “No”");
    expect(textOf(told)).toContain("now “French”, before “Each person’s LMS language”");
    expect((await world.courseOf(course)).settings).toMatchObject({ galleryView: true, language: "fr" });
    expect(chosen(told)).toMatchObject({ galleryView: "yes", language: "es", skipDeviceSetup: "yes" });
    await save(told, chosen(told));
    expect((await world.courseOf(course)).settings).toMatchObject({
      galleryView: true,
      language: "es",
      skipDeviceSetup: true,
    });
  });
});

/** The selected answers on a settings page, and the numbers in its fields. */
function chosen(page: Seen): Record<string, string> {
  const selects = [...page.text.matchAll(/<select id="(\w+)"[\s\S]*?<\/select>/g)].map(
    ([text, name = ""]) => {
      const value = /<option value="([^"]*)" selected>/.exec(text)?.[1];
      return [name, value ?? ""] as const;
    },
  );
  const numbers = [...page.text.matchAll(/<input id="(minutes\w+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  return Object.fromEntries([...selects, ...numbers]);
}

describe("another Space for a course", () => {
  const spaceOf = async (course: string) => (await world.courseOf(course)).spaceId ?? "";

  test("is created once, however many press, and the old one's sessions stay", async () => {
    const course = "40";
    const teacher = await comes("teacher", { course });
    await entersWith(teacher);
    const old = await spaceOf(course);
    const made = world.classroom.spaces().length;
    const settings = await press(teacher, "/course/settings");
    const asked = await press(await press(settings, "/course/settings/space"), "/course/settings/space", {
      act: "look-new",
      newAccess: "Public",
      newWaiting: "yes",
    });
    expect(textOf(asked)).toContain("Past sessions, attendance and grades stay");
    expect(await spaceOf(course), "only asked").toBe(old);
    const fields = { act: "make", seen: old, newAccess: "Public", newWaiting: "yes" };
    const pages = await Promise.all([1, 2, 3].map(() => press(asked, "/course/settings/space", fields)));
    for (const page of pages) expect(textOf(page)).toContain("New Space created,");
    expect(world.classroom.spaces()).toHaveLength(made + 1);
    expect(await spaceOf(course)).not.toBe(old);
    expect((await world.courseOf(course)).spaceAccess).toBe("waiting-room");
    const owners = await world.stores.courses.findBySpace("production", old);
    expect(owners.map(({ contextId }) => contextId)).toEqual([course]);
    const trail = await press(settings, "/course/audit");
    expect(textOf(trail).match(/Classroom changed/g)).toHaveLength(1);
    expect(textOf(trail)).toContain(`/spaces/${old} →`);
  });
});
