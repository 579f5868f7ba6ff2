import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openProfile, type Screen } from "./browser.ts";

/** A course link opened in a page of the LMS that is nothing but the tool's frame. */
export type Framed = { context: BrowserContext; page: Page; frame: Frame };

/**
 * Somebody opens a course link in a frame as wide as the screen.
 * @param who.linkId The link in the stand-in LMS.
 */
export async function openInFrame(
  browser: Browser,
  world: Pick<DemoWorld, "lms" | "toolUrl">,
  who: { username: string; linkId: string; screen?: Screen },
): Promise<Framed> {
  const { lms, toolUrl } = world;
  const context = await openProfile(
    browser,
    lms.url,
    lms.cookieFor(who.username),
    who.screen ?? { width: 600 },
  );
  const page = await context.newPage();
  await page.route(`${lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><style>body{margin:0}iframe{border:0;display:block;width:100vw;height:100vh}</style><iframe title="Tool" src="/link/${who.linkId}/launch?container=embed"></iframe></html>`,
    }),
  );
  await page.goto(`${lms.url}/frame`);
  const element = await page.waitForSelector("iframe");
  const frame = await element.contentFrame();
  if (frame === null) throw new Error("the LMS page has no frame");
  await frame.waitForURL(`${toolUrl}/**`);
  return { context, page, frame };
}
