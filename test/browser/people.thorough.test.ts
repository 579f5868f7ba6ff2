import type { Frame, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { at } from "../support/browser/open-course-page.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoWorld, startDemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { findingsOnEveryScreen, type Screen, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { goToArea, openInFrame, pressed } from "../support/browser/open-in-frame.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };

const profiles = watchProfiles();

const moodle = await forAllTests(startDemoWorld({ logger: createLogger("silent") }));
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  await openCourseLink(createVisitor(), moodle.lms, "student1", biology.link);
  await openCourseLink(createVisitor(), moodle.lms, "student2", biology.link);
});
afterEach(() => {
  moodle.lms.faults.clear();
});

type Visit = { page: Page; frame: Frame };

/** The instructor opens the course link in a frame as wide as the screen, and from there the page of people. */
async function openPeople(
  world: DemoWorld,
  person = "teacher1",
  link = biology.link,
  screen: Screen = { width: 800 },
): Promise<Visit> {
  const { page, frame } = await openInFrame(browser, world, {
    username: person,
    linkId: link,
    screen,
    profiles,
  });
  const more = frame.locator(".areas .more > details > summary");
  if (await more.isVisible()) await more.click();
  await goToArea(frame, "People");
  await frame.waitForURL(at("/people"));
  return { page, frame };
}

/** The page once the first reading is over. */
async function whenRead(
  world: DemoWorld,
  person = "teacher1",
  link = biology.link,
  screen?: Screen,
): Promise<Visit> {
  const visit = await openPeople(world, person, link, screen);
  const { frame } = visit;
  await vi.waitFor(
    async () => {
      for (const name of ["Refresh", "Update list"]) {
        const button = frame.getByRole("button", { name });
        if (/\d people in your LMS/.test(await frame.locator("#sync").innerText())) return;
        if ((await button.count()) === 0) continue;
        const old = await frame.waitForSelector("main");
        await button.click();
        await old.waitForElementState("hidden");
        await frame.waitForSelector("main");
      }
      expect(await frame.locator("#sync").innerText()).toMatch(/\d people in your LMS/);
    },
    { timeout: 30_000, interval: 300 },
  );
  return visit;
}

/** From there the page of sections or groups. */
async function toSections(frame: Frame): Promise<void> {
  await frame.getByRole("link", { name: /^(Groups|Sections)$/ }).click();
  await frame.waitForURL(at("/people/sections"));
}

describe("An instructor who wants to know who is in the course", () => {
  test("sees the list being read, hears when it is over, and sees it", async () => {
    const { frame } = await whenRead(moodle);
    moodle.lms.faults.add({ on: "memberships", how: "slow", delayMs: 2_500, times: 1 });
    moodle.lms.enrol(biology.course, { id: "90", role: "student", given: "New", family: "Arrival" });
    await pressed(frame, frame.getByRole("button", { name: "Update list" }));
    expect(await frame.getByRole("progressbar").count()).toBe(1);
    const said = frame.locator("#sync").getByRole("status");
    await vi.waitFor(
      async () => {
        expect(await said.innerText()).toMatch(/List updated\. Choose Refresh/);
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(await frame.getByRole("progressbar").count()).toBe(0);
    await pressed(frame, frame.getByRole("button", { name: "Refresh" }));
    expect(await frame.getByRole("row", { name: /New Arrival/ }).count()).toBe(1);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the pages of people and of groups to name are well made", async () => {
    const { frame } = await whenRead(moodle);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await toSections(frame);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
