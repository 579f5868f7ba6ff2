import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { sessionFigures } from "../../src/classroom/read-sessions.ts";
import { sessionMetrics } from "../../sandbox/stand-in-classroom/visits.ts";
import { patience } from "../support/patience.ts";
import { openCoursePage } from "../support/browser/open-in-frame.ts";
import { collectProblems, findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { openGridSite } from "../support/tool/grid-site.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const names = [
  "Anna Bianchi",
  "Ben Bauer",
  "Cem Celik",
  "Dora Damm",
  "Emil Ekström",
  "Fatima Featherstonehaugh",
];

const hour = 3_600_000;

let context: BrowserContext | null = null;
let problems: string[] = [];
const site = await forAllTests(openGridSite());
const browser = await forAllTests(startBrowser());
afterEach(async () => {
  await context?.close();
  context = null;
  const found = problems;
  problems = [];
  expect(found, "errors on the console of our pages").toEqual([]);
});

/** Everybody in twelve sessions, with marks of every kind. */
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

/** A4 across without its margins, in CSS pixels. */
const paperWidth = Math.floor(((297 - 24) / 25.4) * 96);

/** The accessible name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()",
  );

/** Row and column of the focused cell. */
const place = (page: Page) =>
  page.evaluate(
    "(({ activeElement: one }) => [one.closest('tr').rowIndex, one.closest('td, th').cellIndex])(document)",
  );

test("the page says what will come before there are learners or sessions", async () => {
  const page = await open();
  await page.getByText("No learners yet.").waitFor();
  expect(await findingsOnEveryScreen(page), "without learners").toEqual([]);
});

test("two sessions are both shown if there is room, whatever the width", async () => {
  await site.enrol("Anna Bianchi");
  await site.lessons(2);
  const page = await open({ width: 883 });
  const beyond = [];
  for (const width of [883, 884]) {
    await page.setViewportSize({ width, height: 700 });
    await page.reload();
    await page.getByRole("button", { name: /^Lesson s0/ }).waitFor();
    beyond.push(await page.evaluate("region.scrollWidth - region.clientWidth"));
  }
  expect(beyond).toEqual([0, 0]);
});

/** The stand-in's figures about the session, read and stored. */
async function reported(): Promise<void> {
  const endedAt = site.clock.now() - 23 * hour;
  const stays = names.map((name, at) => ({
    userId: `user-${name}`,
    from: endedAt - hour + at * 60_000,
    to: endedAt,
  }));
  const said = sessionMetrics({ sessionId: "session-1", spaceId: "space" }, stays, endedAt);
  const figures = sessionFigures(said, ["timestamp"], new Set(["session-1", "space"]));
  const times = { startedAt: endedAt - hour, endedAt, readAt: endedAt };
  const key = { environment: "production", spaceId: "space", sessionId: "session-1" } as const;
  await site.stores.sessionFigures.keep({ ...key, ...times, ...figures });
}

test("an instructor finds the classroom's figures about a session from its register", async () => {
  const page = await open();
  await page.getByRole("button", { name: /^Lesson s1/ }).click();
  await page.getByRole("link", { name: "Session analytics" }).click();
  await page.getByText("None yet.").waitFor();

  const { courseId } = site.key;
  await site.stores.courses.claimSpace(courseId, "test", 0, 1);
  await site.stores.courses.keepSpace(courseId, "test", "space");
  await reported();
  await page.reload();
  await page.getByRole("heading", { name: "Lesson s1", level: 1 }).waitFor();
  await page.getByRole("img", { name: /^From \d+ to \d+\./ }).waitFor();
  await page.getByText("Show as table").click();
  await page.getByRole("columnheader", { name: "Value" }).waitFor();
  expect(await findingsOnEveryScreen(page), "a session").toEqual([]);
  await page.getByRole("link", { name: "Register", exact: true }).click();
  await page.getByRole("heading", { name: "Lesson s1", level: 1 }).waitFor();
});

describe("the table of six learners and twelve sessions", () => {
  beforeAll(fill);

  test("can be walked through with arrow keys, and a cell corrected without a mouse", async () => {
    const page = await open();
    const region = page.getByRole("region", { name: "Attendance table, scrolls sideways" });
    await expect
      .poll(() => page.evaluate("document.getElementById('region').scrollLeft"), patience)
      .toBeGreaterThan(0);
    await region.focus();
    await page.keyboard.press("Tab");
    expect(await place(page), "the newest session of the first learner").toEqual([3, 12]);
    expect(await focused(page)).toBe("Not recorded");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("Late (changed by hand, differs from the classroom)");
    expect(await page.locator("#here").innerText()).toMatch(
      /^Ben Bauer · Lesson s10, .* · Late \(changed by hand, differs from the classroom\)$/,
    );
    await page.keyboard.press("Home");
    expect(await focused(page)).toBe("Ben Bauer");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await place(page), "the head has no menu above the names").toEqual([1, 0]);
    await page.keyboard.press("Control+End");
    expect(await place(page)).toEqual([8, 12]);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    expect(await place(page)).toEqual([3, 12]);

    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Anna Bianchi: Lesson s11" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Anna Bianchi marked Present").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Note" }).focus();
    await page.keyboard.type("on the list");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Saved. Anna Bianchi, Lesson s11: Present.").waitFor();
    await expect.poll(() => focused(page), patience).toBe("Present (changed by hand, has a note)");
    expect(await place(page), "where it was").toEqual([3, 12]);

    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Use the classroom’s record" }).click();
    await expect.poll(() => focused(page), patience).toBe("Not recorded");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Anna Bianchi: Lesson s11" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => place(page), patience).toEqual([3, 12]);
  });

  test("keeps what was typed when somebody else was faster, and when it is refused", async () => {
    const page = await open();
    await page
      .getByRole("row", { name: /Cem Celik/ })
      .locator("button")
      .last()
      .click();
    await page.getByRole("heading", { name: "Cem Celik: Lesson s11" }).waitFor();
    const late = page.getByRole("dialog").getByRole("button", { name: "Late" });
    await page.getByRole("textbox", { name: "Note" }).fill("x".repeat(600));
    await late.click();
    await page.getByText("Too long: at most 500 characters.").waitFor();
    expect(await findingsOnEveryScreen(page), "menu with a mistake").toEqual([]);
    await page.getByRole("textbox", { name: "Note" }).fill("by bus");
    await site.corrects("Cem Celik", "s11", "ABSENT");
    await late.click();
    await page.getByText("somebody else just changed this session").waitFor();
    expect(await page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("by bus");
    await late.click();
    await page.getByText("Saved. Cem Celik, Lesson s11: Late.").waitFor();
  });

  test("looks right, and links to a session's register", async () => {
    const page = await open();
    // The menu covers the others.
    const setOpen = (which: string, open: boolean) =>
      page.evaluate(`document.querySelectorAll("${which}").forEach((one) => { one.open = ${open}; })`);
    await setOpen(".marks details", true);
    expect(await findingsOnEveryScreen(page), "table").toEqual([]);
    await setOpen(".marks .menu", false);
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await page.evaluate("document.documentElement.scrollWidth"), "at 400 % zoom").toBe(320);
    await page.setViewportSize({ width: 600, height: 700 });
    await page.getByRole("button", { name: /^Lesson s11/ }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForURL(/\/register\?.*event=s11/);
  });

  test("shows ten whole sessions in a frame of 600 px, the latest at the end", async () => {
    const page = await open();
    const shown = await page.evaluate(`(() => {
      const region = document.getElementById("region").getBoundingClientRect();
      const names = document.querySelector("#grid .who").getBoundingClientRect();
      const heads = [...document.getElementById("grid").rows[1].cells].map((one) => one.getBoundingClientRect());
      const within = ({ left, right }) => left >= names.right - 1.5 && right <= region.right + 1.5;
      const cut = ({ left, right }) => left < names.right - 1.5 && right > names.right + 1.5;
      return { whole: heads.filter(within).length, cut: heads.filter(cut).length, last: within(heads.at(-1)) };
    })()`);
    expect(shown).toEqual({ whole: 10, cut: 0, last: true });
  });

  test("one absence takes two clicks, and one more undoes it", async () => {
    const page = await open();
    const mark = page
      .getByRole("row", { name: /Dora Damm/ })
      .locator("td button")
      .last();
    expect(await mark.getAttribute("aria-label")).toBe("Not recorded");
    const clicks = [
      () => page.getByRole("radio", { name: "Absent", exact: true }).check({ force: true }),
      () => mark.click(),
    ];
    for (const click of clicks) await click();
    expect(clicks).toHaveLength(2);
    await page.getByRole("status").getByText("Dora Damm marked Absent").waitFor();
    expect(await mark.getAttribute("aria-label")).toBe("Absent (changed by hand)");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("Undone. Dora Damm: Not recorded").waitFor();
    expect(await mark.getAttribute("aria-label")).toBe("Not recorded");
    expect(await page.getByRole("button", { name: "Undo" }).count(), "until the next action").toBe(0);
  });

  test("a cell is opened and corrected with two clicks, and one more undoes it", async () => {
    const page = await open({ width: 390 });
    const row = page.getByRole("row", { name: /Emil/ });
    const mark = row.locator("td button").last();
    const menu = page.getByRole("dialog");
    await mark.click();
    await menu.getByRole("button", { name: "Late" }).waitFor();
    await menu.getByRole("button", { name: "Late" }).click();
    await page.getByRole("status").getByText("Emil Ekström marked Late").waitFor();
    expect(await menu.isVisible()).toBe(false);
    expect(await mark.getAttribute("aria-label")).toBe("Late (changed by hand)");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("Undone. Emil Ekström: Not recorded").waitFor();
  });

  test("letters mark the focused cell, and the totals follow", async () => {
    const page = await open();
    const sum = page.locator("#grid .sum td").last();
    const before = await sum.innerHTML();
    await page.getByRole("row", { name: /Emil/ }).locator("td button").last().focus();
    await page.keyboard.press("e");
    await page.getByRole("status").getByText("Emil Ekström marked Excused").waitFor();
    expect(await focused(page)).toBe("Excused (changed by hand)");
    await expect.poll(() => sum.innerHTML(), patience).not.toBe(before);
  });

  test("needs no script: every cell is a button that opens a page", async () => {
    const page = await open({ scripts: false, width: 360 });
    await page
      .getByRole("row", { name: /Dora Damm/ })
      .getByRole("button")
      .nth(1)
      .click();
    await page.getByRole("heading", { name: "Dora Damm: Lesson s0" }).waitFor();
    await page.getByRole("button", { name: "Excused" }).click();
    await page.getByText("Saved. Dora Damm, Lesson s0: Excused.").waitFor();
    await page.getByRole("button", { name: "Dora Damm", exact: true }).click();
    await page.getByRole("heading", { name: "Attendance of Dora Damm", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Attendance", exact: true }).last().click();
    await page.getByRole("table", { name: "Learners and sessions" }).waitFor();
  });

  test("is imported from a file: the differences are shown, then saved", async () => {
    const page = await open();
    await page.getByText("Export and more").click();
    await page.getByRole("link", { name: "Import attendance" }).click();
    await page.getByRole("heading", { name: "Import attendance", level: 1 }).waitFor();
    expect(await findingsOnEveryScreen(page), "import").toEqual([]);

    const file = page.getByLabel("Choose a file");
    // As Excel on a German Windows saves it.
    const text = "Name;Lesson s11\nEmil Ekström;late\nDora Damm;was there\n";
    await file.setInputFiles({ name: "marks.csv", mimeType: "", buffer: Buffer.from(text, "latin1") });
    await page.getByRole("button", { name: "Show changes" }).click();
    await page.getByRole("heading", { name: "Save these changes?" }).waitFor();
    await page.getByText("Line 3, Lesson s11: “was there” isn’t a status.").waitFor();
    expect(await findingsOnEveryScreen(page), "difference").toEqual([]);

    await page.goBack();
    expect(await page.getByLabel("Or paste cells").inputValue(), "Back keeps it").toBe(text);
    await page.goForward();
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await page.getByText("1 change saved.").waitFor();
    await page.getByRole("heading", { name: "Attendance", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Import attendance", level: 1 }).waitFor();
    expect(await page.getByLabel("Or paste cells").inputValue(), "it is saved").toBe("");
  });

  test("is printed as one table across A4, without controls and without anything cut off", async () => {
    const long = "Wilhelmina Konstantina Featherstonehaugh-Cholmondeley von und zu Habsburg-Lothringen";
    await site.enrol(long);
    const page = await open();
    await page.getByText("Export and more").click();
    const tenDaysAgo = new Date(site.clock.now() - 10 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel("Sessions from").fill(tenDaysAgo);
    await page.getByRole("button", { name: "Print", exact: true }).click();
    await page.waitForURL(/\/grid\/print\?.*from=\d/);
    const table = page.getByRole("table", { name: "Learners and sessions" });
    expect(await table.getByRole("columnheader", { name: /^Lesson/ }).count()).toBe(10);
    expect(await table.getByRole("row", { name: new RegExp(long) }).count()).toBe(1);
    await page.getByText(/Created by Ina Instructor/).waitFor();
    expect(await findingsOnEveryScreen(page), "page for paper").toEqual([]);

    await page.setViewportSize({ width: paperWidth, height: 700 });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const button of await page.getByRole("button").all()) expect(await button.isVisible()).toBe(false);
    expect(await page.getByRole("navigation").isVisible()).toBe(false);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(paperWidth);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.printed')).color"),
      "dark on white",
    ).toBe("rgb(0, 0, 0)");
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g), "one sheet of paper").toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox\s*\[0 0 84[12]/);
  });

  test("is printed with thirty sessions without losing the last column, in either direction", async () => {
    await site.lessons(34);
    for (const locale of ["en", "ar"]) {
      await context?.close();
      context = await browser.newContext({ viewport: { width: paperWidth, height: 700 } });
      problems = collectProblems(context, site.url, problems);
      const page = await context.newPage();
      await openCoursePage(page, site.url, await site.tokenOf({ locale }), "/grid/print");
      await page.locator(".printed.many").waitFor();
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".printed .at").count()).toBe(30);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(paperWidth);
    }
  });
});
