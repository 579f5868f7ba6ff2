import type { Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { collectProblems } from "../support/browser/browser.ts";
import { type CookieProfile, type Cookies, startCookieProfile } from "../support/browser/cookie-profile.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { pressed } from "../support/browser/open-in-frame.ts";

const link = "1";
/** The areas of each role, with what their pages are called. */
const areas = {
  teacher1: [
    ["Sessions", "Sessions"],
    ["Attendance", "Attendance"],
    ["Grades", "Grades"],
    ["Recordings", "Recordings"],
    ["People", "People"],
    ["Settings", "Settings"],
  ],
  student1: [
    ["My attendance", "My attendance"],
    ["Recordings", "Recordings"],
  ],
} as const;
type Person = keyof typeof areas;

let world: DemoWorld;
const profiles = new Map<Cookies, CookieProfile>();
let problems: string[] = [];

beforeAll(async () => {
  world = await startHttpsWorld("canvas");
  const sites = [{ tool: world.toolUrl, framing: world.lms.url }];
  for (const cookies of ["all", "partitioned", "none"] as const) {
    const profile = await startCookieProfile(cookies, sites);
    profiles.set(cookies, profile);
    problems = collectProblems(profile.context, world.toolUrl, problems);
  }
}, 180_000);

afterEach(async () => {
  await Promise.all([...profiles.values()].map((profile) => profile.clear()));
  // A tab of the classroom that an earlier launch opened is not ours to move.
  const found = problems
    .splice(0)
    .filter((problem) => !problem.includes("Unsafe attempt to initiate navigation"));
  expect(found, "errors on the console of our pages").toEqual([]);
});

afterAll(async () => {
  for (const profile of profiles.values()) await profile.close();
  await world.close();
});

/** Somebody opens the course link in the LMS's frame, in a browser that keeps these cookies there. */
async function opens(cookies: Cookies, person: Person): Promise<{ page: Page; frame: Frame }> {
  const profile = profiles.get(cookies);
  if (profile === undefined) throw new Error("no such browser");
  const [name = "", ...value] = world.lms.cookieFor(person).split("=");
  const cookie = { name, value: value.join("="), url: world.lms.url, secure: true };
  await profile.context.addCookies([{ ...cookie, sameSite: "None" }]);
  const page = await profile.openTab();
  await page.route(`${world.lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><iframe id="contentframe" name="contentframe" title="Tool" width="800" height="900" src="/link/${link}/launch?container=embed"></iframe><iframe name="post_message_forwarding" title="Values" hidden src="/post_message_forwarding"></iframe></html>`,
    }),
  );
  await page.goto(`${world.lms.url}/frame`);
  const frame = await (await page.waitForSelector("iframe#contentframe")).contentFrame();
  if (frame === null) throw new Error("the LMS page has no frame");
  await frame.locator("nav.areas").waitFor();
  return { page, frame };
}

const heading = (frame: Frame) => frame.getByRole("heading", { level: 1 }).first().innerText();

/** Waits until the page is the one that is called so. */
const shows = (frame: Frame, title: string, how: string) =>
  expect.poll(() => heading(frame), { timeout: 15_000, message: how }).toContain(title);

/** Back or Forward in the frame. */
async function moves(page: Page, frame: Frame, by: -1 | 1): Promise<void> {
  const moved = page.waitForEvent("framenavigated", (one) => one === frame);
  await frame.evaluate(`setTimeout(() => history.go(${String(by)}))`);
  await moved;
  await frame.waitForLoadState("load");
}

const area = (frame: Frame, name: string) =>
  frame.locator("nav.areas").first().getByText(name, { exact: true });

describe.each(["all", "partitioned"] as const)("In a frame whose browser keeps %s cookies", (cookies) => {
  test.each(["teacher1", "student1"] as const)(
    "%s goes through every area, reloads each, and goes back and forward",
    async (person) => {
      const { page, frame } = await opens(cookies, person);
      expect(frame.url()).toMatch(/\/c\/[\w-]{16}\/home(\?launched=1)?$/);
      const home = await heading(frame);
      for (const [name, title] of areas[person]) {
        await pressed(frame, area(frame, name));
        await shows(frame, title, "a link");
        const reloaded = page.waitForEvent("framenavigated", (one) => one === frame);
        await frame.evaluate("setTimeout(() => location.reload())");
        await reloaded;
        await frame.waitForLoadState("load");
        await shows(frame, title, "after F5");
      }
      for (const [, title] of areas[person].toReversed().slice(1)) {
        await moves(page, frame, -1);
        await shows(frame, title, "Back");
      }
      await moves(page, frame, -1);
      await shows(frame, home, "Back");
      await moves(page, frame, 1);
      await shows(frame, areas[person][0][1], "Forward");
    },
    120_000,
  );

  test("a change is not sent again by F5, and Back leads to the page before it", async () => {
    const { page, frame } = await opens(cookies, "teacher1");
    await pressed(frame, area(frame, "Settings"));
    await frame.getByLabel("Begin in gallery view").selectOption("yes");
    await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
    await frame.getByRole("status").first().waitFor();
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(request.url());
    });
    const reloaded = page.waitForEvent("framenavigated", (one) => one === frame);
    await frame.evaluate("setTimeout(() => location.reload())");
    await reloaded;
    await frame.waitForLoadState("load");
    expect(await frame.getByLabel("Begin in gallery view").inputValue()).toBe("yes");
    expect(posts).toEqual([]);
    await frame.getByLabel("Begin in gallery view").selectOption("no");
    await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
  });

  test("what somebody typed is there after F5 on its preview, and after Back", async () => {
    const { page, frame } = await opens(cookies, "teacher1");
    await pressed(frame, area(frame, "Sessions"));
    await pressed(frame, frame.locator('a[href$="/sessions/plan"]').first());
    await frame.getByLabel("Name", { exact: true }).fill("Typed and not saved");
    await pressed(frame, frame.locator('button[value="preview"]'));
    await frame.getByText("Typed and not saved").first().waitFor();
    const reloaded = page.waitForEvent("framenavigated", (one) => one === frame);
    await frame.evaluate("setTimeout(() => location.reload())");
    await reloaded;
    await frame.waitForLoadState("load");
    await frame.getByText("Typed and not saved").first().waitFor();
    await moves(page, frame, -1);
    expect(new URL(frame.url()).pathname).toMatch(/\/sessions\/plan$/);
    expect(await frame.locator('input[name="title"]').inputValue()).toBe("Typed and not saved");
    await frame.getByText("What you typed here isn’t saved yet.").waitFor();
    await pressed(frame, frame.getByRole("button", { name: "Throw it away" }));
    expect(await frame.locator('input[name="title"]').inputValue()).not.toBe("Typed and not saved");
  });

  test("a page opens in a tab beside the frame", async () => {
    const { page, frame } = await opens(cookies, "teacher1");
    await pressed(frame, area(frame, "Grades"));
    await shows(frame, "Grades", "a link");
    const tab = await page.context().newPage();
    await tab.goto(frame.url());
    if (cookies === "all") {
      // The tab has the frame's other cookie.
      expect(await heading(tab.mainFrame())).toContain("Grades");
    } else {
      await tab.getByText("This page is open in another tab or browser.").waitFor();
    }
  });

  test("once signed out, neither Back nor F5 shows anything", async () => {
    const { page, frame } = await opens(cookies, "student1");
    await pressed(frame, area(frame, "Recordings"));
    await pressed(frame, frame.getByRole("button", { name: "Sign out" }));
    await frame.getByText("To come back, open the classroom link").waitFor();
    await moves(page, frame, -1);
    await expect.poll(() => frame.url()).toMatch(/recordings$/);
    await frame.getByText("You have signed out").first().waitFor();
    expect(await frame.locator("nav.areas").count()).toBe(0);
  });
});

describe("In a frame whose browser keeps no cookie", () => {
  test.each(["teacher1", "student1"] as const)(
    "%s goes through every area by forms",
    async (person) => {
      const { frame } = await opens("none", person);
      for (const [name, title] of areas[person]) {
        await pressed(frame, area(frame, name));
        await shows(frame, title, "a link");
      }
      expect(await frame.locator("nav.areas a").count()).toBe(0);
    },
    120_000,
  );
});
