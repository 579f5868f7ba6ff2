import type { Browser, Frame, Page } from "playwright-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { startDemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import {
  type BrowserOptions,
  findingsOnEveryScreen,
  openProfile,
  startBrowser,
} from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { holdSession, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { at, launchedFrame } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "Biology 101 – Spring", code: "BIO101" };
const enterButton = { name: /^(Enter classroom|Join)$/ };

const profiles = watchProfiles();

const world = await forAllTests(startDemoWorld({ logger: createLogger("silent") }));
const browser = await forAllTests(startBrowser());

afterEach(() => {
  world.classroom.clearFaults();
});

/** A new tab of somebody's own browser profile; null is somebody who is not logged in at the LMS. */
async function tabOf(person: string | null, inBrowser = browser): Promise<Page> {
  const cookie = person === null ? null : world.lms.cookieFor(person);
  const context = await openProfile(inBrowser, world.lms.url, cookie);
  profiles.watch(context, world.toolUrl);
  return context.newPage();
}

/** Does something in a browser of its own. */
async function inBrowserThat(options: BrowserOptions, act: (own: Browser) => Promise<void>): Promise<void> {
  const own = await startBrowser(options);
  try {
    await act(own);
  } finally {
    await own.close();
  }
}

/** Our page in the LMS's frame. */
async function frameOf(page: Page): Promise<Frame> {
  return launchedFrame(page, world.toolUrl);
}

/** Opens the activity as the LMS embeds it. */
async function openEmbedded(page: Page): Promise<Frame> {
  await page.goto(`${world.lms.url}/link/${biology.link}?container=embed`);
  return frameOf(page);
}

/** The tab that opens while `act` runs, once it shows a heading. */
async function newTab(page: Page, act: () => Promise<unknown>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent("page"), act()]);
  await tab.waitForSelector("h1");
  return tab;
}

function headingOf(page: Page | Frame): Promise<string> {
  return page.getByRole("heading", { level: 1 }).innerText();
}

/** Somebody is in the classroom, and was there for a session, or too late for it. */
async function attends(person: string, status: "PRESENT" | "LATE"): Promise<void> {
  holdSession(world, biology.code, await walkIn(world, person, biology.link), status);
}

/** Waits until the page of all grades, read without a browser, has a row of the learner that says this. */
async function untilRowSays(learner: string, state: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const visitor = createVisitor();
      const coursePage = await openCourseLink(visitor, world.lms, "teacher1", biology.link, {
        framed: true,
      });
      const page = await visitor.submit(coursePage, { action: "/course/grades" });
      expect(page.text.split("<tr").find((row) => row.includes(learner))).toContain(state);
    },
    { timeout: 30_000, interval: 100 },
  );
}

/** The instructor goes on to the page of grades. */
async function openGrades(frame: Frame): Promise<Frame> {
  await frame.getByRole("link", { name: "Grades", exact: true }).click();
  await frame.waitForURL(at("/grades"));
  return frame;
}

describe("A learner who opens the course link embedded in the LMS page", () => {
  test("reads where the button leads, presses it, and the course's Space opens in a new tab", async () => {
    await inBrowserThat({ whole: true }, async (chromium) => {
      const page = await tabOf("student1", chromium);
      const frame = await openEmbedded(page);
      expect(await headingOf(frame)).toBe("Your online classroom");
      expect(page.context().pages(), "nobody has asked for a tab yet").toHaveLength(1);
      expect(await frame.locator("main").innerText()).toContain(biology.name);
      expect(await frame.getByRole("heading", { name: "Needs your attention" }).count()).toBe(0);

      const space = await newTab(page, () => frame.getByRole("button", enterButton).click());
      expect(new URL(space.url()).origin).toBe(world.classroom.appUrl);
      expect(await headingOf(space)).toContain(biology.name);
      expect(await space.evaluate("window.opener")).toBeNull();
      expect(await frame.getByRole("status").innerText()).toMatch(/is open in a new tab/);
      expect(page.context().pages()).toHaveLength(2);
    });
  });

  test("can do it by keyboard alone, and sees where they are", async () => {
    const page = await tabOf("student1");
    const frame = await openEmbedded(page);
    for (let presses = 0; presses < 30; presses += 1) {
      const focused = await frame.evaluate("document.activeElement.textContent.trim()");
      if (typeof focused === "string" && enterButton.name.test(focused)) break;
      await page.keyboard.press("Tab");
    }
    const outline = await frame.evaluate(
      "document.querySelector('button:focus-visible') && getComputedStyle(document.activeElement).outline",
    );
    expect(outline).toMatch(/solid 3px/);
    const space = await newTab(page, () => page.keyboard.press("Enter"));
    expect(await headingOf(space)).toContain(biology.name);
  });

  test("finds the Space open already where the browser allows tabs without a click, and only once", async () => {
    // Not in all of Chromium: a tab that opens by itself sometimes keeps from Playwright that the frame has come to our page.
    await inBrowserThat({ allowPopups: true }, async (permissive) => {
      const page = await tabOf("student2", permissive);
      const space = await newTab(page, () => openEmbedded(page));
      await space.waitForURL(`${world.classroom.appUrl}/**`);
      expect(await headingOf(space)).toContain(biology.name);
      const frame = await frameOf(page);
      expect(await frame.getByRole("status").innerText()).toMatch(/is open in a new tab/);
      expect(page.context().pages()).toHaveLength(2);

      await newTab(page, () => frame.getByRole("button", enterButton).click());
      expect(page.context().pages(), "the button still opens one").toHaveLength(3);

      const again = await newTab(page, () => openEmbedded(page));
      await again.waitForURL(`${world.classroom.appUrl}/**`);
      expect(page.context().pages(), "the link, opened again, opens one beside").toHaveLength(4);
    });
  });
});

describe("A learner whose LMS opens the link in place of the page", () => {
  test("lands in the Space directly", async () => {
    const page = await tabOf("student3");
    await page.goto(`${world.lms.url}/link/${biology.link}?container=existing`);
    await page.waitForURL(`${world.classroom.appUrl}/**`);
    expect(await headingOf(page)).toContain(biology.name);
  });
});

/** Axe finds nothing on any screen, nothing sticks out at the side, and the page wears the person's colours. */
async function expectWellMade(ours: Page | Frame): Promise<void> {
  expect(await findingsOnEveryScreen(ours)).toEqual([]);
  expect(await ours.evaluate("document.documentElement.lang")).toBe("en");
}

/** A teacher locks the gradebook's column, or unlocks it. */
function lockColumn(locked: boolean): void {
  const column = [...world.lms.world.columns.values()].find(({ courseId }) => courseId === biology.course);
  if (column === undefined) throw new Error("the gradebook has no column");
  world.lms.setColumn(column.id, { locked });
}

describe("An instructor", () => {
  test("is not thrown into the classroom by sending grades again", async () => {
    try {
      await inBrowserThat({ allowPopups: true }, async (permissive) => {
        const page = await tabOf("teacher1", permissive);
        await attends("student7", "PRESENT");
        await untilRowSays("Anna Bianchi", "In Moodle");
        lockColumn(true);
        await attends("student8", "PRESENT");
        await untilRowSays("Ben Carter", "Not accepted");
        const frame = await openGrades(await openEmbedded(page));
        await frame.getByRole("button", { name: "Send again now" }).click();
        await frame.waitForURL(at("/grades", "news"));
        await frame.waitForLoadState("networkidle");
        expect(page.context().pages()).toHaveLength(1);
      });
    } finally {
      lockColumn(false);
    }
  });
});

describe("While the classroom answers with nonsense", () => {
  const nonsense = { operation: "authorize", kind: "garbage", times: 100 } as const;
  const tryAgain = { name: "Try again" };

  /** The page of a failure, perhaps after a moment on the waiting page. */
  async function whenFailed(tab: Page): Promise<void> {
    await tab.getByRole("button", tryAgain).waitFor();
    expect(await headingOf(tab)).toBe("The classroom can’t be opened");
  }

  test("an instructor reads why, from the button in a frame and at top level alike, on a page that is well made", async () => {
    const [page, top] = [await tabOf("teacher1"), await tabOf("teacher1")];
    // A login that was fetched for their page earlier is used up first.
    await walkIn(world, "teacher1", biology.link);
    world.classroom.addFault(nonsense);
    const frame = await openEmbedded(page);
    const tab = await newTab(page, () => frame.getByRole("button", enterButton).click());
    await whenFailed(tab);
    expect(await tab.getByText("Code: classroom-").isVisible(), "details are open").toBe(true);
    expect(await tab.locator("main").innerText()).not.toMatch(/dialect|CLASSROOM_/i);
    expect(await tab.locator("main").innerText()).not.toContain("your teacher");
    await top.goto(`${world.lms.url}/link/${biology.link}?container=existing`);
    const other = await newTab(top, () => top.getByRole("button", enterButton).click());
    await whenFailed(other);
    await expectWellMade(other);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the page of a wrong address is well made", async () => {
    const page = await tabOf(null);
    await page.goto(`${world.toolUrl}/no/such/page`);
    await expectWellMade(page);
  });

  test("the end of a registration is well made", async () => {
    const page = await tabOf(null);
    await page.goto(await world.lms.beginRegistration((await invitation()).url));
    expect(await headingOf(page)).toBe("The tool is registered");
    await expectWellMade(page);
  });
});

/** What the operator's command prints. */
async function invitation(): Promise<{ url: string }> {
  const printed = await runCli(world.variables, ["invite"]);
  if (typeof printed !== "object" || printed === null || !("url" in printed))
    throw new Error("no invitation");
  return { url: String(printed.url) };
}
