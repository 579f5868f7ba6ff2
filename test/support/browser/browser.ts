import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";
import { browsersOfRun, browserVariables, type Need, unmetNeeds } from "./browsers.ts";
import { isNightly } from "../nightly.ts";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Playwright sometimes misses that a frame moved to another site's process, and waits in a page that is gone. With one process for
  // all sites no frame moves, and pages take 3 to 10 % less CPU. Which cookies are stored is decided outside these processes.
  "--disable-site-isolation-trials",
];

/** How a browser differs from the usual one. */
export type BrowserOptions = {
  /** Whether pages may open tabs without a click, as a person may have set for their LMS. */
  allowPopups?: boolean;
  /** Whether pages may run scripts; by default, they may. */
  scripts?: boolean;
  /**
   * Whether what surrounds pages matters: a person's settings, and Chromium's own pop-up blocker. By default it does not; each window then
   * takes a quarter of the CPU.
   */
  whole?: boolean;
};

/** Browsers that block no window themselves; `blockUnaskedWindows` imitates what Chromium does there. */
const withoutBlocker = new WeakSet<Browser>();

const browsers = await browsersOfRun();
const unmet = unmetNeeds(browsers);

/**
 * Options of a test, or of a describe, that runs only if a need is met: `test("...", where("firefox"), async () => ...)`. Otherwise the
 * gate counts it as skipped and reports what it needs.
 */
export function where(need: Need): { skip: boolean; tags: Need[] } {
  return { skip: unmet.includes(need), tags: [need] };
}

/**
 * Starts a Chromium: a headless shell if there is one, unless a whole browser is asked for and available. @throws when there is no
 * Chromium.
 */
export async function startBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const chosen = chromiumOptions(options);
  const browser = await chromium.launch(chosen);
  if (isShell(chosen) && options.allowPopups !== true) withoutBlocker.add(browser);
  return browser;
}

/**
 * A new profile in a browser, where a window opens only after a person pressed something. A whole Chromium decides that by the same signal;
 * in a headless shell, a script in each page does.
 */
export async function newProfile(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(30_000);
  if (withoutBlocker.has(browser)) await blockUnaskedWindows(context);
  return context;
}

/** Imitates Chromium's pop-up blocker in a headless shell. */
export async function blockUnaskedWindows(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: openAfterAPress });
}

const openAfterAPress = `{
  const open = window.open;
  window.open = (...asked) => (navigator.userActivation.isActive ? open.apply(window, asked) : null);
}`;

/** Whether a Chromium with these options is a headless shell. */
export const isShell = ({ executablePath }: LaunchOptions): boolean =>
  browsers.pages !== null && browsers.pages.isShell && executablePath === browsers.pages.path;

/** How Chromium is started, for tests that start it in their own way. @throws like `startBrowser` */
export function chromiumOptions(options: BrowserOptions = {}): LaunchOptions {
  const executablePath = (options.whole === true ? browsers.whole : null) ?? browsers.pages?.path;
  if (executablePath === undefined) {
    throw new Error(`There is no Chromium on this machine. ${browsers.notes.join("; ")}`);
  }
  return {
    executablePath,
    env: browserVariables(browsers.libraries),
    // A profile's own javaScriptEnabled reaches a frame in a new process late: <noscript> was parsed as if scripts ran.
    args: options.scripts === false ? [...quiet, "--blink-settings=scriptEnabled=false"] : [...quiet],
    // Playwright switches pop-up blocking off for every test; people's browsers have it on.
    ...(options.allowPopups === true ? {} : { ignoreDefaultArgs: ["--disable-popup-blocking"] }),
  };
}

/** How a person's browser is set up. */
export type Screen = {
  width: number;
  height?: number;
  scheme?: "light" | "dark";
  /** Whether pages may run scripts; by default, they may. */
  scripts?: boolean;
};

/** One check of a page: on which screen, and for which rules of axe (ids). */
type Look = { name: string; width: number; scheme: "light" | "dark"; axe: "all" | readonly string[] };

/** The rules of axe that depend on colours. */
const rulesOfColour = ["color-contrast", "link-in-text-block"];

/** A window of 1280 px at 400 % zoom; only the width is checked there. */
const narrowest: Look = { name: "320 px, or 400 % zoom", width: 320, scheme: "light", axe: [] };
/** The narrowest frame an LMS gives. */
const frame: Look = { name: "a 600 px frame, light", width: 600, scheme: "light", axe: "all" };
const darkFrame: Look = { name: "a 600 px frame, dark", width: 600, scheme: "dark", axe: rulesOfColour };
const phone: Look = { name: "a 360 px phone, light", width: 360, scheme: "light", axe: "all" };
const darkPhone: Look = { name: "a 360 px phone, dark", width: 360, scheme: "dark", axe: rulesOfColour };

const isForPictures = process.env["SCREENSHOTS"] !== undefined;

/**
 * In dark mode one width is enough, and the gate leaves colours to the nightly run: test/rules/style-sheets.test.ts ensures that the width
 * decides no colour, and that text is readable on every background, including in dark mode. So the gate checks dark mode where it is
 * narrowest.
 */
const usualLooks: readonly Look[] = isForPictures
  ? [narrowest, frame, darkFrame, phone, darkPhone]
  : isNightly
    ? [narrowest, frame, darkFrame, phone]
    : [{ ...narrowest, scheme: "dark" }, frame];
const looksForWords: readonly Look[] = isForPictures
  ? usualLooks
  : isNightly
    ? [narrowest, { ...frame, axe: [] }, phone]
    : [narrowest, { ...frame, axe: [] }];

/**
 * A fresh browser profile.
 * @param cookie "name=value" that logs the person in at `site`; null for nobody.
 */
export async function openProfile(
  browser: Browser,
  site: string,
  cookie: string | null,
  screen: Screen = { width: 1000 },
): Promise<BrowserContext> {
  const context = await newProfile(browser, {
    viewport: { width: screen.width, height: screen.height ?? 700 },
    colorScheme: screen.scheme ?? "light",
    javaScriptEnabled: screen.scripts ?? true,
  });
  if (cookie !== null) {
    const [name = "", ...value] = cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: site }]);
  }
  return context;
}

/**
 * Collects the problems of one site's pages in all tabs of a profile: errors on the console (including violations of the content security
 * policy) and scripts that failed. A page whose status is 4xx or 5xx is no error in itself, so the browser's note about it is left out.
 * @param problems A list to add to; a new one by default. @returns The list, which grows.
 */
export function collectProblems(context: BrowserContext, site: string, problems: string[] = []): string[] {
  context.on("console", (message) => {
    const { url } = message.location();
    const ofAnswer = /^Failed to load resource: the server responded with a status of/.test(message.text());
    const isPage = !new URL(url || "about:blank").pathname.startsWith("/assets/");
    if (message.type() !== "error" || !url.startsWith(site) || (ofAnswer && isPage)) return;
    problems.push(`${url}: ${message.text()}`);
  });
  context.on("weberror", (error) => {
    problems.push(error.error().stack ?? error.error().message);
  });
  return problems;
}

/**
 * What is wrong with the appearance of a page that is already open, on every screen that is due: it overflows at the side (including at 320
 * px), it does not have the person's colours, or axe finds something. @param ours A page of ours, or our frame on a page that contains only
 * that frame; stays on the last screen. @returns One line for each finding, with the screen's name; empty if there are none.
 */
export function findingsOnEveryScreen(ours: Page | Frame): Promise<string[]> {
  return findingsOf(ours, usualLooks);
}

/**
 * What a translation can break on a page that `findingsOnEveryScreen` checks in English: it overflows at some width, or axe finds
 * something, such as two elements with one name. Colours are the same as in English. @param ours, @returns as there
 */
export function findingsOfWords(ours: Page | Frame): Promise<string[]> {
  return findingsOf(ours, looksForWords);
}

async function findingsOf(ours: Page | Frame, looks: readonly Look[]): Promise<string[]> {
  const findings: string[] = [];
  for (const look of looks) {
    await wear(ours, look);
    const found = await misfits(ours, look.width, look.scheme);
    if (look.axe.length > 0) found.push(...(await axeFindings(ours, look.axe)));
    if (look === frame)
      found.push(
        ...(await lostBySpacing(ours)),
        ...(await hiddenFocus(ours)),
        ...(await crowdedTargets(ours)),
      );
    findings.push(...found.map((finding) => `${look.name}: ${finding}`));
    if (look.width !== narrowest.width)
      await keepPicture("page" in ours ? ours.page() : ours, ours, look.name);
  }
  return findings;
}

/** Sets the screen and waits until the document has it. */
async function wear(ours: Page | Frame, { width, scheme }: { width: number; scheme: "light" | "dark" }) {
  const page = "page" in ours ? ours.page() : ours;
  await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 700 });
  await page.emulateMedia({ colorScheme: scheme });
  // Polled from here: a wait inside the page would be evaluated there, which its security policy forbids.
  await expect
    .poll(
      () =>
        ours.evaluate(`innerWidth === ${width} && matchMedia("(prefers-color-scheme: ${scheme})").matches`),
      { timeout: 10_000 },
    )
    .toBe(true);
}

/** WCAG 1.4.12: which elements are cut off when text is spaced as some people need it; runs in the page. */
const lostWhenSpaced = `(() => {
  const cutOff = () => [...document.querySelectorAll("body *")].filter((one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const cuts = (overflow) => overflow === "hidden" || overflow === "clip";
    return ((cuts(overflowX) && one.scrollWidth > one.clientWidth + 1) || (cuts(overflowY) && one.scrollHeight > one.clientHeight + 1)) &&
      one.clientWidth > 2 && one.checkVisibility() && one.textContent.trim() !== "";
  });
  const before = new Set(cutOff());
  const spacing = new CSSStyleSheet();
  spacing.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }");
  document.adoptedStyleSheets.push(spacing);
  const lost = cutOff().filter((one) => !before.has(one)).map((one) => one.outerHTML.slice(0, 90));
  document.adoptedStyleSheets.pop();
  return lost;
})()`;

/** @returns One line for each element that is cut off when text is spaced. */
async function lostBySpacing(ours: Page | Frame): Promise<string[]> {
  const lost = z.array(z.string()).parse(await ours.evaluate(lostWhenSpaced));
  return lost.map((what) => `cut off where text is spaced: ${what}`);
}

const controls =
  "a[href], button:not(:disabled), input:not([type=hidden], :disabled), select, textarea, summary";

/** WCAG 2.4.11: which controls are completely hidden behind a fixed element when they get the focus; runs in the page. */
const behindOthers = `(() => {
  const stays = (one) => one !== null && (["sticky", "fixed"].includes(getComputedStyle(one).position) ? one : stays(one.parentElement));
  if (![...document.querySelectorAll("body *")].some((one) => one.checkVisibility() && stays(one) === one)) return [];
  const [focused, x, y] = [document.activeElement, scrollX, scrollY];
  const isBehind = (one) => [...one.getClientRects()].every(({ left, top, width, height }) =>
    [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]].every(([across, down]) => {
      const above = stays(document.elementFromPoint(left + width * across, top + height * down));
      return above && !above.contains(one);
    }));
  const hidden = [...document.querySelectorAll("${controls}")].filter((one) => {
    if (!one.checkVisibility() || one.getBoundingClientRect().width < 2) return false;
    one.focus();
    return document.activeElement === one && isBehind(one);
  }).map((one) => one.outerHTML.slice(0, 90));
  document.activeElement?.blur();
  focused?.focus({ preventScroll: true });
  scrollTo(x, y);
  return hidden;
})()`;

/** @returns One line for each control that is hidden while it has the focus. */
async function hiddenFocus(ours: Page | Frame): Promise<string[]> {
  const hidden = z.array(z.string()).parse(await ours.evaluate(behindOthers));
  return hidden.map((control) => `with the focus it is covered: ${control}`);
}

/** WCAG 2.5.8: which controls are smaller than 24 px and too close to another one; axe takes a quarter of its time for it. In the page. */
const tooClose = `(() => {
  const isInText = (one) => getComputedStyle(one).display === "inline" && [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const targets = [...document.querySelectorAll("${controls}")].filter((one) => one.checkVisibility() && !isInText(one))
    .map((one) => ({ one, at: one.getBoundingClientRect() })).filter(({ at }) => at.width > 2 && at.height > 2);
  const isSmall = ({ at }) => Math.min(at.width, at.height) < 23.9;
  const isNear = ({ at }, other) => {
    const [x, y, to] = [at.x + at.width / 2, at.y + at.height / 2, other.at];
    const toBox = Math.hypot(Math.max(to.left - x, 0, x - to.right), Math.max(to.top - y, 0, y - to.bottom));
    return toBox < 12 || (isSmall(other) && Math.hypot(to.x + to.width / 2 - x, to.y + to.height / 2 - y) < 24);
  };
  return targets.filter((small) => isSmall(small) && targets.some((other) => other !== small && isNear(small, other)))
    .map(({ one }) => one.outerHTML.slice(0, 90));
})()`;

/** @returns One line for each control that a finger would miss. */
async function crowdedTargets(ours: Page | Frame): Promise<string[]> {
  const crowded = z.array(z.string()).parse(await ours.evaluate(tooClose));
  return crowded.map((control) => `too small beside another: ${control}`);
}

let pictures = 0;

/**
 * For human eyes: a picture of the whole page in the folder SCREENSHOTS, if that is set. It is named after the area (the test's file), the
 * order in which pages were checked, the page's heading and the screen.
 */
async function keepPicture(page: Page, ours: Page | Frame, screen: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder === undefined) return;
  const heading = await ours.getByRole("heading", { level: 1 }).first().innerText();
  const area = basename(expect.getState().testPath ?? "page").replace(/(\.thorough)?\.test\.ts$/, "");
  pictures += 1;
  const name = `${area} ${String(pictures).padStart(3, "0")} ${heading} ${screen}`;
  const seen = page.viewportSize() ?? { width: 600, height: 700 };
  const long = z.number().parse(await ours.evaluate("document.documentElement.scrollHeight"));
  // Our frame is as high as the window, so that a longer window shows all of it.
  await page.setViewportSize({ width: seen.width, height: Math.min(Math.max(long, 400), 4_000) });
  const path = `${folder}/${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 120)}.png`;
  await page.screenshot({ path, animations: "disabled" });
  await page.setViewportSize(seen);
}

/** Rows whose controls differ in height; runs in the page. */
const unevenRows = `(() => {
  const controls = "button, a.small, a.button, summary.button, summary.button-like, select, input:not([type=hidden], [type=checkbox], [type=radio])";
  const heights = (row) => [...row.querySelectorAll(controls)]
    .filter((one) => one.checkVisibility() && one.closest(".menu-list") === null)
    .map((one) => Math.round(one.getBoundingClientRect().height)).filter((height) => height > 1);
  return [...document.querySelectorAll("form.narrowing, form.search, form.find, .head > .row")]
    .map((row) => [...new Set(heights(row))])
    .filter((different) => different.length > 1)
    .map((different) => different.join(" and "));
})()`;

/** @returns One line for each row of controls with different heights. */
export async function unevenControls(ours: Page | Frame): Promise<string[]> {
  const rows = z.array(z.string()).parse(await ours.evaluate(unevenRows));
  return rows.map((heights) => `controls in one row are ${heights} px high`);
}

/**
 * Whether a document and the lists' cards fit the width, whether its background is light or dark as it should be, and whether controls in
 * one row have the same height.
 */
async function misfits(ours: Page | Frame, width: number, scheme: "light" | "dark"): Promise<string[]> {
  const { scrollWidth, red, wide, cut } = z
    .object({ scrollWidth: z.number(), red: z.coerce.number(), wide: z.string(), cut: z.array(z.string()) })
    .parse(
      await ours.evaluate(`({
      scrollWidth: document.documentElement.scrollWidth,
      wide: [...document.querySelectorAll("body *")].filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return right > ${width} + 0.5 || left < -0.5;
      }).slice(0, 5).map((one) => one.outerHTML.slice(0, 90)).join(" "),
      cut: [...document.querySelectorAll(".card > table.list")]
        .filter((one) => one.getBoundingClientRect().width > one.parentElement.clientWidth + 1)
        .map((one) => one.outerHTML.slice(0, 90)),
      red: /\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0],
    })`),
    );
  return [
    ...(await unevenControls(ours)),
    ...(scrollWidth === width ? [] : [`it is ${scrollWidth} px wide: ${wide}`]),
    ...cut.map((what) => `wider than its card: ${what}`),
    ...(red > 128 === (scheme === "light") ? [] : [`its background is not ${scheme}`]),
  ];
}

/** What axe leaves out by default, and what the gate leaves to the nightly run. */
const changed = {
  "target-size": { enabled: isNightly },
  "label-content-name-mismatch": { enabled: true },
  "color-contrast": { enabled: isNightly || isForPictures },
};

const axeResults = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      help: z.string(),
      nodes: z.array(z.object({ target: z.unknown(), failureSummary: z.string().optional() })),
    }),
  ),
});

/**
 * Everything that axe finds in a document and in the frames within it, one line for each finding; empty if there are none. Our frame, given
 * alone, has to follow the rules for whole pages, too. @param rules The ids of the only rules to check.
 */
export async function axeFindings(
  ours: Page | Frame,
  rules: "all" | readonly string[] = "all",
): Promise<string[]> {
  for (const frame of withFramesWithin("page" in ours ? ours : ours.mainFrame())) {
    if ((await frame.evaluate("typeof axe")) === "undefined") await frame.evaluate(axeScript());
  }
  const options = {
    resultTypes: ["violations"],
    pingWaitTime: 10_000, // a frame that is slow to answer would be left out
    preload: false, // style sheets and media, for rules that we do not check
    ...(rules === "all" ? { rules: changed } : { runOnly: { type: "rule", values: rules } }),
  };
  const results = await ours.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return axeResults
    .parse(results)
    .violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)} ${failureSummary ?? ""}`,
      ),
    );
}

function withFramesWithin(frame: Frame): Frame[] {
  return [frame, ...frame.childFrames().flatMap(withFramesWithin)];
}

let script: string | undefined;

/**
 * Axe itself, which may communicate with itself in frames of other sites. Its package for Playwright would open a new tab in every run, and
 * silently leave out a frame that does not load the script within a second.
 */
function axeScript(): string {
  const require = createRequire(import.meta.url);
  const ofPlaywright = createRequire(require.resolve("@axe-core/playwright"));
  script ??= `${readFileSync(ofPlaywright.resolve("axe-core/axe.min.js"), "utf8")}
    axe.configure({ allowedOrigins: ["<unsafe_all_origins>"] });`;
  return script;
}
