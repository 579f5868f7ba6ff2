import type { Frame, Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { findingsOnEveryScreen, openProfile } from "../support/browser/browser.ts";
import { cityOf } from "../../src/modules/scheduling/rules/time-zone.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { walkIn } from "../support/tool/start-world.ts";
import {
  at,
  goToArea,
  openFolds,
  pressed,
  showLink,
  worldInBrowser,
} from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", code: "BIO101" };
const history = { course: "3", link: "2", code: "HIS205" };
const minute = 60_000;

const { world, browser, profiles } = await worldInBrowser();

type Visit = { page: Page; frame: Frame };

/** Somebody opens a course link in a frame that is all of the page; with `ownClock` a test may put it forward. */
async function opens(person: string, link = biology.link, { ownClock = false } = {}): Promise<Visit> {
  const cookie = world.lms.cookieFor(person);
  const context = await openProfile(browser, world.lms.url, cookie, { width: 800 });
  profiles.watch(context, world.toolUrl);
  if (ownClock) await context.clock.install();
  const page = await context.newPage();
  const frame = await showLink(page, world, link);
  return { page, frame };
}

/** Somebody opens a course link in a tab of its own, whose clock a test may put forward. */
async function topLevel(person: string, link: string): Promise<Page> {
  const context = await openProfile(browser, world.lms.url, world.lms.cookieFor(person));
  profiles.watch(context, world.toolUrl);
  await context.clock.install();
  const page = await context.newPage();
  await page.goto(`${world.lms.url}${world.lms.launchPath(link, "existing")}`);
  await page.waitForURL(`${world.toolUrl}/**`);
  return page;
}

async function openSettings(person = "teacher1", link = biology.link): Promise<Visit> {
  const visit = await opens(person, link);
  await goToArea(visit.frame, "Settings");
  await visit.frame.waitForURL(at("/settings"));
  await openFolds(visit.frame);
  return visit;
}

async function save(frame: Frame): Promise<void> {
  await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
  await openFolds(frame);
}

/** A session that the tool knows of, because somebody was marked in it. */
async function sessionAt(course: typeof history, startsAt: number): Promise<string> {
  const userId = await walkIn(world, "student1", course.link);
  const space = world.classroom.spaces().find(({ name }) => name.startsWith(course.code));
  if (space === undefined) throw new Error(`no Space of ${course.code}`);
  const { eventId } = world.classroom.createEvent({
    spaceId: space.spaceId,
    title: "Lesson",
    startsAt,
    endsAt: startsAt + 45 * minute,
  });
  world.classroom.markAttendance({ eventId, userId, status: "PRESENT" });
  return eventId;
}

describe("An instructor at the settings", () => {
  test("is told about minutes that are none beside their field, with everything typed still there", async () => {
    const { frame } = await openSettings();
    await frame.getByLabel("Learners can join").selectOption("around-sessions");
    await frame.getByLabel("Minutes after a session").fill("soon");
    await frame.getByLabel("Begin in gallery view").selectOption("yes");
    await save(frame);
    const field = frame.getByLabel("Minutes after a session");
    expect(await field.inputValue()).toBe("soon");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await frame.getByRole("alert").innerText()).toMatch(/Not saved/);
    expect(await frame.getByLabel("Begin in gallery view").inputValue()).toBe("yes");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("gives a link differences of its own", async () => {
    const { frame } = await openSettings("teacher2", history.link);
    await frame.getByRole("link", { name: "This link only" }).click();
    await vi.waitFor(async () => {
      expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("Settings of this link");
    }, 30_000);
    await openFolds(frame);
    const view = frame.getByLabel("Begin in gallery view");
    expect(await view.locator("option:checked").innerText()).toBe("As in the course (No)");
    await view.selectOption("yes");
    await save(frame);
    expect(await view.inputValue()).toBe("yes");
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });

  test("chooses sections once “these” is chosen", async () => {
    await openCourseLink(createVisitor(), world.lms, "student1", biology.link);
    await openCourseLink(createVisitor(), world.lms, "student2", biology.link);
    const { frame } = await openSettings();
    await frame.getByLabel("The classroom is for").selectOption("some");
    await frame.getByLabel("Group 1").check();
    await save(frame);
    expect(await frame.getByLabel("Group 1").isChecked()).toBe(true);
    expect(await frame.getByLabel("Group 2").isChecked()).toBe(false);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    const other = await opens("student2");
    expect(await other.frame.getByRole("heading", { level: 1 }).innerText()).toBe(
      "This classroom is for other groups",
    );
    expect(await other.frame.locator("main ul:not(nav ul) li").allInnerTexts()).toEqual(["Group 1"]);
    expect(await findingsOnEveryScreen(other.frame)).toEqual([]);
    await frame.getByLabel("The classroom is for").selectOption("all");
    await save(frame);
  });
});

/** Waits until another learner's frame says what it should. */
async function forLearner(link: string, says: (text: string) => void): Promise<void> {
  await vi.waitFor(
    async () => {
      const framed = { framed: true };
      says((await openCourseLink(createVisitor(), world.lms, "student3", link, framed)).text);
    },
    { timeout: 30_000, interval: 200 },
  );
}

describe("A learner before entry opens", () => {
  test("reads when it opens, sees the time run, and the page goes on by itself", async () => {
    // Long enough for everything before it on a slow machine; the end of it is not waited for.
    const opensIn = 55_000;
    const teacher = await openSettings("teacher2", history.link);
    const startsAt = Date.now() + 20 * minute + opensIn;
    const eventId = await sessionAt(history, startsAt);
    await teacher.frame.getByLabel("Learners can join").selectOption("around-sessions");
    await teacher.frame.getByLabel("Minutes before a session").fill("20");
    await save(teacher.frame);
    await forLearner(history.link, (text) => {
      expect(text).toContain("isn’t open yet");
    });
    const { page, frame } = await opens("student2", history.link, { ownClock: true });
    const outside = await topLevel("student4", history.link);
    expect(await outside.getByRole("heading", { level: 1 }).innerText()).toBe("The classroom isn’t open yet");
    expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("The classroom isn’t open yet");
    const shown = await frame.locator("#opens-at").innerText();
    const opensAt = new Date(startsAt - 20 * minute);
    const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
    const clock = courseTimes({ timeZone: zone }, "en").clock(opensAt.getTime());
    expect(shown).toBe(`${clock} (${cityOf(zone)})`);
    expect(await frame.locator("#closed .lead").innerText()).toBe(`Opens at ${shown}`);
    const timer = frame.getByRole("timer");
    const before = await timer.innerText();
    expect(before).toMatch(/^\d+ s$/);
    await vi.waitFor(async () => {
      expect(await timer.innerText()).not.toBe(before);
    }, 30_000);
    expect(await frame.getByRole("status").count(), "nothing is read out while the time runs").toBe(0);
    // The session begins a minute sooner for the tool; only the pages still count down to the old time.
    world.classroom.updateEvent({ eventId, startsAt: startsAt - minute });
    await forLearner(history.link, (text) => {
      expect(text).not.toContain("isn’t open yet");
    });
    expect(await timer.count(), "it has not moved on before its time").toBe(1);
    await page.clock.runFor(minute);
    await timer.waitFor({ state: "detached" });
    await frame.getByRole("button", { name: /^(Enter classroom|Join)$/ }).waitFor();
    expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("Lesson");
    await outside.clock.runFor(minute);
    await outside.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 30_000 });
  });

  test("sees the day when it opens another day, and the page is well made on every screen", async () => {
    const teacher = await openSettings("teacher2", history.link);
    await pressed(teacher.frame, teacher.frame.getByRole("link", { name: "Reset to defaults" }));
    await teacher.frame.getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => teacher.frame.getByRole("status").count()).toBe(1);
    const link = await openSettings("teacher1", biology.link);
    await link.frame.getByLabel("Learners can join").selectOption("around-sessions");
    await sessionAt(biology, Date.now() + 3 * 24 * 60 * minute);
    await save(link.frame);
    await forLearner(biology.link, (text) => {
      expect(text).toContain("isn’t open yet");
    });
    const { page, frame } = await opens("student3", biology.link);
    expect(await frame.locator("#opens-at").innerText()).toMatch(/^\w{3} \d+ \w{3} \d{4}, \d\d:\d\d \(.+\)$/);
    expect(await frame.locator("#closed .lead").innerText()).toMatch(/^Opens: .*\d{4}/);
    expect(await frame.locator("#left").innerText()).toBe("Opens in 2 d 23 h");
    const looks: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/door") looks.push(request.method());
    });
    await Promise.all([
      page.waitForEvent("framenavigated", (one) => one === frame),
      frame.getByRole("button", { name: "Check again" }).dblclick(),
    ]);
    await frame.waitForLoadState();
    expect(looks).toEqual(["POST"]);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
