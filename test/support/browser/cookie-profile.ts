import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { blockUnaskedWindows, chromiumOptions, collectProblems, isShell, where } from "./browser.ts";

/** What a browser keeps for a site inside another site's frame. */
export type Cookies =
  /** Everything. */
  | "all"
  /** Nothing but partitioned cookies: third-party cookies are blocked. */
  | "partitioned"
  /** Nothing at all, as in browsers that know no partitioned cookies or whose owner forbade them. */
  | "none";

/** Options of a test for a browser that keeps these cookies: a headless shell has no settings and keeps everything. */
export const keeping = (cookies: Cookies) => (cookies === "all" ? {} : where("blockedCookies"));

/** The kinds that a browser of this machine can be set up to be. */
export const cookieKinds: readonly Cookies[] = where("blockedCookies").skip
  ? ["all"]
  : ["all", "partitioned", "none"];

/** A browser of its own, as a person has set it up. */
export type CookieProfile = {
  context: BrowserContext;
  /** A tab at a blank page; the one that is open already when nobody uses it, for a new one is dear. */
  openTab: () => Promise<Page>;
  /** Closes all tabs but one, which keeps nothing of what a test did with it, and forgets all cookies. */
  clear: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Starts a Chromium whose settings, as a person would make them, say which cookies it keeps in frames. For one that keeps all, as
 * Chromium comes, it has nothing around its pages where there is such a program: that takes half the CPU.
 * Self-signed certificates are accepted; windows that were not asked for are not.
 * @param sites Each tool and who frames it, by origin with port.
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
  // Who keeps every cookie has set nothing, so that nothing is needed around the pages.
  const options = chromiumOptions({ whole: cookies !== "all" });
  const context = await chromium.launchPersistentContext(folder, { ...options, ignoreHTTPSErrors: true });
  context.setDefaultTimeout(30_000);
  if (isShell(options)) await blockUnaskedWindows(context);
  // Pages that a test makes up have no address; to the browser that is the internet, and loopback is not for it.
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
 * The browsers that the tests of a file share, one for each kind of cookies. After each test they forget everything, and the test fails
 * when a page of ours has written an error to the console. To be awaited at the file's top level.
 * @param others Sites besides the LMSs that frame the tool's pages, by origin with port.
 */
export async function cookieBrowsers(
  kinds: readonly Cookies[],
  worlds: readonly DemoWorld[],
  others: readonly string[] = [],
) {
  const profiles = new Map<Cookies, CookieProfile>();
  let problems: string[] = [];
  // An error that a page threw without a word is the browser's about scripts of others.
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
    /** What the browser may say because of what the running test does on purpose. */
    expects: (pattern: RegExp): void => {
      expected = pattern;
    },
    /** A tab of a person who is logged in at the LMS. @param fresh One that no test has used before. */
    tabOf: async (world: DemoWorld, cookies: Cookies, person: string, fresh = false): Promise<Page> => {
      const { context, openTab } = profileOf(cookies);
      await logInAt(context, world, person);
      return fresh ? context.newPage() : openTab();
    },
  };
}

/** Gives a browser the cookie of a person's log-in at the LMS, for frames as well. */
export async function logInAt(context: BrowserContext, { lms }: DemoWorld, person: string): Promise<void> {
  const [name = "", ...value] = lms.cookieFor(person).split("=");
  const cookie = { name, value: value.join("="), url: lms.url, secure: true };
  await context.addCookies([{ ...cookie, sameSite: "None" }]);
}
