/**
 * Starts a TypeScript entry under a Node.js that can run it. Plain JavaScript, so that an old Node can still
 * read this file and say what is missing in one line (a .ts entry would only raise ERR_UNKNOWN_FILE_EXTENSION).
 *
 *   node src/run.mjs [--setup] <entry> [arguments]
 *
 * --setup installs the packages of package-lock.json first when they are missing or out of date.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const setup = args[0] === "--setup";
if (setup) args.shift();

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// 22.23 and 24.15 are the first with SQLite 3.51.3; see storage/embedded/sqlite-file.ts.
const newEnough = major > 24 || (major === 24 && minor >= 15) || (major === 22 && minor >= 23);
const pinnedNode = join(root, "node_modules", "node", "bin", "node");

const installed = join(root, "node_modules", ".package-lock.json");
const lock = join(root, "package-lock.json");
if (setup && (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs)) {
  console.error("Installing the packages of package-lock.json (once) ...");
  const ran = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (ran.status !== 0) {
    console.error("npm ci failed; see the lines above. Mend that and run the same command again.");
    process.exit(1);
  }
}

const node = existsSync(pinnedNode) ? pinnedNode : process.execPath;
if (node === process.execPath && !newEnough) {
  console.error(
    `spaces-lti needs Node.js 24.15 or newer, or 22.23 or newer of 22; this is ${process.versions.node}. ` +
      "Install it, or run npm ci once: the development packages carry Node 24.",
  );
  process.exit(2);
}

const path = `${join(root, "node_modules", "node", "bin")}:${join(root, "node_modules", ".bin")}:${process.env.PATH ?? ""}`;
// Compiled code is kept with the packages, so that the next start takes half the time; where nobody may write, it is
// just not kept. Not in the machine's temporary folder: there another user could lay code for us to run.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "node");
const child = spawn(node, args, {
  stdio: "inherit",
  env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
});
// The terminal sends SIGINT to both; a container sends SIGTERM only to this one, and a supervisor to the whole group: then the
// entry hears it twice, which src/main.ts expects.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("exit", (code, signal) => {
  process.exit(signal === null ? (code ?? 1) : 128 + (signal === "SIGKILL" ? 9 : 15));
});
