import { expect } from "vitest";
import type { Page } from "playwright-core";
import { axeFindings, findingsOnEveryScreen, unevenControls } from "./browser.ts";

const wide = { width: 1280, height: 900 };

/** As `findingsOnEveryScreen`, and in a window of 1,280 px, where the console has its list of areas at the side. */
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
  const foundWide = [...(await unevenControls(page)), ...(await axeFindings(page))];
  return [...found, ...foundWide.map((one) => `${wide.width} px: ${one}`)];
}
