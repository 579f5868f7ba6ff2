/**
 * Starts a TypeScript entry under a Node.js that can run it. Plain JavaScript, so that an old Node can still
 * read this file and say what is missing in one line (a .ts entry would only raise ERR_UNKNOWN_FILE_EXTENSION).
 *
 *   node src/run.mjs [--setup] <entry> [arguments]
 *   node src/run.mjs --packages <folder>
 *
 * --setup installs the packages of package-lock.json first when they are missing or out of date.
 * --packages only installs those of another folder's lock file.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** How often (ms) the progress of an installation is looked at; without a terminal a line is printed every tenth time. */
const progressMs = 1_000;

/** What npm prints when it fails, and what the person can do. The first that fits is said. */
const remedies = [
  [/ENOSPC|no space left/i, "the disk is full. Free about 500 MB"],
  [
    /EACCES|EPERM|EROFS|read-only file system/,
    "this user may not write there. Use a folder of your own, or change its owner",
  ],
  [/EINTEGRITY/, "a download was damaged on the way. Run: npm cache verify"],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|network/i,
    "the package registry cannot be reached. Connect to the network, or set npm's proxy (npm config set proxy ...)",
  ],
];

const outOfDate = (folder) => {
  const installed = join(folder, "node_modules", ".package-lock.json");
  const lock = join(folder, "package-lock.json");
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs;
};

/** The packages of a lock file that belong on this machine, by their folders. */
function packagesOf(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const libc = process.report.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc";
  const fits = (listed, own) => listed === undefined || listed.includes(own);
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .filter(
      ([, one]) => fits(one.os, process.platform) && fits(one.cpu, process.arch) && fits(one.libc, libc),
    )
    .map(([path]) => join(folder, path, "package.json"));
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** An older npm leaves out packages with compiled parts, without a word. */
function refuseOldNode() {
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `To install its packages spaces-lti needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a newer one and run the same command again.`,
  );
  process.exit(2);
}

/** Runs npm ci in a folder and shows how far it is. Ends this process with a sentence when it fails. */
async function install(folder) {
  refuseOldNode();
  const wanted = packagesOf(folder);
  console.error(`Installing ${wanted.length} packages into ${join(folder, "node_modules")} (once) ...`);
  const child = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (printed += text));
  let looks = 0;
  const progress = setInterval(() => {
    looks += 1;
    const line = `  ${wanted.filter((path) => existsSync(path)).length} of ${wanted.length} packages`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}`);
    else if (looks % 10 === 0) console.error(line);
  }, progressMs);
  const status = await new Promise((ended) => {
    child.once("error", (error) => {
      printed += error.code === "ENOENT" ? "npm is missing; it comes with Node.js" : error.message;
      ended(1);
    });
    child.once("close", ended);
  });
  clearInterval(progress);
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  if (status === 0) return;
  const [, remedy] = remedies.find(([pattern]) => pattern.test(printed)) ?? [];
  console.error(
    remedy === undefined
      ? `${printed.trim()}\nThe packages could not be installed; npm's reason is above. Fix it and run the same command again.`
      : `The packages could not be installed: ${remedy}, then run the same command again.`,
  );
  process.exit(1);
}

/** Node.js that can run the tool: 22.23 and 24.15 are the first with SQLite 3.51.3; see storage/embedded/sqlite-file.ts. */
function suitableNode() {
  const pinned = join(
    root,
    "node_modules",
    "node",
    "bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  if (existsSync(pinned)) return pinned;
  if (major > 24 || (major === 24 && minor >= 15) || (major === 22 && minor >= 23)) return process.execPath;
  console.error(
    `spaces-lti needs Node.js 24.15 or newer, or 22.23 or newer of 22; this is ${process.versions.node}. ` +
      "Install it, or run npm ci once: the development packages carry Node 24.",
  );
  process.exit(2);
}

/** Becomes the entry's process where Node can do that, so that signals and the exit status need nobody in between. */
function start(node, args) {
  const bin = join(root, "node_modules", ".bin");
  const env = {
    ...process.env,
    PATH: [dirname(node), bin, process.env.PATH ?? ""].join(delimiter),
    // Compiled code is kept with the packages, so that the next start takes half the time; where nobody may write, it is
    // just not kept. Not in the machine's temporary folder: there another user could lay code for us to run.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "node"),
  };
  if (typeof process.execve === "function" && process.platform !== "win32") {
    process.execve(node, [node, ...args], env);
  }
  const child = spawn(node, args, { stdio: "inherit", env });
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
}

const [first, ...others] = process.argv.slice(2);
if (first === "--packages") {
  const folder = resolve(others[0] ?? ".");
  if (outOfDate(folder)) await install(folder);
} else {
  if (first === "--setup" && outOfDate(root)) await install(root);
  start(suitableNode(), first === "--setup" ? others : process.argv.slice(2));
}
