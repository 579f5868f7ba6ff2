import type { Page } from "playwright-core";
import { expect } from "vitest";
import { forAllTests } from "../for-all-tests.ts";
import { logIn, startConsoleTool } from "../tool/console-tool.ts";
import { axeFindings, findingsOnEveryScreen, openProfile, startBrowser, unevenControls } from "./browser.ts";
import { watchProfiles } from "./watch-profiles.ts";
import { isNightly } from "../nightly.ts";

/** What the tests of a file share: the tool in this process, a browser, and the profiles that are opened in it. */
export async function consoleInBrowser(starting = startConsoleTool()) {
  const profiles = watchProfiles();
  const [tool, browser] = await Promise.all([forAllTests(starting), forAllTests(startBrowser())]);
  /** A tab of an operator's browser with this cookie, or without one yet. */
  const tabWith = async (cookie: string | null, locale = "en"): Promise<Page> => {
    const context = await openProfile(browser, tool.url, cookie);
    await context.setExtraHTTPHeaders({ "accept-language": locale });
    profiles.watch(context, tool.url);
    return context.newPage();
  };
  return {
    tool,
    browser,
    profiles,
    tabWith,
    /** A page of the console, opened by an operator who is logged in. */
    entered: async (path = "", locale = "en"): Promise<Page> => {
      const page = await tabWith((await logIn(tool.url)).cookie, locale);
      await page.goto(`${tool.url}/admin${path}`);
      return page;
    },
  };
}

const wide = { width: 1280, height: 900 };

/** Like `findingsOnEveryScreen`, plus a window of 1,280 px, where the console has its areas at the side; axe checks it in nightly runs. */
export async function findingsAlsoWide(page: Page): Promise<string[]> {
  const found = await findingsOnEveryScreen(page);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => page.evaluate("innerWidth")).toBe(wide.width);
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) {
    const heading = (await page.getByRole("heading", { level: 1 }).innerText()).replaceAll(
      /[^\p{L}\p{N}]+/gu,
      "-",
    );
    await page.screenshot({ path: `${folder}/wide-${heading}-${Date.now()}.png`, fullPage: true });
  }
  const foundWide = [...(await unevenControls(page)), ...(isNightly ? await axeFindings(page) : [])];
  return [...found, ...foundWide.map((one) => `${wide.width} px: ${one}`)];
}
