import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { type Arrival, arriveAndWait, bringTicket, keepEverybodyWaiting } from "../support/tool/in-queue.ts";
import { findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { metric, startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { link: "1", name: "Biology 101" };
const learners = Array.from({ length: 30 }, (_, number) => `student${number + 1}`);

const world = await forAllTests(startWorld());
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  await walkIn(world, "student30", biology.link);
});
afterEach(async () => {
  world.classroom.clearFaults();
  // Everybody still in the queue enters, or is no longer waited for.
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_people_at_the_door{environment="production"}')).toBe(0);
  }, patience);
});
// Below the hook above, so that people have left before it looks.
const profiles = watchProfiles();

/** A new tab of somebody's own browser. */
async function tabOf(person: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context =
    options.javaScriptEnabled === false
      ? await browser.newContext(options)
      : await openProfile(browser, world.lms.url, world.lms.cookieFor(person));
  profiles.watch(context, world.toolUrl);
  return context.newPage();
}

/** That many learners come while nobody is let in, until the classroom's faults are cleared. */
async function othersArrive(count: number): Promise<Arrival[]> {
  keepEverybodyWaiting(world.classroom);
  return Promise.all(
    learners.slice(0, count).map((person) => arriveAndWait(world.lms, person, biology.link)),
  );
}

/** The last learner opens the link in the LMS, behind all others; an earlier login is used up first. */
async function lastArrives(page: Page): Promise<void> {
  const waiting = `${world.toolUrl}/waiting?`;
  do {
    await page.goto(`${world.lms.url}/link/${biology.link}/launch?container=existing`);
    await page.waitForURL(({ href }) => href.startsWith(waiting) || href.startsWith(world.classroom.appUrl), {
      timeout: 40_000,
    });
  } while (!page.url().startsWith(waiting));
}

/** Somebody's position in the queue, in their browser. @returns the page's address */
async function opensTicketOf(page: Page, person: string): Promise<string> {
  const address = await bringTicket(page.context(), await arriveAndWait(world.lms, person, biology.link));
  await page.goto(address);
  return address;
}

const placeOn = (page: Page): Promise<string> => page.locator("#place").innerText();
const isInside = (page: Page): Promise<void> =>
  page.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 40_000 });
/** Counts the forms that a page sends to our address. */
function postsTo(page: Page, path: string): { count: number } {
  const posts = { count: 0 };
  page.context().on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === path) posts.count += 1;
  });
  return posts;
}
const headingOf = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).innerText();

/** Records what a page says about the queue from its opening on; `titles` with the number in the title. */
async function noteLine(page: Page): Promise<{ numbers: number[]; titles: [string, number][] }> {
  const noted: { numbers: number[]; titles: [string, number][] } = { numbers: [], titles: [] };
  await page.exposeFunction("noteLine", (place: string, title: string) => {
    const number = Number(/\d+/.exec(place)?.[0] ?? 0);
    if (noted.numbers.at(-1) !== number) noted.numbers.push(number);
    if (noted.titles.at(-1)?.[0] !== title) noted.titles.push([title, number]);
  });
  await page.addInitScript({
    content: `addEventListener("DOMContentLoaded", () => {
      const place = document.getElementById("place");
      if (place === null) return;
      const note = () => noteLine(place.textContent, document.title);
      note();
      new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
    })`,
  });
  return noted;
}

describe("Somebody who comes when the whole class comes", () => {
  test("sees how many are before them, sees the queue move, and gets in without doing anything, even behind a proxy that holds back the stream, or without scripts", async () => {
    const [page, proxied] = [await tabOf("student30"), await tabOf("student29")];
    const scriptless = await tabOf("student28", { javaScriptEnabled: false });
    const asked = { stream: 0, state: 0 };
    await proxied.route("**/waiting/events", () => {
      asked.stream += 1; // and nothing ever comes
    });
    proxied.on("request", (request) => {
      if (new URL(request.url()).pathname === "/waiting/state") asked.state += 1;
    });
    const [noted, notedByAsking] = [await noteLine(page), await noteLine(proxied)];
    await othersArrive(20);
    await lastArrives(page);
    await opensTicketOf(proxied, "student29");
    await opensTicketOf(scriptless, "student28");
    expect(await page.locator("main").innerText()).toContain(biology.name);
    expect(await placeOn(scriptless)).toMatch(/before you/);
    expect(await scriptless.getByRole("button", { name: "Check now" }).count()).toBe(1);
    expect(await scriptless.locator("main").innerText()).toContain("refreshes automatically");
    await vi.waitFor(() => {
      expect(Math.max(...noted.numbers)).toBe(20);
      expect(Math.max(...notedByAsking.numbers)).toBe(21);
      expect(asked.state).toBeGreaterThan(0);
    }, patience);

    world.classroom.clearFaults();
    await Promise.all([page, proxied, scriptless].map(isInside));
    expect(await headingOf(page)).toContain(biology.name);
    for (const { numbers } of [noted, notedByAsking]) {
      // The page's first number may be a second old, and miss people who came just before.
      const fresh = numbers.slice(numbers.indexOf(Math.max(...numbers)));
      expect(fresh.length).toBeGreaterThanOrEqual(numbers.length - 1);
      expect(fresh).toEqual([...fresh].sort((one, other) => other - one));
    }
    expect(new Set(noted.numbers).size).toBeGreaterThan(3);
    expect(new Set(notedByAsking.numbers).size).toBeGreaterThan(1);
    const counting = noted.titles.filter(([title]) => / before you - /.test(title));
    expect(counting.length).toBeGreaterThan(3);
    for (const [title, number] of counting) expect(title).toMatch(`${number} before you - Biology 101`);
    expect(asked.stream).toBeGreaterThan(0);
    expect(asked.state).toBeGreaterThan(1);
    expect(world.classroom.callCounts().mostInOneSecond).toBeLessThan(5);
  }, 90_000);
});

describe("When the classroom is in trouble", () => {
  test("the page says so immediately, even to screen readers, and continues automatically", async () => {
    const page = await tabOf("student30");
    world.classroom.addFault({ operation: "*", kind: "500", times: 1_000 });
    await Promise.all(
      ["student1", "student2"].map((person) => arriveAndWait(world.lms, person, biology.link)),
    );
    await lastArrives(page);
    await vi.waitFor(async () => {
      expect(await page.locator("#time").innerText()).toContain("isn’t answering");
      expect(await page.locator("#said").innerText()).toContain("isn’t answering");
      expect(await page.title()).toMatch(/^Please wait - Biology/);
      expect(await page.locator("#progress").isVisible(), "an empty bar").toBe(false);
    }, patience);
    world.classroom.clearFaults();
    await isInside(page);
  }, 90_000);

  test("somebody who could not be let in tries again, and gets in", async () => {
    const page = await tabOf("student30");
    keepEverybodyWaiting(world.classroom);
    await opensTicketOf(page, "student30");
    world.classroom.clearFaults();
    world.classroom.addFault({ operation: "authorize", kind: "garbage", times: 1_000 });
    await page.getByRole("button", { name: "Try again" }).waitFor({ timeout: 30_000 });
    expect(await headingOf(page)).toBe("The classroom can’t be opened");
    world.classroom.clearFaults();
    const tries = postsTo(page, "/waiting/again");
    await page.getByRole("button", { name: "Try again" }).dblclick();
    await isInside(page);
    expect(tries.count).toBe(1);
  }, 90_000);

  test("a page whose connection is lost says so, and continues when it is back", async () => {
    const page = await tabOf("student30");
    await page.clock.install();
    await othersArrive(2);
    await lastArrives(page);
    const offline = page.context();
    await offline.setOffline(true);
    for (let seconds = 0; seconds < 70; seconds += 5) await page.clock.runFor(5_000);
    expect(await page.locator("#time").innerText()).toContain("You’re offline. We keep trying.");
    await offline.setOffline(false);
    await vi.waitFor(async () => {
      await page.clock.runFor(1_000);
      expect(await page.locator("#time").innerText()).not.toContain("You’re offline. We keep trying.");
    }, patience);
    profiles.expects(/ERR_INTERNET_DISCONNECTED/);
  }, 90_000);
});

describe("When the tool starts again", () => {
  test("an open page keeps waiting, keeps its position and gets in", async () => {
    const page = await tabOf("student30");
    await othersArrive(4);
    await lastArrives(page);
    // The page's first number may be a second old.
    await vi.waitFor(async () => {
      expect(await placeOn(page)).toBe("4 people are before you.");
    }, patience);
    await world.tool().end("SIGTERM");
    expect(await placeOn(page)).toBe("4 people are before you.");
    await world.restartTool();
    world.classroom.clearFaults();
    await isInside(page);
    profiles.expects(/ERR_(CONNECTION_|INCOMPLETE_|EMPTY_)/);
  }, 90_000);
});

test("a tab in the queue closes once a newer tab has its position, or says so if the browser keeps it open", async () => {
  const page = await tabOf("student30");
  await othersArrive(1);
  await lastArrives(page);
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.evaluate("void window.open(location.href)"),
  ]);
  await opened.locator("#place").waitFor();
  // A tab that a page opened may close; the first tab was opened by its person, and has been elsewhere before.
  await lastArrives(await page.context().newPage());
  await vi.waitFor(async () => {
    expect([opened.isClosed(), await headingOf(page)]).toEqual([true, "This tab is no longer in line"]);
  }, patience);
}, 90_000);

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the waiting page looks right", async () => {
    const page = await tabOf("student30");
    await othersArrive(1);
    await opensTicketOf(page, "student27");
    // The bar is hidden while the queue stands still, which is not so while its first three differ.
    const another = arriveAndWait(world.lms, "student26", biology.link);
    await page.locator("#progress").waitFor();
    await another;
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  }, 90_000);

  test("the pages of a position that is over look right, and say what to do", async () => {
    const page = await tabOf("student30");
    await page.goto(`${world.toolUrl}/waiting?place=unknown`);
    expect(await headingOf(page)).toBe("This tab is no longer in line");
    expect(await findingsOnEveryScreen(page)).toEqual([]);

    keepEverybodyWaiting(world.classroom);
    const address = await opensTicketOf(page, "student30");
    world.classroom.clearFaults();
    await isInside(page);
    await page.goto(address);
    expect(await headingOf(page)).toBe("You’ve been let in already");
    expect(await findingsOnEveryScreen(page)).toEqual([]);

    await page.context().clearCookies();
    await page.goto(address);
    expect(await headingOf(page)).toBe("This place in line belongs to another browser");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  }, 90_000);
});
