import type { Frame } from "playwright-core";
import { z } from "zod";
import { required } from "../required.ts";
import { type Cookies, startCookieProfile } from "./cookie-profile.ts";
import type { Driven } from "./driven.ts";

/**
 * This machine's Chromium with a new profile, driven like the other engines. A place is the number of a tab, then of each frame on the way
 * down. @param sites See `startCookieProfile`.
 */
export async function startChromium(
  cookies: Cookies,
  sites: Parameters<typeof startCookieProfile>[1],
): Promise<Driven> {
  const { context, openTab, close } = await startCookieProfile(cookies, sites);
  const frameAt = (place: string): Frame => {
    const [tab = "", ...frames] = place.split("/");
    const page = required(context.pages()[Number(tab)]);
    return frames.reduce((frame, number) => required(frame.childFrames()[Number(number)]), page.mainFrame());
  };
  return {
    version: context.browser()?.version() ?? "",
    picture: () => required(context.pages().at(-1)).screenshot(),
    logIn: async (url, cookie) => {
      const [name = "", ...value] = cookie.split("=");
      await context.addCookies([{ name, value: value.join("="), url, secure: true, sameSite: "None" }]);
    },
    openTab: async (address) => {
      const page = await openTab();
      await page.goto(address);
      return String(context.pages().indexOf(page));
    },
    tabs: () => Promise.resolve(context.pages().map((_page, number) => String(number))),
    frameOf: (place, site) => {
      const number = frameAt(place)
        .childFrames()
        .findIndex((frame) => frame.url().startsWith(site));
      return Promise.resolve(number === -1 ? null : `${place}/${String(number)}`);
    },
    textIn: async (place, expression) =>
      z.string().parse(await frameAt(place).evaluate(`String(${expression})`)),
    press: async (place, element) => {
      await required((await frameAt(place).evaluateHandle(element)).asElement()).click();
    },
    close,
  };
}
