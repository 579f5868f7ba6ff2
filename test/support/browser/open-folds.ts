import type { Frame, Page } from "playwright-core";

/** Opens everything that is folded on a page, as somebody does who looks for an option. */
export async function openFolds(page: Frame | Page): Promise<void> {
  await page.locator("main details.fold").evaluateAll((folds) => {
    for (const fold of folds) fold.setAttribute("open", "");
  });
}
