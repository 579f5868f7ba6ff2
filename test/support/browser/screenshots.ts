import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { readOptions } from "../../../sandbox/command-line.ts";

/**
 * `npm run screenshots [-- --folder FOLDER] [name ...]`: every page in every state that the browser tests produce, at 600 and 360 px, light
 * and dark, as pictures to look at. A name ("home", "console-overview") is the beginning of a test file's name: only those are run.
 * Problems that the tests find are printed as in a test run.
 */
const { folder: wanted, names } = readOptions(
  "npm run screenshots --",
  z.object({
    folder: z.string().default("screenshots").describe("where the pictures go"),
    names: z
      .array(z.string())
      .default([])
      .describe("beginnings of test files, such as home; all of them without"),
  }),
);
const folder = resolve(wanted);
mkdirSync(folder, { recursive: true });
const files = names.length === 0 ? ["test/browser"] : names.map((name) => `test/browser/${name}`);
// One file after another, and with long timeouts: taking pictures does not test how fast this machine is today.
const patience = ["--maxWorkers=1", "--testTimeout=600000", "--hookTimeout=600000"];
const ran = spawnSync("vitest", ["run", ...patience, ...files], {
  stdio: "inherit",
  env: { ...process.env, SCREENSHOTS: folder },
});
console.log(`\n${readdirSync(folder).length} pictures are in ${folder}`);
process.exit(ran.status ?? 1);
