import type { Frame } from "playwright-core";

/** Presses what is named, and waits for the page that comes. An area without room on the line is looked for under More. */
export async function press(frame: Frame, name: string): Promise<void> {
  await frame.evaluate(`document.documentElement.dataset.left = "yes"`);
  const named = frame.getByRole("link", { name }).or(frame.getByRole("button", { name })).first();
  const more = frame.locator("nav.areas .more > details > summary");
  await named.or(more).filter({ visible: true }).first().waitFor();
  if ((await named.count()) === 0) await more.click();
  await named.click();
  await frame.locator("html:not([data-left])").waitFor({ state: "attached" });
  await frame.waitForLoadState("load");
}
