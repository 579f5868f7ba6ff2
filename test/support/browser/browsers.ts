import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { z } from "zod";
import { listen } from "../../../sandbox/listen.ts";
import { makeSelfSigned } from "../stand-ins/self-signed.ts";
import { startWebkitDriver } from "./webkit-driver.ts";

/**
 * The browsers of this machine that tests can drive. They are searched once a run: the process that finds them first passes them on in the
 * variable TEST_BROWSERS, so that the gate, Vitest's configuration and each test file use the same result.
 */
const browsersSchema = z.object({
  /** The Chromium that shows pages: a headless shell if there is one, since its windows cost a quarter. */
  pages: z.object({ path: z.string(), isShell: z.boolean(), opensHttps: z.boolean() }).nullable(),
  /** A Chromium with a whole browser around its pages: it has settings, such as which cookies to block. */
  whole: z.string().nullable(),
  firefox: z.string().nullable(),
  /** The driver of WebKitGTK. */
  webkit: z.string().nullable(),
  /** Folders of libraries that the Chromium of our own package needs; empty for others. */
  libraries: z.string(),
  /** What was tried and does not start, one sentence each. */
  notes: z.array(z.string()),
});

export type Browsers = z.infer<typeof browsersSchema>;

/** What a test may need that not every machine has, and how to get it. */
export const needs = {
  chromium: "they need Chromium; install one, or set CHROMIUM_PATH to its program",
  https:
    "they need a Chromium that opens https pages, which yours cannot without a library such as libsqlite3.so.0; install it, or set CHROMIUM_PATH to another Chromium",
  blockedCookies:
    "they need a whole Chromium, which can block third-party cookies; install one, or set CHROMIUM_PATH to its program",
  firefox: "they need Firefox; install one, or set FIREFOX_PATH to its program",
  webkit:
    "they need WebKitGTK's driver and Xvfb (Debian: webkit2gtk-driver, xvfb); install them, or set WEBKIT_DRIVER_PATH to the driver",
} as const;

export const allNeeds = [
  "chromium",
  "https",
  "blockedCookies",
  "firefox",
  "webkit",
] as const satisfies readonly (keyof typeof needs)[];
export type Need = (typeof allNeeds)[number];

/** Raised with a sentence for the person who started the tests. */
export class BrowserProblem extends Error {}

/** The package that brings a headless shell to linux x64, with its own lock file: nobody downloads 75 MB for a browser they have. */
const packageFolder = fileURLToPath(new URL("chromium/", import.meta.url));

type Machine = { platform: NodeJS.Platform; home: string; variables: NodeJS.ProcessEnv };

/** The usual paths of Chromium, headless shells first. @returns paths that may not exist, in the order to try. */
export function usualChromiums({ platform, home, variables }: Machine): string[] {
  const ofPlaywright = {
    darwin: join(home, "Library", "Caches", "ms-playwright"),
    win32: join(variables["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "ms-playwright"),
  };
  const playwright =
    variables["PLAYWRIGHT_BROWSERS_PATH"] ??
    (platform === "darwin" || platform === "win32"
      ? ofPlaywright[platform]
      : join(variables["XDG_CACHE_HOME"] ?? join(home, ".cache"), "ms-playwright"));
  if (platform === "darwin") {
    return [
      ...within(playwright, /^chromium_headless_shell-/, /headless_shell$/),
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      join(home, "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
      ...within(playwright, /^chromium-/, /(Chromium|Google Chrome for Testing)$/),
    ];
  }
  if (platform === "win32") {
    const programs = [variables["PROGRAMFILES"], variables["PROGRAMFILES(X86)"], variables["LOCALAPPDATA"]];
    return [
      ...within(playwright, /^chromium_headless_shell-/, /headless_shell\.exe$/),
      ...programs.flatMap((folder) =>
        folder === undefined ? [] : [join(folder, "Google", "Chrome", "Application", "chrome.exe")],
      ),
      ...within(playwright, /^chromium-/, /chrome\.exe$/),
    ];
  }
  return [
    "/usr/bin/chromium-headless-shell",
    ...within(playwright, /^chromium_headless_shell-/, /headless[-_]shell$/),
    ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(
      (name) => `/usr/bin/${name}`,
    ),
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    ...within(playwright, /^chromium-/, /chrome$/),
  ];
}

/** Like `usualChromiums`, for Firefox, which is driven by WebDriver BiDi: any release works. */
export function usualFirefoxes({ platform, home, variables }: Machine): string[] {
  const puppeteer = variables["PUPPETEER_CACHE_DIR"] ?? join(home, ".cache", "puppeteer");
  const installed = {
    darwin: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
    win32: [variables["PROGRAMFILES"], variables["PROGRAMFILES(X86)"]].flatMap((folder) =>
      folder === undefined ? [] : [join(folder, "Mozilla Firefox", "firefox.exe")],
    ),
  };
  const usual =
    platform === "darwin" || platform === "win32"
      ? installed[platform]
      : ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/snap/bin/firefox", "/opt/firefox/firefox"];
  return [...usual, ...within(join(puppeteer, "firefox"), /./, /firefox(\.exe)?$/)];
}

/** Programs with matching names in the folders of a tool's cache; the newest first. */
function within(folder: string, name: RegExp, program: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((one) => name.test(one))
    .toSorted((one, other) => other.localeCompare(one, undefined, { numeric: true }))
    .flatMap((one) =>
      readdirSync(join(folder, one), { recursive: true, encoding: "utf8" })
        .filter((path) => program.test(path))
        .map((path) => join(folder, one, path)),
    );
}

/**
 * Starts a Chromium and asks what it is: a headless shell calls itself HeadlessChrome, one with a whole browser around it Chrome. One
 * without all its libraries ends at its first https page. @returns the reason in one line when it does not start.
 */
async function askChromium(
  path: string,
  libraries: string,
): Promise<{ isShell: boolean; opensHttps: boolean } | { problem: string }> {
  try {
    const browser = await chromium.launch({
      executablePath: path,
      args: ["--no-sandbox", "--disable-gpu"],
      env: browserVariables(libraries),
      timeout: 30_000,
    });
    const session = await browser.newBrowserCDPSession();
    const { product } = await session.send("Browser.getVersion");
    const opensHttps = await opensAnHttpsPage(browser);
    await browser.close();
    return { isShell: product.startsWith("HeadlessChrome/"), opensHttps };
  } catch (thrown) {
    return { problem: reasonOf(thrown) };
  }
}

async function opensAnHttpsPage(browser: Browser): Promise<boolean> {
  const server = createServer(makeSelfSigned(), (_request, response) => response.end());
  const port = await listen(server);
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    return (await page.goto(`https://127.0.0.1:${port}/`))?.ok() === true;
  } catch {
    return false;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The line of Playwright's report that gives the reason: what the program printed, or else how it ended. */
function reasonOf(thrown: unknown): string {
  const lines = (thrown instanceof Error ? thrown.message : String(thrown))
    .split("\n")
    .map((line) => line.trim());
  const printed = lines.find((line) => line.includes("[err]"))?.replace(/^.*\[err\]\s*/, "");
  return (printed ?? lines[0] ?? "no reason given").slice(0, 200);
}

/** On Linux, the configuration that leaves browsers one font. */
const fontsFile = fileURLToPath(new URL("fonts.conf", import.meta.url));

/**
 * The variables a browser starts with: this process's, our font, and where the Chromium of our package finds its libraries. @param
 * libraries See `Browsers`.
 */
export function browserVariables(libraries = ""): NodeJS.ProcessEnv {
  return {
    ...process.env,
    FONTCONFIG_FILE: fontsFile,
    ...(libraries === "" ? {} : { LD_LIBRARY_PATH: libraries }),
  };
}

/**
 * Searches this machine for browsers. @param bring Whether to install our package's Chromium if there is no other (linux x64). @throws
 * BrowserProblem when a program that a variable names cannot be used.
 */
export async function findBrowsers({ bring }: { bring: boolean }): Promise<Browsers> {
  const machine: Machine = { platform: process.platform, home: homedir(), variables: process.env };
  const notes: string[] = [];
  const chosen = process.env["CHROMIUM_PATH"];
  const firefox = findFirefox(machine);
  let pages: Browsers["pages"] = null;
  let whole: string | null = null;
  const candidates = chosen === undefined ? [] : [chosen];
  for (const path of [...candidates, ...usualChromiums(machine)]) {
    if (pages !== null && whole !== null) break;
    if (path !== chosen && !existsSync(path)) continue;
    const answer = existsSync(path) ? await askChromium(path, "") : { problem: "there is no such file" };
    if ("problem" in answer) {
      if (path === chosen) {
        throw new BrowserProblem(
          `CHROMIUM_PATH names ${path}, which does not start: ${answer.problem}. Set it to the program of a Chromium, or unset it.`,
        );
      }
      notes.push(`${path} does not start: ${answer.problem}`);
      continue;
    }
    pages ??= { path, ...answer };
    if (!answer.isShell) whole ??= path;
  }
  const found = { firefox, webkit: await findWebkit(notes), pages, whole, libraries: "", notes };
  if (pages !== null) return found;
  const brought = bring ? bringChromium(notes) : null;
  if (brought === null) return found;
  const answer = await askChromium(brought.path, brought.libraries);
  if ("problem" in answer) {
    notes.push(`the Chromium of our package does not start: ${answer.problem}`);
    return found;
  }
  return { ...found, pages: { path: brought.path, ...answer }, libraries: brought.libraries };
}

function findFirefox(machine: Machine): string | null {
  const chosen = process.env["FIREFOX_PATH"];
  if (chosen !== undefined && !existsSync(chosen)) {
    throw new BrowserProblem(
      `FIREFOX_PATH names ${chosen}, and there is no such file. Set it to the program of a Firefox, or unset it.`,
    );
  }
  return chosen ?? usualFirefoxes(machine).find((path) => existsSync(path)) ?? null;
}

const usualWebkitDriver = "/usr/bin/WebKitWebDriver";

/** Tries to start the driver, and the display it may need. A failure is added to the notes. */
async function findWebkit(notes: string[]): Promise<string | null> {
  const chosen = process.env["WEBKIT_DRIVER_PATH"];
  const path = chosen ?? usualWebkitDriver;
  if (chosen === undefined && !existsSync(path)) return null;
  try {
    const driver = await startWebkitDriver(path, browserVariables());
    await driver.end();
    return path;
  } catch (thrown) {
    const why = reasonOf(thrown);
    if (chosen === undefined) {
      notes.push(`${path} does not start: ${why}`);
      return null;
    }
    throw new BrowserProblem(
      `WEBKIT_DRIVER_PATH names ${path}, which does not start: ${why}. Set it to the driver of WebKitGTK, or unset it.`,
    );
  }
}

/** Unpacks the package's Chromium, its fonts and its libraries into TMPDIR. */
const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';

/**
 * Installs and unpacks our package's Chromium, once. The unpacked folder gets its name when it is complete, so an interrupted attempt is
 * repeated. @returns null if there is none for this machine, or if it could not be downloaded, which is added to the notes.
 */
function bringChromium(notes: string[]): { path: string; libraries: string } | null {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")));
  const folder = join(
    packageFolder,
    "node_modules",
    `.unpacked-${dependencies["@sparticuz/chromium"] ?? ""}`,
  );
  const brought = { path: join(folder, "chromium"), libraries: join(folder, "al2023", "lib") };
  if (existsSync(folder)) return brought;
  console.error(
    "No Chromium on this machine: installing one for the tests (once, about 75 MB to download, 290 MB on disk) ...",
  );
  const partial = `${folder}.partial`;
  const steps: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
    ["npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {}],
    // The package unpacks into the temporary folder, and its libraries only if it believes that it is on its usual host.
    [
      process.execPath,
      ["--input-type=module", "-e", unpack],
      { TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: "24.x" },
    ],
  ];
  for (const [program, args, variables] of steps) {
    if (variables["TMPDIR"] !== undefined) {
      rmSync(partial, { recursive: true, force: true });
      mkdirSync(partial);
    }
    const ran = spawnSync(program, args, {
      cwd: packageFolder,
      env: { ...process.env, ...variables },
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (ran.status === 0) continue;
    const why = (ran.error?.message ?? ran.stderr).trim().split("\n")[0] ?? "";
    notes.push(`no Chromium could be installed: ${why}`);
    return null;
  }
  renameSync(partial, folder);
  return brought;
}

/** The browsers of this run: those that TEST_BROWSERS passes on, or else those found now without installing anything. */
export async function browsersOfRun(): Promise<Browsers> {
  const handedOn = process.env["TEST_BROWSERS"];
  return handedOn === undefined
    ? await findBrowsers({ bring: false })
    : browsersSchema.parse(JSON.parse(handedOn));
}

/** Files of test/browser of which nothing can run with these browsers; Vitest's configuration leaves them out. */
export function filesNotRun({ pages }: Browsers): { need: Need; files: readonly string[] }[] {
  const folder = fileURLToPath(new URL("../../browser/", import.meta.url));
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".test.ts") && !/^other-browsers\./.test(name),
  );
  if (pages === null) return [{ need: "chromium", files }];
  if (pages.opensHttps) return [];
  const isHttps = (name: string): boolean =>
    readFileSync(join(folder, name), "utf8").includes("/https-world.ts");
  return [{ need: "https", files: files.filter(isHttps) }];
}

/** Which needs these browsers do not meet. */
export function unmetNeeds({ pages, whole, firefox, webkit }: Browsers): Need[] {
  return [
    ...(pages === null ? (["chromium"] as const) : []),
    ...(pages?.opensHttps === true ? [] : (["https"] as const)),
    ...(whole === null ? (["blockedCookies"] as const) : []),
    ...(firefox === null ? (["firefox"] as const) : []),
    ...(webkit === null ? (["webkit"] as const) : []),
  ];
}
