import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run screenshots [-- --folder FOLDER] [name ...]`: every page in every state that the browser tests bring about, at 600 and 360 px,
 * light and dark, as pictures to look at. A name ("home", "console-overview") is a test file's beginning: only those are run.
 * What the tests find wrong is printed as in a test run.
 */
const { values, positionals: names } = parseArgs({
  options: { folder: { type: "string", default: "screenshots" } },
  allowPositionals: true,
});
const folder = resolve(values.folder);
mkdirSync(folder, { recursive: true });
const files = names.length === 0 ? ["test/browser"] : names.map((name) => `test/browser/${name}`);
const ran = spawnSync("vitest", ["run", ...files], {
  stdio: "inherit",
  env: { ...process.env, SCREENSHOTS: folder },
});
console.log(`\n${readdirSync(folder).length} pictures are in ${folder}`);
process.exit(ran.status ?? 1);
