import type { Browser, BrowserContext, Frame, Locator, Page } from "playwright-core";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { openProfile, type Screen } from "./browser.ts";
import type { WatchedProfiles } from "./watch-profiles.ts";

/** A course link opened in a page of the LMS that is nothing but the tool's frame. */
export type Framed = { context: BrowserContext; page: Page; frame: Frame };

/**
 * Somebody opens a course link in a frame as wide as the screen. Without scripts they press what leads on themselves.
 * @param who.linkId The link in the stand-in LMS. @param who.profiles Those of the file, which close it and hear of errors from the start.
 */
export async function openInFrame(
  browser: Browser,
  world: Pick<DemoWorld, "lms" | "toolUrl">,
  who: { username: string; linkId: string; screen?: Screen; profiles?: WatchedProfiles },
): Promise<Framed> {
  const { lms, toolUrl } = world;
  const context = await openProfile(
    browser,
    lms.url,
    lms.cookieFor(who.username),
    who.screen ?? { width: 600 },
  );
  who.profiles?.watch(context, toolUrl);
  const page = await context.newPage();
  await page.route(`${lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><style>body{margin:0}iframe{border:0;display:block;width:100vw;height:100vh}</style><iframe title="Tool" src="/link/${who.linkId}/launch?container=embed"></iframe></html>`,
    }),
  );
  await page.goto(`${lms.url}/frame`);
  if (who.screen?.scripts === false) await goOnByHand(await firstFrame(page));
  return { context, page, frame: await launchedFrame(page, toolUrl) };
}

/**
 * The tool's frame on a page of the LMS, once the launch has led to its page. On the way there it shows a page of ours
 * with a heading, too, which a busy machine shows for long.
 */
export async function launchedFrame(page: Page, toolUrl: string): Promise<Frame> {
  const frame = await firstFrame(page);
  await frame.waitForURL(({ origin, pathname }) => origin === toolUrl && pathname !== "/lti/login");
  return frame;
}

async function firstFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector("iframe");
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the LMS page has no frame");
  return frame;
}

/** Presses what the LMS and the tool offer on the way to the course's page to a browser without scripts. */
async function goOnByHand(frame: Frame): Promise<void> {
  const arrived = frame.locator("nav.areas");
  const onward = frame.locator("#go button, #onward");
  for (let steps = 0; steps < 5; steps += 1) {
    await onward
      .or(arrived)
      .first()
      .waitFor()
      .catch(async () => {
        const text = await frame.locator("body").innerText();
        throw new Error(`no way onward by hand at ${frame.url().slice(0, 80)}: ${text.slice(0, 500)}`);
      });
    if ((await arrived.count()) > 0) return;
    await pressed(frame, onward);
  }
  throw new Error("five steps by hand did not lead to the course's page");
}

/** Goes to an area of a course by the words on its tab. */
export async function goToArea(frame: Frame, area: string): Promise<void> {
  await frame.waitForLoadState();
  await pressed(frame, await areaTab(frame, (areas) => areas.getByText(area, { exact: true })));
}

/**
 * The tab of an area, for pressing. Where it has no room on the line, it is under "More", which is opened for it.
 * @param find Which one, among those on the line and under More.
 */
export async function areaTab(frame: Frame, find: (areas: Locator) => Locator): Promise<Locator> {
  const areas = frame.locator("nav.areas");
  await areas.waitFor();
  const tab = find(areas).filter({ visible: true }).first();
  if ((await tab.count()) === 0) await areas.locator(".more > details > summary").click();
  return tab;
}

/**
 * Presses something that leads to another page, also to one at the same address, and waits for that page. Both are awaited together: of
 * a press that fails, the waiting would fail later, where nobody looks.
 */
export async function pressed(frame: Frame, button: Locator): Promise<void> {
  await Promise.all([frame.page().waitForEvent("framenavigated", (one) => one === frame), button.click()]);
  await frame.waitForLoadState();
}
