import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { type DemoWorld, startDemoWorld } from "../../src/sandbox/demo-world.ts";
import { type Arrival, arriveAndWait, waitingAddressOf } from "../support/at-door.ts";
import { collectProblems, findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser.ts";
import { walkIn } from "../support/start-world.ts";

const biology = { link: "1", name: "Biology 101" };
const patience = { timeout: 40_000, interval: 100 };
const learners = Array.from({ length: 30 }, (_, number) => `student${number + 1}`);

let world: DemoWorld;
let browser: Browser;
let contexts: BrowserContext[] = [];
let problems: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
  world = await startDemoWorld({ logger: createLogger("silent") });
  await walkIn(world, "student30", biology.link);
}, 90_000);
afterEach(async () => {
  world.classroom.clearFaults();
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  const found = problems;
  problems = [];
  expect(found, "errors on the console of our pages").toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** A new tab of somebody's own browser. */
async function tabOf(person: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context =
    options.javaScriptEnabled === false
      ? await browser.newContext(options)
      : await openProfile(browser, world.lms.url, world.lms.cookieFor(person));
  problems = collectProblems(context, world.toolUrl, problems);
  contexts.push(context);
  return context.newPage();
}

/** The classroom asks for a pause of so many seconds, and meanwhile so many learners come. */
async function othersArrive(count: number, pause: number): Promise<Arrival[]> {
  world.classroom.addFault({ operation: "*", kind: "429", retryAfterSeconds: pause });
  return Promise.all(
    learners.slice(0, count).map((person) => arriveAndWait(world.lms, person, biology.link)),
  );
}

/** The last learner opens the link in the LMS, behind all others. */
async function lastArrives(page: Page): Promise<void> {
  await page.goto(`${world.lms.url}/link/${biology.link}/launch?container=existing`);
  await page.waitForURL(`${world.toolUrl}/waiting?**`);
}

const placeOn = (page: Page): Promise<string> => page.locator("#place").innerText();
const peopleBefore = async (page: Page): Promise<number> => Number(/\d+/.exec(await placeOn(page))?.[0] ?? 0);
const isInside = (page: Page): Promise<void> =>
  page.waitForURL(`${world.classroom.appUrl}/spaces/**`, { timeout: 40_000 });
/** Counts the forms that a page sends to an address of ours. */
function postsTo(page: Page, path: string): { count: number } {
  const posts = { count: 0 };
  page.context().on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === path) posts.count += 1;
  });
  return posts;
}
const headingOf = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).innerText();

describe("Somebody who comes when the whole class comes", () => {
  test("sees how many are before them, sees the line move, and is let in without doing anything", async () => {
    const page = await tabOf("student30");
    await othersArrive(20, 12);
    await lastArrives(page);
    expect(await page.locator("main").innerText()).toContain(biology.name);
    const numbers = new Set<number>();
    const titles = new Set<string>();
    while (page.url().startsWith(world.toolUrl)) {
      try {
        numbers.add(await peopleBefore(page));
        titles.add(await page.title());
      } catch {
        break; // on the way into the Space
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await isInside(page);
    expect(await headingOf(page)).toContain(biology.name);
    expect(numbers.size).toBeGreaterThan(3);
    expect([...numbers]).toEqual([...numbers].sort((one, other) => other - one));
    expect(Math.max(...numbers)).toBe(20);
    expect([...titles]).toContainEqual(expect.stringMatching(/^20 before you - Biology 101/));
    expect(world.classroom.callCounts().mostInOneSecond).toBeLessThan(5);
  }, 90_000);

  test("keeps the place when the page is reloaded, and how far the bar has come", async () => {
    const page = await tabOf("student30");
    await othersArrive(8, 12);
    await lastArrives(page);
    await vi.waitFor(async () => {
      expect(await page.getByRole("progressbar").getAttribute("max")).toBe("9");
    }, patience);
    const before = await placeOn(page);
    await page.reload();
    expect(await placeOn(page)).toBe(before);
    await vi.waitFor(async () => {
      expect(await page.getByRole("progressbar").getAttribute("value")).toBe("0");
      expect(await page.getByRole("progressbar").getAttribute("max")).toBe("9");
    }, patience);
    await isInside(page);
  }, 90_000);

  test("is let in where a proxy holds the stream back", async () => {
    const page = await tabOf("student30");
    const asked = { stream: 0, state: 0 };
    await page.route("**/waiting/events?*", () => {
      asked.stream += 1; // and nothing ever comes
    });
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/waiting/state") asked.state += 1;
    });
    await othersArrive(12, 20);
    await lastArrives(page);
    const before = await peopleBefore(page);
    await vi.waitFor(async () => {
      expect(await peopleBefore(page)).toBeLessThan(before);
    }, patience);
    await isInside(page);
    expect(asked.stream).toBeGreaterThan(0);
    expect(asked.state).toBeGreaterThan(1);
  }, 90_000);

  test("is let in where the browser has no scripts", async () => {
    const page = await tabOf("student30", { javaScriptEnabled: false });
    await othersArrive(6, 15);
    await page.goto(waitingAddressOf(await arriveAndWait(world.lms, "student30", biology.link)));
    expect(await placeOn(page)).toMatch(/before you|You are next/);
    expect(await page.getByRole("link", { name: "Look again now" }).count()).toBe(1);
    expect(await page.locator("main").innerText()).toContain("looks again by itself");
    await isInside(page);
  }, 90_000);

  test("moves up when somebody before them closes the tab", async () => {
    const [closing, staying] = [await tabOf("student29"), await tabOf("student30")];
    await othersArrive(3, 25);
    const leaving = await arriveAndWait(world.lms, "student29", biology.link);
    await closing.goto(waitingAddressOf(leaving));
    await lastArrives(staying);
    expect(await peopleBefore(staying)).toBe(4);
    await closing.locator("#progress").waitFor();
    await closing.close();
    // The others have no pages that say that they are there; they count for thirty seconds.
    await vi.waitFor(async () => {
      expect(await peopleBefore(staying)).toBe(3);
    }, patience);
    await isInside(staying);
  }, 90_000);
});

describe("When the classroom is in trouble", () => {
  test("the page says so at once, also to screen readers, and goes on by itself", async () => {
    const page = await tabOf("student30");
    await othersArrive(5, 5);
    world.classroom.addFault({ operation: "*", kind: "500", times: 1_000 });
    await lastArrives(page);
    await vi.waitFor(async () => {
      expect(await page.locator("#time").innerText()).toContain("does not answer at the moment");
      expect(await page.locator("#said").innerText()).toContain("does not answer at the moment");
      expect(await page.title()).toMatch(/^Please wait - Biology/);
      expect(await page.locator("#progress").isVisible(), "an empty bar").toBe(false);
    }, patience);
    world.classroom.clearFaults();
    await isInside(page);
  }, 90_000);

  test("somebody who could not be let in tries again, and is in", async () => {
    const page = await tabOf("student30");
    world.classroom.addFault({ operation: "*", kind: "429", retryAfterSeconds: 10 });
    world.classroom.addFault({ operation: "authorize", kind: "garbage", times: 1_000 });
    await page.goto(waitingAddressOf(await arriveAndWait(world.lms, "student30", biology.link)));
    await page.getByRole("button", { name: "Try again" }).waitFor({ timeout: 30_000 });
    expect(await headingOf(page)).toBe("The classroom cannot be opened");
    world.classroom.clearFaults();
    const tries = postsTo(page, "/waiting/again");
    await page.getByRole("button", { name: "Try again" }).dblclick();
    await isInside(page);
    expect(tries.count).toBe(1);
  }, 90_000);

  test("a page whose connection is lost says so, and goes on when it is back", async () => {
    const page = await tabOf("student30");
    await page.clock.install();
    await othersArrive(5, 25);
    await lastArrives(page);
    await page.locator("#progress").waitFor();
    const offline = page.context();
    await offline.setOffline(true);
    for (let minute = 0; minute < 70; minute += 1) await page.clock.runFor(1_000);
    expect(await page.locator("#time").innerText()).toContain("The connection is lost");
    await offline.setOffline(false);
    await vi.waitFor(async () => {
      await page.clock.runFor(1_000);
      expect(await page.locator("#time").innerText()).not.toContain("The connection is lost");
    }, patience);
    problems = problems.filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"));
  }, 90_000);
});

describe("When the tool starts anew", () => {
  test("an open page waits on, keeps its place and goes in", async () => {
    // Somebody whose place from another test is not in the line still.
    const page = await tabOf("student28");
    await othersArrive(10, 25);
    await lastArrives(page);
    // What the page shows first may be a second old.
    await vi.waitFor(async () => {
      expect(await placeOn(page)).toBe("10 people are before you.");
    }, patience);
    await world.tool().end("SIGTERM");
    expect(await placeOn(page)).toBe("10 people are before you.");
    await world.restartTool();
    await isInside(page);
    problems = problems.filter((problem) => !/ERR_(CONNECTION_|INCOMPLETE_|EMPTY_)/.test(problem));
  }, 90_000);
});

describe("In a 600 px frame and on a 360 px phone, light and dark", () => {
  test("the waiting page is well made", async () => {
    const page = await tabOf("student30");
    await othersArrive(12, 28);
    await page.goto(waitingAddressOf(await arriveAndWait(world.lms, "student27", biology.link)));
    await page.locator("#progress").waitFor();
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  }, 90_000);

  test("the pages of a place that is over are well made, and say what to do", async () => {
    const page = await tabOf("student30");
    await page.goto(`${world.toolUrl}/waiting?place=unknown`);
    expect(await headingOf(page)).toBe("This page has no place in the line any more");
    expect(await findingsOnEveryScreen(page)).toEqual([]);

    world.classroom.addFault({ operation: "*", kind: "429", retryAfterSeconds: 4 });
    const address = waitingAddressOf(await arriveAndWait(world.lms, "student30", biology.link));
    await page.goto(address);
    await isInside(page);
    await page.goto(address);
    expect(await headingOf(page)).toBe("You have been let in already");
    expect(await findingsOnEveryScreen(page)).toEqual([]);
  }, 90_000);
});
