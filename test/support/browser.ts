import { existsSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts this machine's Chromium (CHROMIUM_PATH, else /usr/bin/chromium).
 * @param options.allowPopups Whether pages may open tabs without a click, as somebody may have set for their LMS.
 * @throws when there is no Chromium: stories in a browser are never left out in silence.
 */
export async function startBrowser(options: { allowPopups?: boolean } = {}): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(
      `The browser tests need Chromium and there is none at ${executablePath}. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to its program.`,
    );
  }
  return chromium.launch({
    executablePath,
    args: [...quiet],
    // Playwright switches popup blocking off for every test; people's browsers have it on.
    ...(options.allowPopups === true ? {} : { ignoreDefaultArgs: ["--disable-popup-blocking"] }),
  });
}

/** How a person's browser is set up. */
export type Screen = { width: number; height?: number; scheme?: "light" | "dark" };

/** The narrowest frame an LMS gives (px) and a phone, each light and dark. */
export const screens: readonly (Required<Omit<Screen, "height">> & { name: string })[] = [
  { width: 600, scheme: "light", name: "a 600 px frame, light" },
  { width: 600, scheme: "dark", name: "a 600 px frame, dark" },
  { width: 360, scheme: "light", name: "a 360 px phone, light" },
  { width: 360, scheme: "dark", name: "a 360 px phone, dark" },
];

/**
 * A fresh browser profile.
 * @param cookie "name=value" that logs the person in at `site`; null for nobody.
 */
export async function openProfile(
  browser: Browser,
  site: string,
  cookie: string | null,
  screen: Screen = { width: 1000 },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: screen.width, height: screen.height ?? 700 },
    colorScheme: screen.scheme ?? "light",
  });
  context.setDefaultTimeout(10_000);
  if (cookie !== null) {
    const [name = "", ...value] = cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: site }]);
  }
  return context;
}

/**
 * Collects what goes wrong on the pages of one site in all tabs of a profile: errors on the console (broken
 * content security rules are among them) and scripts that failed. A page whose status is 4xx or 5xx is no
 * fault of its own, so the browser's note about it is left out.
 * @param problems A list to add to; a new one by default.
 * @returns The list, which grows.
 */
export function collectProblems(context: BrowserContext, site: string, problems: string[] = []): string[] {
  context.on("console", (message) => {
    const { url } = message.location();
    const ofAnswer = /^Failed to load resource: the server responded with a status of/.test(message.text());
    const isPage = !new URL(url || "about:blank").pathname.startsWith("/assets/");
    if (message.type() !== "error" || !url.startsWith(site) || (ofAnswer && isPage)) return;
    problems.push(`${url}: ${message.text()}`);
  });
  context.on("weberror", (error) => {
    problems.push(error.error().stack ?? error.error().message);
  });
  return problems;
}

/** Everything axe finds on a page and in its frames, one line for each; empty when it is clean. */
export async function axeFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)} ${failureSummary ?? ""}`,
    ),
  );
}
