import { describe, expect, test, vi } from "vitest";
import { nothingSet } from "../../src/settings/in-effect.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { usualSettings } from "../support/tool/usual-settings.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const world = await forAllTests(startTinyWorld());

type Page = Seen & { visitor: Visitor };
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

/** The settings page of the course, or of the link the page came through. */
async function settingsOf(page: Page, scope: "course" | "link" = "course"): Promise<Page> {
  const shown = await page.visitor.submit(page, { action: "/course/settings", fields: { scope } });
  expect(shown.status).toBe(200);
  return { ...shown, visitor: page.visitor };
}

const asInCourse = Object.fromEntries(Object.keys(usualSettings).map((name) => [name, ""]));

async function save(page: Page, fields: Record<string, string>): Promise<Page> {
  const link =
    page.text.includes('name="scope" value="link"') && page.text.includes("of this link only</h1>");
  const all = {
    ...(link ? { ...asInCourse, minutesBefore: "15", minutesAfter: "15", access: "unknown" } : usualSettings),
    ...fields,
  };
  const shown = await page.visitor.submit(page, { action: "/course/settings/save", fields: { ...all } });
  return { ...shown, visitor: page.visitor };
}

/** Somebody enters; the login with which they do. */
async function enters(page: Page) {
  const answer = await waitInQueue(page.visitor, await page.visitor.submit(page, { action: "/enter" }));
  expect(answer.status, answer.text).toBe(303);
  const token = new URL(answer.location ?? "").searchParams.get("token");
  const login = world.classroom.authorizations().find((one) => one.token === token);
  if (login === undefined) throw new Error("no such login");
  return { ...login, url: answer.location ?? "" };
}

/** Somebody enters; what the classroom was asked for. */
async function entersWith(page: Page): Promise<Readonly<Record<string, string>>> {
  return (await enters(page)).parameters;
}

describe("the settings of a course", () => {
  test("count from the next entry on, for host and participant as the document says", async () => {
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

describe("a link of its own mind", () => {
  const custom = {
    space_gallery_view: "true",
    space_language: "De",
    space_mode: "sideways",
    space_colour: "red",
  };

  test("follows the custom parameters that the LMS has for it, at each launch anew; other links do not", async () => {
    const course = "20";
    await save(await settingsOf(await comes("teacher", { course })), { language: "es" });
    expect(await entersWith(await comes("learner", { course, custom, link: "a" }))).toMatchObject({
      gv: "true",
      language: "de",
    });
    const other = await entersWith(await comes("learner", { course, link: "b" }));
    expect(other).toMatchObject({ language: "es" });
    expect(other).not.toHaveProperty("gv");
    const page = await settingsOf(await comes("teacher", { course, custom, link: "a" }), "link");
    expect(textOf(page)).toContain("space_gallery_view: Yes space_language: German");
    expect(textOf(page)).toContain("Not understood, ignored: space_colour=red space_mode=sideways");
    expect(textOf(page)).toContain("From your LMS (German)");
    const now = await entersWith(
      await comes("learner", { course, custom: { space_language: "fr" }, link: "a" }),
    );
    expect(now).toMatchObject({ language: "fr" });
    expect(now).not.toHaveProperty("gv");
  });

  test("an instructor's choice for it wins over the LMS, until it is taken back", async () => {
    const course = "21";
    const where = { course, custom, link: "a" };
    const page = await settingsOf(await comes("teacher", where), "link");
    const saved = await save(page, { language: "it", galleryView: "no" });
    expect(textOf(saved)).toContain("Saved.");
    expect(textOf(saved)).toContain("space_language: German (your choice here wins)");
    expect(await entersWith(await comes("learner", where))).toEqual({ standalone: "true", language: "it" });
    const whole = await settingsOf(await comes("teacher", where));
    expect(textOf(whole)).toContain("This link has its own settings");
    const again = await settingsOf(whole, "link");
    await again.visitor.submit(again, { action: "/course/settings/save", fields: { act: "reset-now" } });
    expect(await entersWith(await comes("learner", where))).toMatchObject({ gv: "true", language: "de" });
  });
});

describe("two instructors at the settings at the same time", () => {
  test("the second saves nothing unseen: is told what changed, has their own words still, and then saves", async () => {
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

describe("an entry window around sessions", () => {
  const minutes = (count: number) => count * 60_000;

  /** A session of the course as the classroom told it. */
  async function sessionAt(
    course: string,
    startsAt: number,
    change: { eventId?: string; cancelled?: boolean } = {},
  ) {
    const { id } = await world.courseOf(course);
    await world.stores.events.save({
      environment: "production",
      eventId: `event-${course}`,
      spaceId: null,
      title: "Lesson",
      startsAt,
      endsAt: startsAt + minutes(45),
      cancelled: false,
      courseId: id,
      readAt: Date.now(),
      ...change,
    });
  }

  async function opensAroundSessions(course: string, fields: Record<string, string> = {}): Promise<Page> {
    return save(await settingsOf(await comes("teacher", { course })), {
      opens: "around-sessions",
      ...fields,
    });
  }

  test("tells a learner when it opens, takes no place in the line for them, and lets the instructor in", async () => {
    const course = "41";
    await opensAroundSessions(course, { minutesBefore: "30" });
    const startsAt = Date.now() + minutes(90);
    await sessionAt(course, startsAt);
    const opensAt = new Date(startsAt - minutes(30)).toISOString();
    const users = world.classroom.users().length;
    const framed = await world.launch({
      claims: claimsOf({ sub: "early-bird", course, roles: [learnerRole] }),
    });
    expect(framed.status).toBe(200);
    expect(textOf(framed)).toContain("The classroom isn’t open yet Opens:");
    expect(framed.text).toContain(`datetime="${opensAt}"`);
    const again = await framed.visitor.submit(framed, { action: "/door", framed: true });
    expect(textOf(again)).toContain("isn’t open yet");
    const topLevel = await world.launch({
      claims: claimsOf({ sub: "early-bird", course, roles: [learnerRole] }),
      framed: false,
    });
    expect(topLevel.status).toBe(200);
    expect(textOf(topLevel)).toContain("isn’t open yet");
    expect(textOf(await topLevel.visitor.submit(topLevel, { action: "/enter" }))).toContain("isn’t open yet");
    expect(world.classroom.users(), "nobody was made ready to enter").toHaveLength(users);
    const page = await settingsOf(await comes("teacher", { course }));
    expect(textOf(page)).toContain("Now: closed for learners until");
    // The course's own time, as the reader's language writes it.
    const written = (locale: string) =>
      courseTimes({ timeZone: null }, locale).text(new Date(opensAt).getTime());
    expect(textOf(page)).toContain(`${written("en-GB")} (UTC)`);
    const german = await settingsOf(await comes("teacher", { course, locale: "de" }));
    expect(textOf(german)).toContain(`${written("de")} (UTC)`);
    expect(await entersWith(await comes("teacher", { course }))).toMatchObject({ startCall: "true" });
  });

  test("opens at its time, in the frame with the button and elsewhere straight into the Space", async () => {
    const course = "42";
    await opensAroundSessions(course, { minutesBefore: "10" });
    await sessionAt(course, Date.now() + minutes(10) + 2_500);
    const framed = await comes("learner", { course });
    const topLevel = await world.launch({
      claims: claimsOf({ sub: "student-2", course, roles: [learnerRole] }),
      framed: false,
    });
    expect(textOf(framed)).toContain("isn’t open yet");
    expect(textOf(topLevel)).toContain("isn’t open yet");
    const entered = await vi.waitFor(
      async () => {
        const answer = await topLevel.visitor.submit(topLevel, { action: "/enter" });
        expect(answer.status).toBe(303);
        return waitInQueue(topLevel.visitor, answer);
      },
      { timeout: 15_000, interval: 200 },
    );
    expect(entered.location).toContain("token=");
    const open = await framed.visitor.submit(framed, { action: "/door", framed: true });
    expect(textOf(open)).toMatch(/Join The classroom is open until /);
    expect(textOf(open)).not.toContain("isn’t open yet");
    await entersWith({ ...open, visitor: framed.visitor });
  });
});

describe("a classroom for some sections", () => {
  const inGroup = (groups: string) => ({ spaces_moodle_groups: groups });

  /** A course with groups 1 and 2 of which the first may enter. */
  async function onlyForGroup1(course: string): Promise<Page> {
    await comes("learner", { course, custom: inGroup("1") });
    await comes("student-2", { course, custom: inGroup("2") });
    const { id } = await world.courseOf(course);
    await vi.waitFor(async () => {
      expect(await world.stores.sections.listOf(world.registration.id, id)).toHaveLength(2);
    }, 30_000);
    const page = await settingsOf(await comes("teacher", { course }));
    const saved = await saveRaw(page, { ...usualSettings, who: "some" }, ["1"]);
    expect(textOf(saved)).toContain("Saved.");
    return saved;
  }

  test("lets its learners in and tells the others whom it is for", async () => {
    const course = "50";
    await onlyForGroup1(course);
    await entersWith(await comes("learner", { course, custom: inGroup("1") }));
    const other = await comes("student-2", { course, custom: inGroup("2") });
    expect(textOf(other)).toContain("This classroom is for other groups");
    expect(textOf(other)).toMatch(/opened it only for: Group 1 (?!Group 2)/);
    expect(textOf(await comes("student-2", { course, custom: inGroup("") })), "in no group").toContain(
      "for other groups",
    );
    await entersWith(await comes("teacher", { course }));
  });
});

describe("a Space that does not let everybody in", () => {
  test("learners are told before they enter, in the frame and elsewhere; instructors are not", async () => {
    const course = "60";
    // The Space is made soon after the first instructor has come, so this must be said before.
    const waiting = {
      ...nothingSet(world.registration.id),
      values: { newSpace: { access: "Public", waitingRoom: true } as const },
    };
    await world.stores.institutionDefaults.change(waiting, { regrades: false });
    const told = "This classroom has a waiting room: an instructor will let you in.";
    expect(textOf(await comes("learner", { course }))).toContain(told);
    expect(textOf(await comes("teacher", { course }))).not.toContain(told);
    const topLevel = await world.launch({
      claims: claimsOf({ sub: "learner", course, roles: [learnerRole] }),
      framed: false,
    });
    expect(textOf(topLevel)).toContain(told);
    await entersWith(topLevel);
    await world.stores.institutionDefaults.change(
      { ...waiting, revision: 1, values: {} },
      { regrades: false },
    );
    const space = world.classroom.spaces().find(({ name }) => name.includes("Course 60"));
    expect(space).toMatchObject({ access: "Public", enableWaitingRoom: true });
    const after = await settingsOf(await comes("teacher", { course }));
    expect(textOf(after), "it was made so, and only the classroom can change it").toContain(
      "We can’t see or change who a Space admits.",
    );
    await save(after, { access: "unknown" });
    expect(textOf(await comes("learner", { course }))).not.toContain(told);
  });
});

describe("somebody whose login has run out after an hour", () => {
  test("comes in again by the same page and by the course link, each time with a new login", async () => {
    const course = "70";
    const page = await comes("learner", { course });
    const tokens = new Set<string>();
    const goesIn = async (from: Page): Promise<string> => {
      const { token, url } = await enters(from);
      tokens.add(token);
      expect((await from.visitor.open(url)).status).toBe(200);
      return url;
    };
    /** An hour passes for every login there is. */
    const anHourPasses = () => {
      for (const login of world.classroom.authorizations()) login.expiresAt = Date.now() - 1;
    };
    const first = await goesIn(page);
    anHourPasses();
    expect((await page.visitor.open(first)).status, "the classroom's own address is dead").toBe(403);
    const second = await goesIn(page);
    anHourPasses();
    expect((await page.visitor.open(second)).status).toBe(403);
    await goesIn(await comes("learner", { course }));
    expect(tokens.size).toBe(3);
  });
});

/** The answers that a settings page shows as chosen, and the numbers in its fields. */
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

/** As `save`, with exactly these sections ticked. */
async function saveRaw(page: Page, fields: Record<string, string>, sections: string[]): Promise<Page> {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "";
  const body = new URLSearchParams({ ...fields, session: value("session"), revision: value("revision") });
  for (const section of sections) body.append("section", section);
  const response = await fetch(`${world.toolUrl}/course/settings/save`, { method: "POST", body });
  const url = response.url;
  return { status: response.status, url, location: null, text: await response.text(), visitor: page.visitor };
}
