import type { Frame } from "playwright-core";

/** Presses what is named, and waits for the page that comes. */
export async function press(frame: Frame, name: string): Promise<void> {
  await frame.evaluate(`document.documentElement.dataset.left = "yes"`);
  await frame.getByRole("link", { name }).or(frame.getByRole("button", { name })).first().click();
  await frame.locator("html:not([data-left])").waitFor({ state: "attached" });
  await frame.waitForLoadState("load");
}
