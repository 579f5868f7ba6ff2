import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type DemoWorld, startDemoWorld } from "../../sandbox/demo-world.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { patience } from "../support/patience.ts";
import { keepEverybodyWaiting } from "../support/tool/in-queue.ts";
import { collectProblems, startBrowser, where } from "../support/browser/browser.ts";
import {
  type CookieProfile,
  cookieKinds,
  type Cookies,
  keeping,
  startCookieProfile,
} from "../support/browser/cookie-profile.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { openInFrame } from "../support/browser/open-in-frame.ts";
import { walkIn } from "../support/tool/start-world.ts";

const link = "1";
const notYours = "This place in line belongs to another browser";

/** Where the browser keeps partitioned cookies, a place is kept as where it keeps all; the gate leaves it to the nightly run. */
const kinds = cookieKinds.filter((one) => one !== "partitioned" || process.env["NIGHTLY"] === "1");

let world: DemoWorld;
const profiles = new Map<Cookies, CookieProfile>();
let problems: string[] = [];

beforeAll(async () => {
  world = await startHttpsWorld("canvas");
  await walkIn(world, "teacher1", link);
  await setCourses(world, { mode: "embedded" });
  const sites = [{ tool: world.toolUrl, framing: world.lms.url }];
  for (const cookies of kinds) {
    const profile = await startCookieProfile(cookies, sites);
    profiles.set(cookies, profile);
    problems = collectProblems(profile.context, world.toolUrl, problems);
  }
});

afterEach(async () => {
  world.classroom.clearFaults();
  await Promise.all([...profiles.values()].map((profile) => profile.clear()));
  const found = problems.splice(0);
  expect(found, "errors on the console of our pages").toEqual([]);
});

afterAll(async () => {
  for (const profile of profiles.values()) await profile.close();
  await world.close();
});

/** A tab of a browser that keeps these cookies in frames, of somebody who is logged in at the LMS. */
async function tabOf(cookies: Cookies, person: string): Promise<Page> {
  const profile = profiles.get(cookies);
  if (profile === undefined) throw new Error("no such browser");
  const [name = "", ...value] = world.lms.cookieFor(person).split("=");
  const cookie = { name, value: value.join("="), url: world.lms.url, secure: true };
  await profile.context.addCookies([{ ...cookie, sameSite: "None" }]);
  return profile.openTab();
}

const rights =
  "camera *; microphone *; display-capture *; clipboard-read *; clipboard-write *; autoplay *; fullscreen *; picture-in-picture *; compute-pressure *";

/** Somebody opens the link in the LMS's frame and has to wait in it. */
async function waitsInFrame(page: Page): Promise<Frame> {
  keepEverybodyWaiting(world.classroom, "authorize");
  await page.route(`${world.lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><iframe id="contentframe" name="contentframe" title="Tool" width="800" height="600" src="/link/${link}/launch?container=embed" allow="${rights}"></iframe><iframe name="post_message_forwarding" title="Values" hidden src="/post_message_forwarding"></iframe></html>`,
    }),
  );
  // A prepared login, as for a class of which many enter, is used up first.
  for (;;) {
    await page.goto(`${world.lms.url}/frame`);
    const frame = await (await page.waitForSelector("iframe#contentframe")).contentFrame();
    if (frame === null) throw new Error("the LMS page has no frame");
    await frame.waitForURL(
      (url) => url.origin === world.toolUrl && ["/waiting", "/space"].includes(url.pathname),
    );
    if (new URL(frame.url()).pathname === "/space") continue;
    await frame.locator("#place").waitFor();
    return frame;
  }
}

/** What the browser sent to the waiting page, by method. */
function watchWaiting(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/waiting") asked.push(request.method());
  });
  return asked;
}

const isInSpace = async (page: Page, frame: Frame) => {
  await frame.waitForURL(`${world.toolUrl}/space`, { timeout: 40_000 });
  await vi.waitFor(() => {
    expect(page.frames().some((one) => one.url().startsWith(`${world.classroom.appUrl}/spaces/`))).toBe(true);
  }, patience);
};

const places = {
  all: { reload: ["GET"], people: ["student1", "student2"] },
  partitioned: { reload: ["GET"], people: ["student3", "student4"] },
  none: { reload: ["GET", "POST"], people: ["student5", "student6"] },
} as const;
for (const cookies of kinds) {
  const {
    reload,
    people: [one, two],
  } = places[cookies];
  describe(`A learner who waits in the LMS's frame of a browser that keeps ${cookies} cookies there`, () => {
    test("waits on after a reload, and goes in", async () => {
      const page = await tabOf(cookies, one);
      const frame = await waitsInFrame(page);
      const asked = watchWaiting(page);
      await frame.evaluate("setTimeout(() => location.reload())");
      await vi.waitFor(async () => {
        expect(asked).toEqual(reload);
        expect(await frame.locator("#place").innerText()).toBe("You’re next.");
      }, patience);
      world.classroom.clearFaults();
      await isInSpace(page, frame);
      expect(asked).toEqual([...reload, ...reload]);
    }, 120_000);

    test(
      "is not followed by another browser that has the frame's address",
      { ...where("blockedCookies"), timeout: 120_000 },
      async () => {
        const page = await tabOf(cookies, two);
        const frame = await waitsInFrame(page);
        const other = await tabOf(cookies === "all" ? "none" : "all", "student9");
        await other.goto(frame.url());
        await other.getByRole("heading", { name: notYours }).waitFor();
        const back = other.getByRole("link", { name: "Back to the course" });
        expect(await back.getAttribute("href")).toContain(world.lms.url);
        await other.reload();
        await other.getByRole("heading", { name: notYours }).waitFor();
        world.classroom.clearFaults();
        await isInSpace(page, frame);
      },
    );
  });
}

describe("A learner who goes from the frame into a new window", keeping("none"), () => {
  test("waits there on after Back and in a second tab of the same browser", async () => {
    const page = await tabOf("none", "student7");
    keepEverybodyWaiting(world.classroom, "authorize");
    do {
      await page.goto(`${world.lms.url}/link/${link}/launch?container=existing`);
      await page.waitForURL((url) => ["/waiting", "/space"].includes(url.pathname));
    } while (new URL(page.url()).pathname === "/space");
    const second = await page.context().newPage();
    await second.goto(page.url());
    expect(await second.locator("#place").innerText()).toBe("You’re next.");
    await second.close();
    await page.goto("about:blank");
    await page.goBack();
    expect(await page.locator("#place").innerText()).toBe("You’re next.");
    world.classroom.clearFaults();
    await page.waitForURL(`${world.toolUrl}/space`, { timeout: 40_000 });
  }, 120_000);
});

describe("Without scripts", () => {
  let browser: Browser;
  let plain: DemoWorld;
  beforeAll(async () => {
    [browser, plain] = await Promise.all([
      startBrowser({ scripts: false }),
      startDemoWorld({ logger: createLogger("silent") }),
    ]);
    await walkIn(plain, "teacher1", link);
  });
  afterAll(async () => {
    await browser.close();
    await plain.close();
  });

  test.each(["by itself", "by the button, where the browser keeps no cookie"])(
    "the window that the frame opens looks again %s",
    async (how) => {
      keepEverybodyWaiting(plain.classroom, "authorize");
      const { frame, context } = await openInFrame(browser, plain, {
        username: how === "by itself" ? "student5" : "student6",
        linkId: link,
        screen: { width: 800, scripts: false },
      });
      // Of the LMS, on another port of this host: it would say that the browser keeps cookies.
      await context.clearCookies();
      const [tab] = await Promise.all([
        context.waitForEvent("page"),
        frame.getByRole("button", { name: /^(Enter classroom|Join)$/ }).click(),
      ]);
      await tab.getByRole("heading", { name: "You’re in line for the classroom" }).waitFor();
      expect(new URL(tab.url()).search).toBe("");
      if (how === "by itself") {
        await tab.waitForURL(`${plain.toolUrl}/waiting?place=*`);
        plain.classroom.clearFaults();
      } else {
        await context.clearCookies();
        await tab.getByRole("button", { name: "Check now" }).click();
        await tab.waitForURL(`${plain.toolUrl}/waiting`);
        expect(await tab.locator("main").innerText()).toContain(
          "Press the button to see whether it’s your turn.",
        );
        plain.classroom.clearFaults();
        await vi.waitFor(async () => {
          const look = tab.getByRole("button", { name: "Check now" });
          if (await look.isVisible()) await look.click();
          expect(tab.url()).toContain(plain.classroom.appUrl);
        }, patience);
      }
      await tab.waitForURL(`${plain.classroom.appUrl}/**`, { timeout: 40_000 });
      await context.close();
    },
    120_000,
  );
});
