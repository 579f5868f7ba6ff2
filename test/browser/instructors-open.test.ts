import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoWorld, startDemoWorld } from "../../sandbox/demo-world.ts";
import { findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { at, launchedFrame } from "../support/browser/open-in-frame.ts";

const biology = { link: "1", name: "BIO101" };
const enterButton = { name: /^(Enter classroom|Join)$/ };

let world: DemoWorld;
/** Whether pages may open tabs without a click, as somebody may have set for their LMS. */
let browsers: Record<"allowed" | "blocked", Browser>;
const profiles = watchProfiles();

beforeAll(async () => {
  const [allowed, blocked, started] = await Promise.all([
    startBrowser({ allowPopups: true }),
    startBrowser(),
    startDemoWorld({ logger: createLogger("silent") }),
  ]);
  browsers = { allowed, blocked };
  world = started;
  await walkIn(world, "teacher1", biology.link);
});
afterAll(async () => {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
  await world.close();
});

/** What pages have done so far: windows opened by a script, forms sent to the Space's way in. */
type Tried = { windows: () => number; entries: () => number };

/** A tab of somebody, and what its pages do. */
async function tabOf(person: string, popups: keyof typeof browsers): Promise<{ page: Page; tried: Tried }> {
  const context = await openProfile(browsers[popups], world.lms.url, world.lms.cookieFor(person));
  profiles.watch(context, world.toolUrl);
  let entries = 0;
  context.on("request", (request) => {
    if (request.method() === "POST" && request.url() === `${world.toolUrl}/enter`) entries += 1;
  });
  const page = await context.newPage();
  let windows = 0;
  await page.exposeFunction("noteWindow", () => {
    windows += 1;
  });
  await page.addInitScript(`{
    const open = window.open;
    window.open = (...asked) => { void window.noteWindow(); return open.apply(window, asked); };
  }`);
  return { page, tried: { windows: () => windows, entries: () => entries } };
}

/** The tool's page in the LMS's, once all its scripts have run. */
async function openEmbedded(page: Page): Promise<Frame> {
  await page.goto(`${world.lms.url}/link/${biology.link}?container=embed`);
  const frame = await launchedFrame(page, world.toolUrl);
  await frame.waitForLoadState("networkidle");
  return frame;
}

describe.each(["allowed", "blocked"] as const)("Where tabs without a click are %s", (popups) => {
  test("nothing opens for an instructor in a frame, not by F5 nor by Back, until they press the button", async () => {
    const { page, tried } = await tabOf("teacher1", popups);
    const frame = await openEmbedded(page);
    await frame.getByRole("button", enterButton).waitFor();
    await frame.getByRole("link", { name: "Grades", exact: true }).click();
    await frame.waitForURL(at("/grades"));
    await page.evaluate("history.back()"); // not goBack, which waits for the whole page
    await frame.waitForURL(at("/home"));
    await frame.evaluate("location.reload()");
    await frame.waitForLoadState("networkidle");
    await frame.getByRole("button", enterButton).waitFor();
    expect([tried.windows(), tried.entries(), page.context().pages().length]).toEqual([0, 0, 1]);
    const [space] = await Promise.all([
      page.context().waitForEvent("page"),
      frame.getByRole("button", enterButton).dblclick(),
    ]);
    await space.waitForURL(`${world.classroom.appUrl}/spaces/**`);
    expect([tried.entries(), page.context().pages().length]).toEqual([1, 2]);
  });

  test("nothing opens for an instructor in a course that shows its classroom inside the LMS's page", async () => {
    await setCourses(world, { mode: "embedded" });
    try {
      const { page, tried } = await tabOf("teacher1", popups);
      const frame = await openEmbedded(page);
      // The script has decided where the button leads; all else it does follows at once.
      await frame.getByText("It opens here.").waitFor();
      expect([tried.windows(), tried.entries()]).toEqual([0, 0]);
      await frame.getByRole("button", enterButton).click();
      await frame.waitForURL(`${world.toolUrl}/space`);
      expect(page.context().pages()).toHaveLength(1);
    } finally {
      await setCourses(world, { mode: "tab" });
    }
  });

  test("an instructor at top level sees the page with the button; entering, Back and F5 leave it where it is", async () => {
    const { page, tried } = await tabOf("teacher1", popups);
    await page.goto(`${world.lms.url}/link/${biology.link}/launch?container=window`);
    await page.waitForURL(at("/home"));
    await page.waitForLoadState("networkidle");
    expect([tried.windows(), tried.entries()]).toEqual([0, 0]);
    const enter = async () => {
      const [space] = await Promise.all([
        page.context().waitForEvent("page"),
        page.getByRole("button", enterButton).click(),
      ]);
      await space.waitForURL(`${world.classroom.appUrl}/spaces/**`);
      return new URL(space.url()).pathname;
    };
    const first = await enter();
    await page.reload();
    await page.getByRole("link", { name: "Grades", exact: true }).click();
    await page.waitForURL(at("/grades"));
    await page.goBack();
    await page.waitForURL(at("/home"));
    await page.waitForLoadState("networkidle");
    expect([tried.entries(), page.context().pages().length]).toEqual([1, 2]);
    expect(await enter(), "the same Space").toBe(first);
    expect(world.classroom.spaces().filter(({ name }) => name.startsWith(biology.name))).toHaveLength(1);
  });
});

test("a learner in the same frame finds the Space open already where the browser allows it", async () => {
  const { page, tried } = await tabOf("student1", "allowed");
  const [space] = await Promise.all([
    page.context().waitForEvent("page"),
    page.goto(`${world.lms.url}/link/${biology.link}?container=embed`),
  ]);
  await space.waitForURL(`${world.classroom.appUrl}/spaces/**`);
  expect([tried.windows(), tried.entries()]).toEqual([1, 1]);
});

test("the page at top level is well made on every screen", async () => {
  const { page } = await tabOf("teacher1", "blocked");
  await page.goto(`${world.lms.url}/link/${biology.link}/launch?container=window`);
  await page.waitForURL(at("/home"));
  expect(await findingsOnEveryScreen(page)).toEqual([]);
});
