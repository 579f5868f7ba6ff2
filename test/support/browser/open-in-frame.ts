import type { Browser, BrowserContext, Frame, Locator, Page } from "playwright-core";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { sessionFolder, sessionIdIn } from "../../../src/web/session-address.ts";
import { forAllTests } from "../for-all-tests.ts";
import { startWorld } from "../tool/start-world.ts";
import { openProfile, type Screen, startBrowser } from "./browser.ts";
import { type WatchedProfiles, watchProfiles } from "./watch-profiles.ts";

type World = Pick<DemoWorld, "lms" | "toolUrl">;

/** A course link opened in a page of the LMS that contains only the tool's frame. */
export type Framed = { context: BrowserContext; page: Page; frame: Frame };

/**
 * What the tests of a file share: both stand-ins with the tool, a browser, and the profiles that are opened in it. @param starting A world
 * with twelve learners by default.
 */
export async function worldInBrowser(starting = startWorld({ learners: 12 })) {
  const profiles = watchProfiles();
  const [world, browser] = await Promise.all([forAllTests(starting), forAllTests(startBrowser())]);
  return {
    world,
    browser,
    profiles,
    /** A person opens a course link, by default biology's, in a frame as wide as the screen. */
    open: (username: string, linkId = "1", screen: Screen = { width: 600 }): Promise<Framed> =>
      openInFrame(browser, world, { username, linkId, screen, profiles }),
    /** A tab of a person who is logged in at the LMS. */
    tabOf: async (username: string): Promise<Page> => {
      const context = await openProfile(browser, world.lms.url, world.lms.cookieFor(username));
      profiles.watch(context, world.toolUrl);
      return context.newPage();
    },
  };
}

/**
 * A person opens a course link in a frame as wide as the screen. Without scripts they press the buttons on the way themselves. @param
 * who.linkId The link in the stand-in LMS. @param who.profiles Those of the file, which close it and see errors from the start.
 */
export async function openInFrame(
  browser: Browser,
  world: World,
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
  await showFrame(page, world, linkIn(who.linkId));
  if (who.screen?.scripts === false) await goOnByHand(await firstFrame(page));
  return { context, page, frame: await launchedFrame(page, toolUrl) };
}

const linkIn = (linkId: string) => `/link/${linkId}/launch?container=embed`;

/** A page of the LMS that contains only the tool's frame, exactly as wide as the screen. @param script Of that page. */
export async function showFrame(page: Page, { lms }: World, address: string, script = ""): Promise<void> {
  await page.route(`${lms.url}/frame`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Course</title><style>body{margin:0}iframe{border:0;display:block;width:100vw;height:100vh}</style><script>${script}</script><iframe title="Tool" src="${address}"></iframe></html>`,
    }),
  );
  await page.goto(`${lms.url}/frame`);
}

/** The same with a course link, once the launch has led to its page. */
export async function showLink(page: Page, world: World, linkId: string): Promise<Frame> {
  await showFrame(page, world, linkIn(linkId));
  return launchedFrame(page, world.toolUrl);
}

/**
 * The tool's frame on a page of the LMS, once the launch has led to its page. On the way there it shows another page of ours with a
 * heading, for a long time on a slow machine.
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

/** Presses the buttons that the LMS and the tool offer to a browser without scripts on the way to the course's page. */
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

/** Goes to an area of a course by the label of its tab. */
export async function goToArea(frame: Frame, area: string): Promise<void> {
  await frame.waitForLoadState();
  await pressed(frame, await areaTab(frame, (areas) => areas.getByText(area, { exact: true })));
}

/**
 * The tab of an area, for pressing. If it does not fit on the line, it is under "More", which is opened for it. @param find Finds it among
 * those on the line and under More.
 */
export async function areaTab(frame: Frame, find: (areas: Locator) => Locator): Promise<Locator> {
  const areas = frame.locator("nav.areas");
  await areas.waitFor();
  const tab = find(areas).filter({ visible: true }).first();
  if ((await tab.count()) === 0) await areas.locator(".more > details > summary").click();
  return tab;
}

/** Presses something that leads to another page, even at the same address, and waits for that page. */
export async function pressed(frame: Frame, button: Locator): Promise<void> {
  // Only the next page has no mark. Its "framenavigated" isn't enough, since a page may change its own address late.
  await frame.evaluate(`document.documentElement.dataset.left = "yes"`);
  await button.click();
  await frame.locator("html:not([data-left])").waitFor({ state: "attached" });
  await frame.waitForLoadState("load");
}

/** Presses the element with this name, and waits for the next page. An area that does not fit on the line is looked for under More. */
export async function press(frame: Frame, name: string): Promise<void> {
  const named = frame.getByRole("link", { name }).or(frame.getByRole("button", { name })).first();
  const more = frame.locator("nav.areas .more > details > summary");
  await named.or(more).filter({ visible: true }).first().waitFor();
  if ((await named.count()) === 0) await more.click();
  await pressed(frame, named);
}

/** Opens everything that is collapsed on a page, once all of it is there, as a person does who looks for an option. */
export async function openFolds(page: Frame | Page): Promise<void> {
  await page.waitForLoadState("load");
  const closed = page.locator("main details.fold:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
}

/**
 * Opens a page of a course by its address, in a browser that a launch has given the session's cookie (over plain http).
 * @param path Below the session's folder: "/grades".
 */
export async function openCoursePage(page: Page, site: string, token: string, path: string): Promise<void> {
  const id = sessionIdIn(token);
  await page.context().addCookies([{ name: `v_${id}`, value: token, url: site }]);
  await page.goto(`${site}${sessionFolder(id)}${path}`);
}

/** Whether an address is a page of a course, for `waitForURL`. @param news Whether the page must report a change. */
export function at(path: string, news?: "news"): (url: URL) => boolean {
  return ({ pathname, searchParams }) =>
    /^\/c\/[\w-]{16}(\/.*)$/.exec(pathname)?.[1] === path && (news === undefined || searchParams.has("news"));
}
