import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openCoursePage } from "../support/browser/open-course-page.ts";
import { collectProblems, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { type GridSite, openGridSite } from "../support/tool/grid-site.ts";

const patience = { timeout: 30_000, interval: 100 };
const names = [
  "Anna Bianchi",
  "Ben Bauer",
  "Cem Celik",
  "Dora Damm",
  "Emil Ekström",
  "Fatima Featherstonehaugh",
];

let site: GridSite;
let browser: Browser;
let context: BrowserContext | null = null;
let problems: string[] = [];
beforeAll(async () => {
  browser = await startBrowser();
  site = await openGridSite();
});
afterEach(async () => {
  await context?.close();
  context = null;
  const found = problems;
  problems = [];
  expect(found, "errors on the console of our pages").toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** Everybody in twelve lessons, with something of every kind. */
async function fill(): Promise<void> {
  for (const name of names) await site.enrol(name);
  const lessons = await site.lessons(12);
  const said = ["PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED", "LEFT"];
  for (const [n, name] of names.entries()) {
    for (const [at, lesson] of lessons.entries()) {
      if (at < 11)
        await site.classroomSays(name, lesson, said[(n * 5 + at) % 6] ?? "", site.clock.now() - 9e6);
    }
    await site.corrects(name, "s10", "LATE");
  }
  await site.classroomSays("Ben Bauer", "s10", "ABSENT", site.clock.now() + 1_000);
  await site.grade("per-Ben Bauer");
  await site.leaves("Fatima Featherstonehaugh");
}

/** An instructor opens the table. */
async function open(options: { width?: number; scripts?: boolean } = {}): Promise<Page> {
  const { width = 600, scripts = true } = options;
  context = await browser.newContext({ viewport: { width, height: 700 }, javaScriptEnabled: scripts });
  context.setDefaultTimeout(30_000);
  problems = collectProblems(context, site.url, problems);
  const page = await context.newPage();
  const token = await site.tokenOf();
  await openCoursePage(page, site.url, token, "/grid");
  await page.getByRole("heading", { name: "Attendance", level: 1 }).waitFor();
  return page;
}

/** What has the focus, as it is called. */
const focused = (page: Page) =>
  page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()",
  );

/** Row and column of the cell that has the focus. */
const place = (page: Page) =>
  page.evaluate(
    "(({ activeElement: one }) => [one.closest('tr').rowIndex, one.closest('td, th').cellIndex])(document)",
  );

test("before anybody or anything is there, the page says what will come", async () => {
  const page = await open();
  await page.getByText("There are no learners yet.").waitFor();
  expect(await findingsOnEveryScreen(page), "without learners").toEqual([]);
});

describe("the table of six learners and twelve sessions", () => {
  beforeAll(fill);

  test("is walked through with arrow keys, and a cell is corrected without a mouse", async () => {
    const page = await open();
    const region = page.getByRole("region", { name: "Table of learners and sessions; it scrolls" });
    await expect
      .poll(() => page.evaluate("document.getElementById('region').scrollLeft"), patience)
      .toBeGreaterThan(0);
    await region.focus();
    await page.keyboard.press("Tab");
    expect(await place(page), "the newest session of the first learner").toEqual([2, 12]);
    expect(await focused(page)).toBe("Not marked");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("Late (corrected by hand, the classroom disagrees)");
    expect(await page.locator("#here").innerText()).toMatch(
      /^Ben Bauer · Lesson s10 · \d+ \w+ · Late \(corrected by hand, the classroom disagrees\)$/,
    );
    await page.keyboard.press("Home");
    expect(await focused(page)).toBe("Ben Bauer");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await place(page), "the head has no menu above the names").toEqual([0, 1]);
    await page.keyboard.press("Control+End");
    expect(await place(page)).toEqual([7, 12]);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    expect(await place(page)).toEqual([2, 12]);

    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Anna Bianchi: Lesson s11" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("P");
    await page.keyboard.press("Tab");
    await page.keyboard.type("on the list");
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Saved. Anna Bianchi, Lesson s11: Present." }).waitFor();
    await expect.poll(() => focused(page), patience).toBe("Present (corrected by hand, has a note)");
    expect(await place(page), "where it was").toEqual([2, 12]);

    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Take the correction back" }).click();
    await expect.poll(() => focused(page), patience).toBe("Not marked");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Anna Bianchi: Lesson s11" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => place(page), patience).toEqual([2, 12]);
  });

  test("keeps what was typed when somebody else was faster, and when it cannot be taken", async () => {
    const page = await open();
    await page
      .getByRole("row", { name: /Cem Celik/ })
      .locator("button")
      .last()
      .click();
    await page.getByRole("heading", { name: "Cem Celik: Lesson s11" }).waitFor();
    await page.getByLabel("Your word").selectOption("LATE");
    await page.getByLabel("Note").fill("x".repeat(600));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("This is too long").waitFor();
    expect(await findingsOnEveryScreen(page), "menu with a mistake").toEqual([]);
    await page.getByLabel("Note").fill("by bus");
    await site.corrects("Cem Celik", "s11", "ABSENT");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("somebody changed this session meanwhile").waitFor();
    expect(await page.getByLabel("Note").inputValue()).toBe("by bus");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved. Cem Celik, Lesson s11: Late.").waitFor();
  });

  test("is well made, with a session's menu that fills in who is not marked", async () => {
    const page = await open();
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await findingsOnEveryScreen(page), "table").toEqual([]);
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await page.evaluate("document.documentElement.scrollWidth"), "at 400 % zoom").toBe(320);
    await page.setViewportSize({ width: 600, height: 700 });
    await page
      .getByRole("button", { name: /Lesson s11/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Lesson s11", level: 2 }).waitFor();
    expect(await findingsOnEveryScreen(page), "menu of a session").toEqual([]);
    await page.getByRole("button", { name: "Fill in those not marked" }).click();
    await page.getByText(/Saved: 4 learners changed\./).waitFor();
    await expect.poll(() => place(page), patience).toEqual([0, 12]);
  });

  test("needs no script: every cell is a button that opens a page", async () => {
    const page = await open({ scripts: false, width: 360 });
    await page
      .getByRole("row", { name: /Dora Damm/ })
      .getByRole("button")
      .nth(1)
      .click();
    await page.getByRole("heading", { name: "Dora Damm: Lesson s0" }).waitFor();
    await page.getByLabel("Your word").selectOption("EXCUSED");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved. Dora Damm, Lesson s0: Excused.").waitFor();
    await page.getByRole("button", { name: "Dora Damm", exact: true }).click();
    await page.getByRole("heading", { name: "Attendance of Dora Damm", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Back to the table" }).click();
    await page.getByRole("table", { name: "Learners and sessions" }).waitFor();
  });
});
