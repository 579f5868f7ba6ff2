import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { at } from "../support/browser/open-course-page.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoWorld, startDemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor } from "../../src/sandbox/visitor.ts";
import { axeFindings, findingsOnEveryScreen, type Screen, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { goToArea, openInFrame, pressed } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };
const history = { course: "3", link: "2" };

let browser: Browser;
let moodle: DemoWorld;
let canvas: DemoWorld;
const profiles = watchProfiles();

beforeAll(async () => {
  browser = await startBrowser();
  [moodle, canvas] = await Promise.all([
    startDemoWorld({ logger: createLogger("silent") }),
    startDemoWorld({ logger: createLogger("silent"), manners: "canvas" }),
  ]);
  await openCourseLink(createVisitor(), moodle.lms, "student1", biology.link);
  await openCourseLink(createVisitor(), moodle.lms, "student2", biology.link);
});
afterEach(() => {
  moodle.lms.faults.clear();
  canvas.lms.faults.clear();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([moodle.close(), canvas.close()]);
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

  test("names groups, looks at one of them, and goes back to the classroom", async () => {
    const { frame } = await whenRead(moodle);
    await toSections(frame);
    await frame.getByLabel(/^Group 1/).fill("Morning class");
    await frame.getByRole("button", { name: "Save names" }).click();
    await frame.waitForURL(at("/people/sections", "news"));
    expect(await frame.getByText("Names saved.").count()).toBe(1);
    await frame.locator(".head").getByRole("link", { name: "People", exact: true }).click();
    await frame.waitForURL(at("/people"));
    await frame.getByRole("link", { name: "Morning class 1", exact: true }).click();
    const rows = frame.getByRole("table", { name: "People" }).getByRole("row");
    // The same address as before: only what it shows tells that the page has changed.
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([expect.stringContaining("Name"), expect.stringMatching(/Zoë Åkesson[\s\S]*Morning class/)]);
    await frame.getByRole("link", { name: "Home", exact: true }).click();
    await frame.waitForURL(at("/home"));
    expect(await frame.getByRole("button", { name: /^(Enter classroom|Join)$/ }).count()).toBe(1);
  });

  test("is told about a name that is too long beside its field", async () => {
    const { frame } = await whenRead(moodle);
    await toSections(frame);
    const field = frame.getByLabel(/^Group 2/);
    await field.fill("x".repeat(90));
    await pressed(frame, frame.getByRole("button", { name: "Save names" }));
    expect(await field.inputValue()).toBe("x".repeat(90));
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await frame.getByRole("alert").innerText()).toMatch(/Not saved/);
  });

  test("reads why, when the LMS will not say who is in the course", async () => {
    const { frame } = await whenRead(moodle);
    moodle.lms.faults.add({ on: "memberships", how: "answer", status: 403, times: 2 });
    await frame.getByRole("button", { name: "Update list" }).click();
    await vi.waitFor(
      async () => {
        expect(await frame.locator("#sync").innerText()).toMatch(
          /Only people who have opened the classroom are listed/,
        );
      },
      { timeout: 30_000, interval: 200 },
    );
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test.each([
    ["a Moodle course with groups to name", () => moodle, "teacher1", biology.link],
    ["a Canvas course with named sections", () => canvas, "teacher2", history.link],
  ] as const)("the page of %s is well made", async (_what, world, person, link) => {
    const { frame } = await whenRead(world(), person, link);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await toSections(frame);
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
  });
});

test("while the list is being read the page is well made, too", async () => {
  const { frame } = await whenRead(canvas, "teacher2", history.link, { width: 360 });
  canvas.lms.faults.add({ on: "memberships", how: "slow", delayMs: 8_000, times: 1 });
  await pressed(frame, frame.getByRole("button", { name: "Update list" }));
  expect(await frame.getByRole("progressbar").count()).toBe(1);
  expect(await axeFindings(frame)).toEqual([]);
});
