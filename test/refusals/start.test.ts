import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { listen } from "../../sandbox/listen.ts";
import { freePort, ofEveryProcess } from "../../sandbox/tool-process.ts";
import { usualChromiums, usualFirefoxes } from "../support/browser/browsers.ts";
import { folderForAll } from "../support/folders.ts";

/** What a person sees after typing a command: installing, starting, stopping, and what goes wrong with each. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = await folderForAll();

type Ended = { code: number | null; out: string; err: string };

/** Runs a program to its end, and kills it after a minute. */
async function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; variables?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { ...ofEveryProcess(), ...options.variables },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.err += text));
  await once(child, "close");
  return { code: child.exitCode, ...printed };
}

describe("installing packages", () => {
  /** A checkout with two packages to install, and an npm that runs this script. */
  async function checkout(name: string, npm: string | null): Promise<{ cwd: string; path: string }> {
    const cwd = join(folder, name);
    await mkdir(join(cwd, "src"), { recursive: true });
    await mkdir(join(cwd, "bin"));
    await copyFile(join(root, "src/run.mjs"), join(cwd, "src/run.mjs"));
    const elsewhere = { os: ["a-system-nobody-has"] };
    await writeFile(
      join(cwd, "package-lock.json"),
      JSON.stringify({
        packages: { "": {}, "node_modules/a": {}, "node_modules/b": {}, "node_modules/c": elsewhere },
      }),
    );
    await writeFile(join(cwd, "src/entry.mjs"), 'console.log("the entry ran");');
    if (npm !== null) {
      await writeFile(join(cwd, "bin/npm"), `#!/bin/sh\n${npm}\n`);
      await chmod(join(cwd, "bin/npm"), 0o755);
    }
    return { cwd, path: npm === null ? join(cwd, "bin") : `${join(cwd, "bin")}:/usr/bin:/bin` };
  }
  const start = ({ cwd, path }: { cwd: string; path: string }) =>
    run(process.execPath, ["src/run.mjs", "--setup", "src/entry.mjs"], { cwd, variables: { PATH: path } });

  test("says how many there are, and starts the requested program", async () => {
    const ready = "mkdir -p node_modules/a && echo {} > node_modules/.package-lock.json";
    const { code, out, err } = await start(await checkout("good", ready));
    expect([code, out]).toEqual([0, "the entry ran\n"]);
    expect(err).toMatch(/^Installing 2 packages into .*node_modules \(once\) \.\.\.\n$/);
  });

  test.each([
    ["no network", "npm error code ENOTFOUND\nnpm error network request failed", "cannot be reached"],
    ["a full disk", "npm error ENOSPC: no space left on device, write", "the disk is full"],
    ["no right to write", "npm error code EACCES\nnpm error syscall mkdir", "may not write there"],
    ["a damaged download", "npm error code EINTEGRITY", "npm cache verify"],
  ])("with %s says in one sentence what to do, and exits with 1", async (what, npmSays, remedy) => {
    const { code, out, err } = await start(
      await checkout(what.replaceAll(" ", "-"), `printf '%s\n' '${npmSays}' >&2; exit 1`),
    );
    expect([code, out]).toEqual([1, ""]);
    const [, sentence, ...rest] = err.trim().split("\n");
    expect(rest).toEqual([]);
    expect(sentence).toContain(remedy);
    expect(sentence).toContain("run the same command again");
  });

  test("with an old Node.js says so in one sentence", async () => {
    const { cwd, path } = await checkout("old-node", "exit 0");
    const old = 'Object.defineProperty(process.versions, "node", { value: "18.20.8" });';
    const pretending = ["--import", `data:text/javascript,${encodeURIComponent(old)}`];
    const { code, out, err } = await run(
      process.execPath,
      [...pretending, "src/run.mjs", "--setup", "src/entry.mjs"],
      { cwd, variables: { PATH: path } },
    );
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /^To install .* Node\.js 20\.19 or newer; this is 18\.20\.8\. Install a newer one .*\n$/,
    );
  });

  test("without npm says where to get it", async () => {
    const { code, err } = await start(await checkout("no-npm", null));
    expect(code).toBe(1);
    expect(err).toContain("npm is missing; it comes with Node.js");
  });

  test("for any other reason shows npm's message", async () => {
    const { code, err } = await start(await checkout("other", "echo 'npm error something new' >&2; exit 1"));
    expect(code).toBe(1);
    expect(err).toContain("npm error something new");
    expect(err).toContain("npm's reason is above");
  });
});

describe("looking for browsers", () => {
  test.each([
    ["CHROMIUM_PATH", "/nowhere/chromium", /^CHROMIUM_PATH names .*: there is no such file\. Set it/],
    [
      "CHROMIUM_PATH",
      "/bin/true",
      /^CHROMIUM_PATH names .*does not start: .+ Set it to the program of a Chromium/,
    ],
    [
      "FIREFOX_PATH",
      "/nowhere/firefox",
      /^FIREFOX_PATH names .*there is no such file\. Set it to the program of a Firefox/,
    ],
    [
      "WEBKIT_DRIVER_PATH",
      "/bin/true",
      /^WEBKIT_DRIVER_PATH names .*does not start: .+ Set it to the driver of WebKitGTK/,
    ],
  ])("refuses %s %s in one sentence", async (name, value, words) => {
    const { code, err } = await run(process.execPath, ["test/gate/main.ts", "test/browser/home.test.ts"], {
      variables: { [name]: value, HOME: folder },
    });
    expect(code).toBe(1);
    expect(err).toMatch(words);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  test("finds Chromium and Firefox where people have them, and the newest in Playwright's and Puppeteer's caches", async () => {
    const home = join(folder, "home");
    const cached = [
      ".cache/ms-playwright/chromium-1100/chrome-linux",
      ".cache/ms-playwright/chromium-900/chrome-linux",
    ];
    for (const place of cached) {
      await mkdir(join(home, place), { recursive: true });
      await writeFile(join(home, place, "chrome"), "");
    }
    await mkdir(join(home, ".cache/puppeteer/firefox/linux-1/firefox"), { recursive: true });
    await writeFile(join(home, ".cache/puppeteer/firefox/linux-1/firefox/firefox"), "");
    const on = (platform: NodeJS.Platform, variables: NodeJS.ProcessEnv = {}) => ({
      platform,
      home,
      variables,
    });
    expect(usualChromiums(on("linux")).slice(-2)).toEqual(cached.map((place) => join(home, place, "chrome")));
    expect(usualChromiums(on("linux"))).toContain("/usr/bin/google-chrome");
    expect(usualChromiums(on("darwin"))).toContain(
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    );
    expect(usualChromiums(on("win32", { PROGRAMFILES: "P" }))).toEqual([
      join("P", "Google", "Chrome", "Application", "chrome.exe"),
    ]);
    expect(usualFirefoxes(on("linux"))).toContain(
      join(home, ".cache/puppeteer/firefox/linux-1/firefox/firefox"),
    );
    expect(usualFirefoxes(on("darwin"))[0]).toBe("/Applications/Firefox.app/Contents/MacOS/firefox");
  });
});

describe("npm start", () => {
  const variables = (port: number) => ({
    PUBLIC_URL: "https://tool.example",
    PORT: String(port),
    SECRET_KEY: "a-secret-key-of-at-least-thirty-two-bytes",
    DATABASE_URL: `file:${join(folder, `database-${port}`)}`,
    CLASSROOM_BASE_URL: "https://api.example",
    CLASSROOM_APP_URL: "https://app.example",
    CLASSROOM_API_KEY: "api-key-of-production",
    CLASSROOM_WEBHOOK_SECRET: "production-secret-now",
    ADMIN_PASSWORD: "a password for this test only",
  });

  /** Starts the tool in a new process group, and waits until it is ready. */
  async function started(port: number) {
    const child = spawn("npm", ["start"], {
      cwd: root,
      detached: true,
      env: { ...ofEveryProcess(), HOME: folder, ...variables(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.stdout.resume();
    const status = () => fetch(`http://127.0.0.1:${port}/readyz`).then((answer) => answer.status);
    await expect.poll(() => status().catch(() => child.exitCode), { timeout: 60_000 }).toBe(200);
    return { child, pid: child.pid ?? 0, err: () => err };
  }

  /** Whether any process of a group is left. */
  const isLeft = (group: number): boolean => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };

  // A signal to the whole group: test/walls/stopping.test.ts.
  test("says in one readable line, before its log, where it listens and what to do next; exits cleanly on SIGTERM, leaving no process", async () => {
    const port = await freePort();
    const { child, pid, err } = await started(port);
    const ended = once(child, "exit");
    process.kill(pid, "SIGTERM");
    expect(await ended).toEqual([0, null]);
    await expect.poll(() => isLeft(pid)).toBe(false);
    expect(err()).toMatch(
      new RegExp(
        `^.*port ${port} for https://tool\\.example; console: https://tool\\.example/admin\\. Next: .*npm run doctor.*\n$`,
      ),
    );
  });
});

describe("a stand-in", () => {
  const programs = {
    classroom: "sandbox/stand-in-classroom/main.ts",
    lms: "sandbox/stand-in-lms/main.ts",
    demo: "sandbox/demo.ts",
  };
  const standIn = (name: keyof typeof programs, ...args: string[]) =>
    run(process.execPath, [programs[name], ...args]);

  test.each(["classroom", "lms", "demo"] as const)("%s answers --help with its options", async (name) => {
    const { code, out, err } = await standIn(name, "--help");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^npm run .* -- \[options\]\n\n {2}--/);
  });

  test.each([
    ["classroom", ["--nonsense"], /'--nonsense'/],
    [
      "classroom",
      ["--port", "many", "--spelling", "z"],
      /--port must be a port number.*\n--spelling must be one of: a, b/,
    ],
    ["classroom", ["--turned", "nonsense"], /--turned .*"nonsense"/],
    ["lms", ["--manners", "blackboard"], /--manners must be one of: moodle, canvas, other/],
    ["demo", ["now"], /'now'/],
  ] as const)("%s refuses %s with an explanation", async (name, args, words) => {
    const { code, out, err } = await standIn(name, ...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(words);
    expect(err).toMatch(/To see all options: npm run .* --help\n$/);
    expect(err).not.toMatch(/^ {4}at /m);
  });

  test.each(["classroom", "lms"] as const)("%s says that its port is in use", async (name) => {
    const server = createServer();
    const port = await listen(server);
    try {
      const { code, err } = await standIn(name, "--port", String(port));
      expect(code).toBe(2);
      expect(err).toBe(`Port ${port} is in use. Stop what listens there, or give --port another one.\n`);
    } finally {
      server.close();
    }
  });
});
