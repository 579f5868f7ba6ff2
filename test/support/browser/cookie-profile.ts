import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { blockUnaskedWindows, chromiumOptions, collectProblems, isShell, where } from "./browser.ts";

/** What a browser stores for a site inside another site's frame. */
export type Cookies =
  /** Everything. */
  | "all"
  /** Only partitioned cookies: third-party cookies are blocked. */
  | "partitioned"
  /** Nothing at all, as in browsers that do not support partitioned cookies or whose owner forbade them. */
  | "none";

/** Options of a test for a browser that stores these cookies: a headless shell has no settings and stores everything. */
export const keeping = (cookies: Cookies) => (cookies === "all" ? {} : where("blockedCookies"));

/** The kinds of cookies that a browser of this machine can be set to. */
export const cookieKinds: readonly Cookies[] = where("blockedCookies").skip
  ? ["all"]
  : ["all", "partitioned", "none"];

/** A separate browser, as a person has set it up. */
export type CookieProfile = {
  context: BrowserContext;
  /** A tab with a blank page; the one already open if it is unused, since a new one is expensive. */
  openTab: () => Promise<Page>;
  /** Closes all tabs but one, from which everything that a test did is removed, and deletes all cookies. */
  clear: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Starts a Chromium with the settings that a person would choose for which cookies it stores in frames. One that stores all, which is
 * Chromium's default, is a headless shell if there is one: that takes half the CPU. Self-signed certificates are accepted; unrequested
 * windows are not. @param sites Each tool and who frames it, by origin with port.
 */
export async function startCookieProfile(
  cookies: Cookies,
  sites: readonly { tool: string; framing: string }[],
): Promise<CookieProfile> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-profile-"));
  await mkdir(join(folder, "Default"));
  const blocked = Object.fromEntries(
    sites.map(({ tool, framing }) => [`${tool},${framing}`, { setting: 2 }]),
  );
  const preferences = {
    profile: {
      // 0: allow, 1: block third-party cookies.
      cookie_controls_mode: cookies === "all" ? 0 : 1,
      ...(cookies === "none" ? { content_settings: { exceptions: { cookies: blocked } } } : {}),
    },
  };
  await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
  // If every cookie is stored, nothing was set, so a headless shell will do.
  const options = chromiumOptions({ whole: cookies !== "all" });
  const context = await chromium.launchPersistentContext(folder, { ...options, ignoreHTTPSErrors: true });
  context.setDefaultTimeout(30_000);
  if (isShell(options)) await blockUnaskedWindows(context);
  // Pages that a test makes up have no address; the browser treats them as the internet, which may not reach loopback.
  await context.grantPermissions(["local-network-access"]);
  const taken = new Set<Page>();
  return {
    context,
    openTab: async () => {
      const [first] = context.pages();
      if (first === undefined || taken.has(first)) return context.newPage();
      taken.add(first);
      return first;
    },
    clear: async () => {
      const [first, ...others] = context.pages();
      await Promise.all(others.map((page) => page.close()));
      await first?.unrouteAll({ behavior: "ignoreErrors" });
      first?.removeAllListeners("request").removeAllListeners("response");
      await first?.goto("about:blank");
      await context.clearCookies();
      taken.clear();
    },
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * The browsers that the tests of a file share, one for each kind of cookies. After each test they delete everything, and the test fails if
 * a page of ours has written an error to the console. To be awaited at the file's top level. @param others Sites besides the LMSs that
 * frame the tool's pages, by origin with port.
 */
export async function cookieBrowsers(
  kinds: readonly Cookies[],
  worlds: readonly DemoWorld[],
  others: readonly string[] = [],
) {
  const profiles = new Map<Cookies, CookieProfile>();
  let problems: string[] = [];
  // An error without a message comes from the browser, about scripts of others.
  let expected = /^$/;
  const sites = worlds.flatMap(({ toolUrl, lms }) =>
    [lms.url, ...others].map((framing) => ({ tool: toolUrl, framing })),
  );
  for (const cookies of kinds) {
    const profile = await startCookieProfile(cookies, sites);
    profiles.set(cookies, profile);
    for (const { toolUrl } of worlds) problems = collectProblems(profile.context, toolUrl, problems);
  }
  afterEach(async () => {
    await Promise.all([...profiles.values()].map((profile) => profile.clear()));
    const found = problems.splice(0).filter((problem) => !expected.test(problem));
    expected = /^$/;
    expect(found, "errors on the console of our pages").toEqual([]);
  });
  afterAll(async () => {
    for (const profile of profiles.values()) await profile.close();
  });
  const profileOf = (cookies: Cookies): CookieProfile => {
    const profile = profiles.get(cookies);
    if (profile === undefined) throw new Error("no such browser");
    return profile;
  };
  return {
    profileOf,
    /** What the browser may report because the running test causes it on purpose. */
    expects: (pattern: RegExp): void => {
      expected = pattern;
    },
    /** A tab of a person who is logged in at the LMS. @param fresh Whether it must be one that no test has used before. */
    tabOf: async (world: DemoWorld, cookies: Cookies, person: string, fresh = false): Promise<Page> => {
      const { context, openTab } = profileOf(cookies);
      await logInAt(context, world, person);
      return fresh ? context.newPage() : openTab();
    },
  };
}

/** Gives a browser the cookie of a person's log-in at the LMS, including for frames. */
export async function logInAt(context: BrowserContext, { lms }: DemoWorld, person: string): Promise<void> {
  const [name = "", ...value] = lms.cookieFor(person).split("=");
  const cookie = { name, value: value.join("="), url: lms.url, secure: true };
  await context.addCookies([{ ...cookie, sameSite: "None" }]);
}
