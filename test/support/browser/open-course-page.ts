import type { Page } from "playwright-core";
import { sessionFolder, sessionIdIn } from "../../../src/web/session-address.ts";

/**
 * Opens a page of a course by its address, in a browser that a launch has given the session's cookie (over plain http).
 * @param path Below the session's folder: "/grades".
 */
export async function openCoursePage(page: Page, site: string, token: string, path: string): Promise<void> {
  const id = sessionIdIn(token);
  await page.context().addCookies([{ name: `v_${id}`, value: token, url: site }]);
  await page.goto(`${site}${sessionFolder(id)}${path}`);
}

/**
 * Whether an address is a page of a course, for `waitForURL`.
 * @param news The page says something about a change.
 */
export function at(path: string, news?: "news"): (url: URL) => boolean {
  return ({ pathname, searchParams }) =>
    /^\/c\/[\w-]{16}(\/.*)$/.exec(pathname)?.[1] === path && (news === undefined || searchParams.has("news"));
}
