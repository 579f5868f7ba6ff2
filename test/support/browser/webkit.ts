import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { browsersOfRun, browserVariables } from "./browsers.ts";
import type { Driven } from "./driven.ts";
import { startWebkitDriver } from "./webkit-driver.ts";

/** What WebKit does with cookies of a site inside another site's frame, as tried with release 2.50 of WebKitGTK. */
export type WebkitCookies =
  /** It stores all; partitioned ones like any other. */
  | "all"
  /** It stores none that are set there, but sends those that the site has set in a tab. Then it stores new ones, too. */
  | "ofTabs"
  /** It neither stores nor sends any, plain or partitioned: Safari's tracking prevention before release 26.2. */
  | "none";

const options = {
  all: "--cookies-policy=always",
  ofTabs: "--cookies-policy=no-third-party",
  none: "--enable-itp",
} as const;

export type Webkit = Driven & {
  /** Where files are saved. */
  folder: string;
};

const session = z.object({ sessionId: z.string(), capabilities: z.object({ browserVersion: z.string() }) });
const names = z.array(z.string());

/** Starts this machine's WebKitGTK with a new profile. Self-signed certificates are accepted. @throws when there is no WebKitGTK. */
export async function startWebkit(cookies: WebkitCookies): Promise<Webkit> {
  const { webkit: program } = await browsersOfRun();
  if (program === null) throw new Error("There is no driver of WebKitGTK on this machine.");
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-webkit-"));
  const driver = await startWebkitDriver(program, { ...browserVariables(), HOME: folder });
  const { sessionId, capabilities } = session.parse(
    await driver.ask("POST", "/session", {
      capabilities: {
        alwaysMatch: {
          acceptInsecureCerts: true,
          "webkitgtk:browserOptions": { args: ["--automation", options[cookies]] },
        },
      },
    }),
  );
  const ask = (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
    driver.ask(method, `/session/${sessionId}${path}`, body);
  /** In the foreground: only there can a page open a tab. */
  const first = z.string().parse(await ask("GET", "/window"));
  /** A place is a tab's handle, then the number of each frame on the way down. */
  const turnTo = async (place: string): Promise<void> => {
    const [handle = "", ...frames] = place.split("/");
    await ask("POST", "/window", { handle });
    await ask("POST", "/frame", { id: null });
    for (const id of frames) await ask("POST", "/frame", { id: Number(id) });
  };
  const run = async (place: string, script: string): Promise<unknown> => {
    await turnTo(place);
    return ask("POST", "/execute/sync", { script, args: [] });
  };
  const textIn = async (place: string, expression: string): Promise<string> =>
    z.string().parse(await run(place, `return String(${expression})`));
  const show = async (handle: string, url: string): Promise<string> => {
    await turnTo(handle);
    await ask("POST", "/url", { url });
    return handle;
  };
  const tabs = async () => names.parse(await ask("GET", "/window/handles"));
  return {
    folder,
    version: capabilities.browserVersion,
    picture: async () => {
      await turnTo((await tabs()).at(-1) ?? first);
      return Buffer.from(z.string().parse(await ask("GET", "/screenshot")), "base64");
    },
    logIn: async (site, cookie) => {
      const [name = "", ...value] = cookie.split("=");
      // The driver sets cookies for the page that is open.
      await show(first, `${site}/style.css`);
      await ask("POST", "/cookie", {
        cookie: { name, value: value.join("="), path: "/", secure: true, sameSite: "None" },
      });
    },
    openTab: (address) => show(first, address),
    tabs,
    frameOf: async (place, site) => {
      const frames = Number(await textIn(place, "window.length"));
      for (let number = 0; number < frames; number += 1) {
        const frame = `${place}/${String(number)}`;
        if ((await textIn(frame, "location.href")).startsWith(site)) return frame;
      }
      return null;
    },
    textIn,
    press: async (place, element) => {
      // In a frame that is still growing, the element moves away from under the pointer.
      for (let pressed = ""; pressed !== "yes"; pressed = await textIn(place, "globalThis.pressed")) {
        const found = await run(
          place,
          `const one = ${element}; one.addEventListener("click", () => { globalThis.pressed = "yes"; }); return one;`,
        );
        const [id = ""] = Object.values(z.record(z.string(), z.string()).parse(found));
        await ask("POST", `/element/${id}/click`, {});
      }
    },
    close: async () => {
      await ask("DELETE", "");
      await driver.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
