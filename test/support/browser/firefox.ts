import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { browsersOfRun, browserVariables } from "./browsers.ts";
import type { Driven } from "./driven.ts";

/** How a Firefox stores cookies of a site inside another site's frame. */
export type FirefoxCookies =
  /** The default: a separate jar for each site that frames it. */
  | "default"
  /** Only partitioned ones, in a jar for each site that frames it. */
  | "partitioned"
  /** All of them, whichever site frames it. */
  | "all"
  /** None: the person blocks cookies of other sites. */
  | "blocked";

/** Where the only font of tests is: Firefox's content processes read no other folder of ours. */
const fontsFolder = fileURLToPath(new URL("../../../node_modules/dejavu-fonts-ttf/", import.meta.url));

/** The preference network.cookie.cookieBehavior. */
const behaviours = { default: 5, partitioned: 5, all: 0, blocked: 1 } as const;

const answer = z.object({
  id: z.number().optional(),
  type: z.string(),
  message: z.string().optional(),
  result: z.unknown().optional(),
});
const place = z.object({
  context: z.string(),
  url: z.string(),
  get children() {
    return z.array(place).nullish();
  },
});
const session = z.object({ capabilities: z.object({ browserVersion: z.string() }) });
const tree = z.object({ contexts: z.array(place) });
const said = z.object({ type: z.literal("success"), result: z.object({ value: z.string() }) });

/** Starts Firefox with a new profile, driven by WebDriver BiDi. Accepts self-signed certificates. @throws when there is no Firefox. */
export async function startFirefox(cookies: FirefoxCookies): Promise<Driven> {
  const { firefox: program } = await browsersOfRun();
  if (program === null) throw new Error("There is no Firefox on this machine.");
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-firefox-"));
  await writeFile(
    join(folder, "user.js"),
    `user_pref("network.cookie.cookieBehavior", ${String(behaviours[cookies])});\nuser_pref("network.cookie.cookieBehavior.optInPartitioning", ${String(cookies === "partitioned")});\nuser_pref("security.sandbox.content.read_path_whitelist", "${fontsFolder}");\nuser_pref("app.update.disabledForTesting", true);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n`,
  );
  const child = spawn(
    program,
    ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
    { env: browserVariables(), stdio: ["ignore", "ignore", "pipe"] },
  );
  const socket = new WebSocket(`${await listening(child)}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let asked = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, type, message, result } = answer.parse(JSON.parse(String(data)));
    if (id === undefined) return;
    const one = waiting.get(id);
    waiting.delete(id);
    if (type === "success") one?.resolve(result);
    else one?.reject(new Error(message));
  });
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      socket.send(JSON.stringify({ id: asked, method, params }));
    });
  const begun = session.parse(
    await ask("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } }),
  );
  const places = async (root?: string) =>
    tree.parse(await ask("browsingContext.getTree", root === undefined ? {} : { root })).contexts;
  /** As if the person had just pressed something. */
  const textIn = async (context: string, expression: string): Promise<string> =>
    said.parse(
      await ask("script.evaluate", {
        expression: `String(${expression})`,
        target: { context },
        awaitPromise: false,
        userActivation: true,
      }),
    ).result.value;
  const tabs = async () => (await places()).map(({ context }) => context);
  return {
    version: begun.capabilities.browserVersion,
    picture: async () => {
      const taken = await ask("browsingContext.captureScreenshot", { context: (await tabs()).at(-1) });
      return Buffer.from(z.object({ data: z.string() }).parse(taken).data, "base64");
    },
    logIn: async (site, cookie) => {
      const [name = "", ...value] = cookie.split("=");
      await ask("storage.setCookie", {
        cookie: {
          name,
          value: { type: "string", value: value.join("=") },
          domain: new URL(site).hostname,
          path: "/",
          secure: true,
          sameSite: "none",
        },
      });
    },
    openTab: async (url) => {
      const { context } = z
        .object({ context: z.string() })
        .parse(await ask("browsingContext.create", { type: "tab" }));
      await ask("browsingContext.navigate", { context, url, wait: "complete" });
      return context;
    },
    tabs,
    frameOf: async (tab, site) => {
      const [top] = await places(tab);
      return top?.children?.find(({ url }) => url.startsWith(site))?.context ?? null;
    },
    textIn,
    press: async (context, element) => {
      await textIn(context, `${element}.click()`);
    },
    close: async () => {
      await ask("browser.close", {});
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The address where it listens, which it prints once it does. */
async function listening({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("Firefox says nothing");
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /WebDriver BiDi listening on (\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error("Firefox ended before it listened");
}
