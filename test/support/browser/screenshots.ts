import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

/**
 * `npm run screenshots [-- folder]`: every page in every state that the browser tests bring about, at 600 and 360 px,
 * light and dark, as pictures to look at. What the tests find wrong is printed as in a test run.
 */
const folder = resolve(process.argv[2] ?? "screenshots");
mkdirSync(folder, { recursive: true });
const ran = spawnSync("vitest", ["run", "test/browser"], {
  stdio: "inherit",
  env: { ...process.env, SCREENSHOTS: folder },
});
console.log(`\n${readdirSync(folder).length} pictures are in ${folder}`);
process.exit(ran.status ?? 1);
