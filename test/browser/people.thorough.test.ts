import type { Frame } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { at, goToArea, pressed, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };

const { world: moodle, open } = await worldInBrowser();
beforeAll(async () => {
  await openCourseLink(createVisitor(), moodle.lms, "student1", biology.link);
  await openCourseLink(createVisitor(), moodle.lms, "student2", biology.link);
});
afterEach(() => {
  moodle.lms.faults.clear();
});

/** The instructor opens the course link in a frame as wide as the screen, and from there the page of people. */
async function openPeople(): Promise<Frame> {
  const { frame } = await open("teacher1", biology.link, { width: 800 });
  const more = frame.locator(".areas .more > details > summary");
  if (await more.isVisible()) await more.click();
  await goToArea(frame, "People");
  await frame.waitForURL(at("/people"));
  return frame;
}

/** The page once the first reading is over. */
async function whenRead(): Promise<Frame> {
  const frame = await openPeople();
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
  return frame;
}

/** From there the page of sections or groups. */
async function toSections(frame: Frame): Promise<void> {
  await frame.getByRole("link", { name: /^(Groups|Sections)$/ }).click();
  await frame.waitForURL(at("/people/sections"));
}

describe("An instructor who wants to know who is in the course", () => {
  test("sees the list being read, hears when it is over, and sees it", async () => {
    const frame = await whenRead();
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
    const frame = await whenRead();
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await toSections(frame);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});
