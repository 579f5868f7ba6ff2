import type { Frame, Locator, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { keepEverybodyWaiting } from "../support/tool/in-queue.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { axeFindings } from "../support/browser/browser.ts";
import {
  cookieBrowsers,
  cookieKinds,
  type Cookies,
  keeping,
  logInAt,
} from "../support/browser/cookie-profile.ts";
import { startHttpsWorld } from "../support/browser/https-world.ts";
import { openFolds, pressed } from "../support/browser/open-in-frame.ts";
import { isNightly } from "../support/nightly.ts";

const link = "1";
/** The areas of each role, with their pages' headings. */
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

/** With partitioned cookies, links lead to pages as with all cookies; only the nightly run tests that. */
const kinds = cookieKinds.filter((one) => one !== "partitioned" || isNightly);
/** In the gate, Firefox tests the browser that keeps all (other-browsers.thorough.test.ts). */
const walked = isNightly ? kinds : kinds.slice(-1);

const world = await forAllTests(startHttpsWorld("canvas"));
const { tabOf, expects } = await cookieBrowsers(kinds, [world]);

/** A page of the LMS with the tool's frame and, hidden, the one that keeps values. @returns the tool's frame. */
async function framedPage(page: Page, allow = ""): Promise<Frame> {
  await page.route(`${world.lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><iframe id="contentframe" name="contentframe" title="Tool" width="800" height="900" src="/link/${link}/launch?container=embed" allow="${allow}"></iframe><iframe name="post_message_forwarding" title="Values" hidden src="/post_message_forwarding"></iframe></html>`,
    }),
  );
  await page.goto(`${world.lms.url}/frame`);
  const frame = await (await page.waitForSelector("iframe#contentframe")).contentFrame();
  if (frame === null) throw new Error("the LMS page has no frame");
  return frame;
}

/** A person opens the course link in the LMS's frame, in a browser that keeps these cookies there. `without`: files that do not load. */
async function opens(
  cookies: Cookies,
  person: Person,
  without?: RegExp,
): Promise<{ page: Page; frame: Frame }> {
  const page = await tabOf(world, cookies, person);
  if (without !== undefined) await page.route(without, (route) => route.abort());
  const frame = await framedPage(page);
  await frame.locator("nav.areas").waitFor();
  return { page, frame };
}

const heading = (frame: Frame) => frame.getByRole("heading", { level: 1 }).first().innerText();

/** Waits until the page has this heading. */
const shows = (frame: Frame, title: string, how: string) =>
  expect.poll(() => heading(frame), { timeout: 15_000, message: how }).toContain(title);

/** Runs code that leads to another document, or to this one again, and waits for that: a page that only changes its own address stays. */
async function leaves(frame: Frame, how: string): Promise<void> {
  // The script that keeps the page's address runs after its heading is shown.
  await expect.poll(() => frame.evaluate(`document.readyState`)).toBe("complete");
  await frame.evaluate(`window.isLeft = true; setTimeout(() => ${how}); undefined`);
  const isThere = `window.isLeft === undefined && document.readyState === "complete"`;
  await expect.poll(() => frame.evaluate(isThere).catch(() => false)).toBe(true);
}

/** Back or Forward in the frame. */
const moves = (frame: Frame, by: -1 | 1) => leaves(frame, `history.go(${by})`);

/** F5 in the frame. */
const reloads = (frame: Frame) => leaves(frame, "location.reload()");

const area = (frame: Frame, name: string) =>
  frame.locator("nav.areas").first().getByText(name, { exact: true }).first();

/** An option of the settings, which is folded away at first. */
async function galleryView(frame: Frame): Promise<Locator> {
  await frame.locator("#settings").waitFor();
  await openFolds(frame);
  return frame.getByLabel("Begin in gallery view");
}

/** The browser's dialogs that ask whether to leave; each is answered with yes. */
function leavingAsks(page: Page): string[] {
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  return asked;
}

async function opensPlan(frame: Frame): Promise<void> {
  await pressed(frame, area(frame, "Sessions"));
  const plan = 'a[href$="/sessions/plan"], form[action$="/sessions/plan"] button';
  await pressed(frame, frame.locator(plan).first());
}
const nameIn = (frame: Frame) => frame.getByLabel("Name", { exact: true });

/** Forms that a page sends from now on. */
function formsSent(page: Page): string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  return posts;
}

// In the gate, WebKit does the same without cookies, and Firefox with all of them (other-browsers.thorough.test.ts).
for (const cookies of isNightly ? kinds : []) {
  describe(`In a frame whose browser keeps ${cookies} cookies`, () => {
    test("an instructor goes through every area, reloads each, and goes back and forward", async () => {
      const person = "teacher1";
      const { page, frame } = await opens(cookies, person);
      await expect.poll(() => frame.url()).toMatch(/\/c\/[\w-]{16}\/home(\?launched=1)?$/);
      const home = await heading(frame);
      const posts = formsSent(page);
      for (const [name, title] of areas[person]) {
        await pressed(frame, area(frame, name));
        await shows(frame, title, "a link");
        posts.length = 0;
        await reloads(frame);
        await shows(frame, title, "after F5");
        expect(posts, "F5 sends no form").toEqual([]);
      }
      posts.length = 0;
      for (const [, title] of areas[person].toReversed().slice(1)) {
        await moves(frame, -1);
        await shows(frame, title, "Back");
      }
      await moves(frame, -1);
      await shows(frame, home, "Back");
      await moves(frame, 1);
      await shows(frame, areas[person][0][1], "Forward");
      expect(posts, "neither do Back and Forward").toEqual([]);
      expect((await frame.locator("nav.areas a").count()) > 0).toBe(cookies !== "none");
    });

    test("F5 does not send a change again, and Back leads to the page before it", async () => {
      const { page, frame } = await opens(cookies, "teacher1");
      const home = await heading(frame);
      await pressed(frame, area(frame, "Settings"));
      await (await galleryView(frame)).selectOption("yes");
      await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
      await frame.getByRole("status").first().waitFor();
      const posts = formsSent(page);
      await reloads(frame);
      expect(await (await galleryView(frame)).inputValue()).toBe("yes");
      expect(posts).toEqual([]);
      await moves(frame, -1);
      await shows(frame, "Settings", "Back");
      await moves(frame, -1);
      await shows(frame, home, "Back");
      expect(posts).toEqual([]);
      await moves(frame, 1);
      await (await galleryView(frame)).selectOption("no");
      await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
      await frame.getByRole("status").first().waitFor();
    });
  });
}

for (const cookies of walked) {
  describe(`In a frame whose browser keeps ${cookies} cookies`, () => {
    test("unsaved input survives F5 on its preview, and Back", async () => {
      const { frame } = await opens(cookies, "teacher1");
      await opensPlan(frame);
      await nameIn(frame).fill("Typed and not saved");
      await pressed(frame, frame.locator('button[value="preview"]'));
      await frame.getByText("Typed and not saved").first().waitFor();
      await reloads(frame);
      await frame.getByText("Typed and not saved").first().waitFor();
      await moves(frame, -1);
      await frame.getByText("You have unsaved changes.").waitFor();
      expect(new URL(frame.url()).pathname).toMatch(/\/sessions\/plan$/);
      expect(await frame.locator('input[name="title"]').inputValue()).toBe("Typed and not saved");
      await pressed(frame, frame.getByRole("button", { name: "Discard" }));
      await expect
        .poll(() => frame.locator('input[name="title"]').inputValue())
        .not.toBe("Typed and not saved");
    });

    test("a page restored by Back works: its scripts run once, and its forms send what is typed", async () => {
      const { page, frame } = await opens(cookies, "teacher1");
      await pressed(frame, area(frame, "Settings"));
      await shows(frame, "Settings", "a link");
      await pressed(frame, area(frame, "People"));
      await shows(frame, "People", "a link");
      await moves(frame, -1);
      await shows(frame, "Settings", "Back");
      // The page's own script has removed this.
      await frame.locator("#show-addresses").waitFor({ state: "detached" });
      const asked: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/settings/preview")) asked.push(request.url());
      });
      const view = await galleryView(frame);
      const [answered] = await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith("/settings/preview")),
        view.selectOption("yes"),
      ]);
      expect(answered.status()).toBe(200);
      expect(asked, "one script asks").toHaveLength(1);
      await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
      await frame.getByRole("status").first().waitFor();
      await (await galleryView(frame)).selectOption("no");
      await pressed(frame, frame.getByRole("button", { name: "Save", exact: true }));
      await frame.getByRole("status").first().waitFor();
    });

    test("once signed out, neither Back nor F5 shows anything", async () => {
      const { frame } = await opens(cookies, "student1");
      await pressed(frame, area(frame, "Recordings"));
      await pressed(frame, frame.getByRole("button", { name: "Sign out" }));
      await frame.getByText("To come back, open the classroom link").waitFor();
      expect(await axeFindings(frame)).toEqual([]);
      await moves(frame, -1);
      await expect.poll(() => frame.url()).toMatch(/recordings(\?page=1)?$/);
      await frame.getByText("You have signed out").first().waitFor();
      expect(await frame.locator("nav.areas").count()).toBe(0);
      expect(await frame.getByRole("link", { name: "Back to the course" }).getAttribute("target")).toBe(
        "_top",
      );
    });
  });
}

for (const cookies of kinds) {
  describe(`In such a frame, if it matters that the browser keeps ${cookies} cookies`, () => {
    test("unsaved input survives another page, F5 and a new launch until it is saved; without storage, leaving asks", async () => {
      const { page, frame } = await opens(cookies, "teacher1");
      const asked = leavingAsks(page);
      await opensPlan(frame);
      await nameIn(frame).fill("Not saved");
      await pressed(frame, area(frame, "People"));
      if (cookies !== "all") {
        expect(asked, "the browser refuses to store it").toEqual(["beforeunload"]);
        return;
      }
      expect(asked, "nothing is lost").toEqual([]);
      await moves(frame, -1);
      await expect.poll(() => nameIn(frame).inputValue()).toBe("Not saved");
      await frame.getByText("You have unsaved changes.").waitFor();
      expect(await axeFindings(frame)).toEqual([]);
      await reloads(frame);
      await expect.poll(() => nameIn(frame).inputValue()).toBe("Not saved");
      expect(asked, "the LMS’s page may go, and with it the tab").toEqual(["beforeunload"]);
      const again = await framedPage(page);
      await again.locator("nav.areas").waitFor();
      await opensPlan(again);
      await expect.poll(() => nameIn(again).inputValue()).toBe("Not saved");
      const other = await framedPage(await page.context().newPage());
      await other.locator("nav.areas").waitFor();
      await opensPlan(other);
      expect(await nameIn(other).inputValue(), "another tab has its own").not.toBe("Not saved");
      await pressed(again, again.locator('button[value="preview"]'));
      await again.getByText("Not saved").first().waitFor();
      await pressed(again, area(again, "People"));
      await pressed(again, area(again, "Sessions"));
      expect(await again.evaluate("sessionStorage.getItem('drafts')")).toBe("{}");
    }, 60_000);

    test("a page's address opens in a tab if the browser shares its cookies, or else by the page's own button", async () => {
      const { page, frame } = await opens(cookies, "teacher1");
      await pressed(frame, area(frame, "Grades"));
      await shows(frame, "Grades", "a link");
      const typed = await page.context().newPage();
      await typed.goto(frame.url());
      if (cookies === "all") {
        // The tab has the frame's other cookie.
        expect(await heading(typed.mainFrame())).toContain("Grades");
      } else {
        await typed.getByText("This page is open in another tab or browser.").waitFor();
        expect(await typed.getByRole("link", { name: "Back to the course" }).getAttribute("target")).toBe(
          "_top",
        );
      }
      const [tab] = await Promise.all([
        page.context().waitForEvent("page"),
        frame.getByRole("button", { name: "Open in new tab" }).click(),
      ]);
      await expect.poll(() => heading(tab.mainFrame())).toContain("Grades");
      expect(await tab.getByRole("button", { name: "Open in new tab" }).count()).toBe(0);
      await tab.getByRole("link", { name: "People", exact: true }).click();
      await expect.poll(() => heading(tab.mainFrame())).toContain("People");
      await tab.goBack();
      await expect.poll(() => heading(tab.mainFrame())).toContain("Grades");
      await tab.reload();
      expect(await heading(tab.mainFrame())).toContain("Grades");
    });
  });
}

test("Unsaved input is gone once its author signs out, and nobody else in the tab sees it", async () => {
  const { page, frame } = await opens("all", "teacher1");
  const drafts = (shown: Frame) => shown.evaluate("sessionStorage.getItem('drafts')");
  await opensPlan(frame);
  await nameIn(frame).fill("Mine");
  await pressed(frame, area(frame, "People"));
  expect(await drafts(frame)).toContain("Mine");
  await pressed(frame, frame.getByRole("button", { name: "Sign out" }));
  await expect.poll(() => drafts(frame)).toBe("{}");
  const again = await framedPage(page);
  await again.locator("nav.areas").waitFor();
  await opensPlan(again);
  await nameIn(again).fill("Mine");
  await pressed(again, area(again, "People"));
  await logInAt(page.context(), world, "student2");
  const theirs = await framedPage(page);
  await theirs.locator("nav.areas").waitFor();
  await expect.poll(() => drafts(theirs)).toBe("{}");
});

test.each([
  ["from the browser's cache", `dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`],
  ["in a tab that becomes visible again", `document.dispatchEvent(new Event("visibilitychange"))`],
])("a page %s shows nothing once its session has ended", async (_which, comesBack) => {
  const { page, frame } = await opens("all", "student1");
  await pressed(frame, area(frame, "Recordings"));
  await shows(frame, "Recordings", "a link");
  const token = await frame.locator('input[name="session"]').first().inputValue();
  await page.bringToFront();
  await expect.poll(() => frame.evaluate("document.visibilityState")).toBe("visible");
  const [asked] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith("/alive")),
    frame.evaluate(comesBack),
  ]);
  expect(asked.status()).toBe(204);
  await area(frame, "Recordings").waitFor({ state: "visible" });
  const body = new URLSearchParams({ session: token });
  const { status } = await fetch(`${world.toolUrl}/course/sign-out`, { method: "POST", body });
  expect(status).toBe(200);
  await frame.evaluate(comesBack);
  await frame.getByText("You have signed out").first().waitFor();
  expect(await frame.locator("nav.areas").count()).toBe(0);
});

if (kinds.includes("partitioned"))
  test("A link that is opened in a tab takes the frame's session along", async () => {
    const { page, frame } = await opens("partitioned", "teacher1");
    // A page that does not open the classroom on its own.
    await pressed(frame, area(frame, "Grades"));
    await shows(frame, "Grades", "a link");
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      area(frame, "People").click({ button: "middle" }),
    ]);
    await expect.poll(() => heading(tab.mainFrame())).toContain("People");
    expect(await heading(frame)).toContain("Grades");
  });

test("Forms lead to every page even if the pages' scripts do not load", keeping("none"), async () => {
  const { frame } = await opens("none", "student1", /(keep-address|fill-page|look-again|own-tab)\.js$/);
  for (const [name, title] of areas.student1) {
    await pressed(frame, area(frame, name));
    await shows(frame, title, "a form");
  }
  await reloads(frame);
  await shows(frame, "Recordings", "F5 asks again for what the form asked for");
  expects(/./); // the scripts that were blocked
});

const rights =
  "camera *; microphone *; display-capture *; clipboard-read *; clipboard-write *; autoplay *; fullscreen *; picture-in-picture *; compute-pressure *";

/** A learner opens the link in the LMS's frame and has to wait in it. */
async function waitsInFrame(page: Page): Promise<Frame> {
  keepEverybodyWaiting(world.classroom, "authorize");
  // A prepared login, as for a class that many enter at once, is used up first.
  for (;;) {
    const frame = await framedPage(page, rights);
    await frame.waitForURL(
      (url) => url.origin === world.toolUrl && ["/waiting", "/space"].includes(url.pathname),
    );
    if (new URL(frame.url()).pathname === "/space") continue;
    await frame.locator("#place").waitFor();
    return frame;
  }
}

/** The browser's requests to the waiting page, by method. */
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

describe("In a course that shows its classroom inside the LMS's page", () => {
  beforeAll(async () => {
    await walkIn(world, "teacher1", link);
    await setCourses(world, { mode: "embedded" });
  });
  afterEach(() => {
    world.classroom.clearFaults();
  });

  const places = {
    all: { reload: ["GET"], person: "student1" },
    partitioned: { reload: ["GET"], person: "student3" },
    none: { reload: ["GET", "POST"], person: "student5" },
  } as const;
  for (const cookies of walked) {
    const { reload, person } = places[cookies];
    test(`a learner who waits in the LMS's frame of a browser that keeps ${cookies} cookies there keeps waiting after a reload, and gets in`, async () => {
      const page = await tabOf(world, cookies, person);
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
  }

  const inWindow = { ...keeping("none"), timeout: 120_000 };
  test(
    "a learner who uses a new window keeps waiting there after Back and in a second tab of the browser",
    inWindow,
    async () => {
      const page = await tabOf(world, "none", "student7");
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
    },
  );
});
