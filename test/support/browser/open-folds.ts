import type { Frame, Page } from "playwright-core";

/** Opens everything that is folded on a page, as somebody does who looks for an option. */
export async function openFolds(page: Frame | Page): Promise<void> {
  const closed = page.locator("main details.fold:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
}
