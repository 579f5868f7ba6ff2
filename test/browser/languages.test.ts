import type { Frame } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { guides } from "../../src/modules/guides/pages/guide-routes.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { axeFindings, findingsOfWords, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { areaTab, at, openInFrame, worldInBrowser } from "../support/browser/open-in-frame.ts";
import { isNightly } from "../support/nightly.ts";

const biology = { course: "2", linkId: "1", name: "BIO101" };
/** The languages that people have chosen, as Moodle writes them. */
const chosen = { en: "en_us", de: "de", es: "es_mx", fr: "fr", pt: "pt_br", ar: "ar" };
const all = ["en", "de", "es", "fr", "pt", "ar"] as const;
/** The gate checks the one with the longest words and the one written from the right; the nightly run checks all. LANGUAGES names others. */
const asked = process.env["LANGUAGES"] ?? (isNightly ? all : ["de", "ar"]);
/** The guides on a narrow phone: the gate uses the longest words. */
const narrow = isNightly ? all : (["de"] as const);
const languages = all.filter((one) => asked.includes(one));

const { world, browser, profiles } = await worldInBrowser();
beforeAll(async () => {
  const userId = await walkIn(world, "student7", biology.linkId);
  holdSession(world, biology.name, userId, "LATE");
  await vi.waitFor(
    () => {
      expect(gradeOfLearner(world, biology.course, "student7")).toBe(80);
    },
    { timeout: 30_000, interval: 200 },
  );
});

const teaching = ["sessions", "grid", "grades", "recordings", "people", "settings"];
const learning = ["my-sessions", "recordings"];

/** Goes to an area by the navigation, whatever its name in this language. */
async function goTo(frame: Frame, area: string): Promise<void> {
  await (await areaTab(frame, (areas) => areas.locator(`a[href$="/${area}"]`))).click();
  await frame.waitForURL(at(`/${area}`));
}

/** Phones, columns of an LMS, tablets and windows, with ever more room for the line of areas. The gate uses every third. */
const widths = [
  320, 345, 360, 375, 393, 412, 430, 480, 540, 600, 660, 720, 750, 800, 850, 900, 1000, 1280,
].filter((_width, at) => isNightly || at % 3 === 0);

/** The line of areas: its number of rows, and the number of links to areas once More, if shown, is open. */
const shownAreas = `(() => {
  const isVisible = (one) => one.checkVisibility();
  const lines = new Set([...document.querySelectorAll(".areas > ul > li")].filter(isVisible).map((one) => one.offsetTop));
  const more = document.querySelector("nav.areas .more > details");
  const hasMore = more !== null && isVisible(more.querySelector("summary"));
  if (hasMore) more.open = true;
  const ways = [...document.querySelectorAll("nav.areas a")].filter(isVisible).length;
  if (hasMore) more.open = false;
  return { lines: lines.size, ways, hasMore };
})()`;
const shown = z.object({ lines: z.number(), ways: z.number(), hasMore: z.boolean() });

/** What is wrong with the line of areas at a width: it wraps, or an area is neither on it nor under More, or in both. */
async function misfitsOfAreas(frame: Frame, count: number): Promise<string[]> {
  const found: string[] = [];
  let pressed = false;
  for (const width of widths) {
    await frame.page().setViewportSize({ width, height: 700 });
    await expect.poll(() => frame.evaluate("innerWidth"), { interval: 10 }).toBe(width);
    const { lines, ways, hasMore } = shown.parse(await frame.evaluate(shownAreas));
    if (lines !== 1) found.push(`${width} px: ${lines} lines`);
    if (ways !== count) found.push(`${width} px: ${ways} ways to ${count} areas`);
    if (!hasMore || pressed) continue;
    pressed = true;
    const more = frame.locator("nav.areas .more > details > summary");
    const hidden = await frame.locator("nav.areas a:visible").count();
    await more.click();
    if ((await frame.locator("nav.areas a:visible").count()) <= hidden)
      found.push(`${width} px: More shows none`);
    await more.click();
  }
  return found;
}

/** What no reader should see: names of messages and values in place of words, English within another language. */
async function leftovers(frame: Frame): Promise<string[]> {
  const text = String(await frame.evaluate("document.body.innerText"));
  const names =
    text.match(/\b[a-z]+(?:\.[a-zA-Z]+){1,4}\b(?<!\.(?:test|ics|csv))|\{\{\w+\}\}|undefined|null\b/g) ?? [];
  // Names of courses and people come from the LMS.
  return names.filter((name) => !/^(?:[\w-]+\.)+(?:test|org|com)$/.test(name));
}

describe.each(languages)("people who read %s", (language) => {
  test.each([
    ["teacher1", teaching],
    ["student7", learning],
  ])("%s sees every area in it, without a mistake on any screen", async (username, areas) => {
    world.lms.setQuirks({ locale: chosen[language] });
    const { frame } = await openInFrame(browser, world, { username, linkId: biology.linkId, profiles });
    const html = frame.locator("html");
    expect([await html.getAttribute("lang"), await html.getAttribute("dir")]).toEqual([
      language,
      language === "ar" ? "rtl" : "ltr",
    ]);
    const home = await frame.getByRole("heading", { level: 1 }).innerText();
    expect(home).not.toBe("");
    expect(await leftovers(frame)).toEqual([]);
    expect(await misfitsOfAreas(frame, areas.length + 1)).toEqual([]);
    expect(await findingsOfWords(frame)).toEqual([]);
    for (const area of areas) {
      await goTo(frame, area);
      expect(await frame.locator("html").getAttribute("lang"), area).toBe(language);
      expect(await leftovers(frame), area).toEqual([]);
      expect(await findingsOfWords(frame), area).toEqual([]);
    }
  });
});

test("a refused old page uses its reader's language, or the browser's if nobody is known", async () => {
  const translatorOf = createTranslator();
  const ask = async (body: string, accept: string) => {
    const answer = await fetch(`${world.toolUrl}/course/sessions`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "text/html",
        "accept-language": accept,
      },
      body,
    });
    return answer.text();
  };
  const told = (language: string) => translatorOf(language)("errors.session-over");
  const over = `${"s".repeat(16)}.${"x".repeat(43)}.fr`;
  expect(await ask(`session=${over}`, "de")).toContain(told("fr"));
  expect(await ask("session=none", "de-CH, de;q=0.9, en;q=0.5")).toContain(told("de"));
  expect(await ask("session=none", "tlh")).toContain(told("en"));
});

/** A person's home in a frame of their LMS, in a language. */
async function opens(username: string, language: keyof typeof chosen = "en"): Promise<Frame> {
  world.lms.setQuirks({ locale: chosen[language] });
  const { frame } = await openInFrame(browser, world, { username, linkId: biology.linkId, profiles });
  await frame.locator("nav.areas").waitFor();
  return frame;
}

/** Another page of the same session. */
async function openPath(frame: Frame, path: string): Promise<void> {
  const folder = /^.*\/c\/[\w-]+/.exec(frame.url())?.[0] ?? "";
  await frame.goto(folder + path);
}

/** The guides that a person may read. */
const readBy = (username: string) =>
  guides.filter(({ who }) => (username === "student7") === (who === "anybody")).map(({ name }) => name);

describe.each(["teacher1", "student7"])("The guides of %s", (username) => {
  test("look right on every screen", async () => {
    const frame = await opens(username);
    for (const name of readBy(username)) {
      await openPath(frame, `/guide/${name}`);
      expect([name, await findingsOnEveryScreen(frame)]).toEqual([name, []]);
    }
  });

  test.each(narrow)("fit on a narrow phone, in %s", async (language) => {
    const frame = await opens(username, language);
    await frame.page().setViewportSize({ width: 320, height: 700 });
    for (const name of readBy(username)) {
      await openPath(frame, `/guide/${name}`);
      expect(await frame.locator("html").getAttribute("lang")).toBe(language);
      // Anything a picture draws is cut off at its edge, and would not widen the page.
      const cut = await frame.evaluate(
        `[...document.querySelectorAll(".shot, .shot *")].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map((one) => one.outerHTML.slice(0, 90))`,
      );
      expect([name, cut, await frame.evaluate("document.documentElement.scrollWidth")]).toEqual([
        name,
        [],
        320,
      ]);
    }
  });
});

describe("The “?” of the settings", () => {
  test("shows the guide over the page, replaces it with another one, and keeps what was typed", async () => {
    const frame = await opens("teacher1");
    await openPath(frame, "/settings");
    await frame.locator("#mode").selectOption("embedded");
    const help = frame.getByRole("link", { name: "Help: Settings", exact: true });
    await help.click();
    const dialog = frame.getByRole("dialog", { name: "Settings", exact: true });
    await dialog.getByText("Choose where the classroom opens").waitFor();
    expect(await axeFindings(frame)).toEqual([]);
    await dialog.getByRole("link", { name: "Attendance grading", exact: true }).click();
    const other = frame.getByRole("dialog", { name: "Attendance grading", exact: true });
    await other.getByText("Set the credit for each status").waitFor();
    await other.getByRole("button", { name: "Close", exact: true }).click();
    await other.waitFor({ state: "hidden" });
    expect(at("/settings")(new URL(frame.url()))).toBe(true);
    expect(await frame.locator("#mode").inputValue()).toBe("embedded");
    expect(await frame.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Help: Settings");
  });

  test("opens the guide in a new tab with the middle button", async () => {
    const frame = await opens("teacher1");
    await openPath(frame, "/settings");
    const [guide] = await Promise.all([
      frame.page().context().waitForEvent("page"),
      frame.getByRole("link", { name: "Help: Settings", exact: true }).click({ button: "middle" }),
    ]);
    await guide.getByText("Choose where the classroom opens").waitFor();
    await guide.getByRole("link", { name: "Settings", exact: true }).last().click();
    await guide.waitForURL(at("/settings"));
  });
});
