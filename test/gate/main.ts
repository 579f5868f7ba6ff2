import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  allNeeds,
  type Browsers,
  BrowserProblem,
  filesNotRun,
  findBrowsers,
  needs,
  unmetNeeds,
} from "../support/browser/browsers.ts";
import { hasFailed, judge, type RunCounts } from "./judge.ts";
import { busySeconds } from "./cpu-seconds.ts";
import { clearAway, makeFolder } from "./run-folder.ts";

/**
 * The gate: everything that must hold at a commit. The last line is "N passed, N failed". With arguments (`npm test -- test/rules`) only
 * Vitest runs, with these arguments.
 */

const reporter = fileURLToPath(new URL("report-counts.ts", import.meta.url));
/** More failed files than this are no accident; running them again would only take time. */
const maxFilesAgain = 8;

type Command = readonly [string, ...string[]];
/** One after another, beside the tests; the quick ones first, so that their findings are printed early. */
const checks: readonly (readonly [name: string, command: Command])[] = [
  ["format", ["oxfmt", "--check"]],
  ["views", ["node", "test/views/check-views.ts"]],
  ["ceilings", ["node", "test/gate/count-house.ts", "--ceilings"]],
  ["arrows", ["depcruise", "src", "sandbox", "test", "--config", ".dependency-cruiser.cjs"]],
  ["unused code", ["knip", "--no-progress"]],
  ["types and lint", ["oxlint"]],
  ["patterns", ["node", "test/gate/check-patterns.ts"]],
];
/** Tests have priority: some of them depend on the clock. */
const niceness = 10;

const runCounts = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      passed: z.number(),
      failed: z.number(),
      skipped: z.number(),
      errors: z.number(),
      notRun: z.array(z.enum(allNeeds)),
    }),
  ),
  unhandled: z.array(z.string()),
});

/** Runs a command to its end. @returns its exit status, and its output unless that went to the terminal. */
async function run(
  [program, ...args]: Command,
  options: { quiet: boolean; variables?: Record<string, string>; niceness?: number },
): Promise<{ status: number; printed: string }> {
  const child = spawn(program, args, {
    stdio: options.quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...options.variables },
  });
  if (child.pid !== undefined && options.niceness !== undefined) setPriority(child.pid, options.niceness);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.once("error", (error) => (printed += error.message));
  await once(child, "close").catch(() => undefined);
  return { status: child.exitCode ?? 1, printed };
}

async function runChecks(): Promise<{ name: string; holds: boolean }[]> {
  const outcomes: { name: string; holds: boolean }[] = [];
  for (const [name, command] of checks) {
    const { status, printed } = await run(command, { quiet: true, niceness });
    console.log(`${name}: ${status === 0 ? "holds" : `FAILED\n${printed}`}`);
    outcomes.push({ name, holds: status === 0 });
  }
  return outcomes;
}

/** Runs Vitest. @returns the outcome of each file; null when it ended without a report. */
async function runTests(
  { folder, program, emptyDatabase }: Awaited<ReturnType<typeof prepare>>,
  name: string,
  args: readonly string[],
): Promise<RunCounts | null> {
  const path = join(folder, name);
  await run(["vitest", "run", "--reporter=default", `--reporter=${reporter}`, ...args], {
    quiet: false,
    variables: {
      GATE_COUNTS: path,
      TMPDIR: folder,
      TOOL_PROGRAM: program,
      EMPTY_DATABASE: emptyDatabase,
      // The compiled code of a program that is deleted after this run is useless to the next run.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  return existsSync(path) ? runCounts.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
}

/** Whether nothing may be left out. */
const isCi = (process.env["CI"] ?? "") !== "";

/** Finds this machine's browsers, reports which of them the tests use, and passes them on. */
async function prepareBrowsers(bring: boolean): Promise<Browsers> {
  const browsers = await findBrowsers({ bring });
  process.env["TEST_BROWSERS"] = JSON.stringify(browsers);
  if (!bring) return browsers;
  for (const note of browsers.notes) console.log(note);
  const { pages, whole, firefox, webkit } = browsers;
  const used = [...new Set([pages?.path, whole, firefox, webkit])].filter((path) => typeof path === "string");
  console.log(`browsers: ${used.length === 0 ? "none" : used.join(", ")}`);
  return browsers;
}

/** How many test files the report names. */
const maxDearest = 12;

/**
 * The time of the run so far, the share of each level of the tests without the browsers' pages, and the files that took most. @param path
 * Of note-cpu.ts's lines
 */
function cost(started: { at: number; busySeconds: number }, path: string): string {
  const seconds = (Date.now() - started.at) / 1000;
  const cores = availableParallelism();
  const busy = busySeconds() - started.busySeconds;
  const share = `${((100 * busy) / seconds / cores).toFixed(0)} % of ${String(cores)} cores`;
  const took = `took ${(seconds / 60).toFixed(1)} minutes, in which this machine was busy for ${busy.toFixed(0)} CPU seconds, ${share}`;
  if (!existsSync(path)) return took;
  const noted = readFileSync(path, "utf8").trim().split("\n");
  const files = noted.map((line) => line.split(" ")).map(([cpu, file = ""]) => ({ cpu: Number(cpu), file }));
  const byLevel = Map.groupBy(files, ({ file }) => file.split("/")[0]);
  const levels = [...byLevel].map(([file = "", of]) => ({
    file,
    cpu: of.reduce((sum, { cpu }) => sum + cpu, 0),
  }));
  const dearest = (some: typeof files) =>
    some
      .toSorted((one, other) => other.cpu - one.cpu)
      .slice(0, maxDearest)
      .map(({ file, cpu }) => `${file} ${cpu.toFixed(0)}`)
      .join(", ");
  return `${took}\nCPU seconds by level, browsers’ pages aside: ${dearest(levels)}\nby file: ${dearest(files)}`;
}

/** What all tests share: the tool as one file, and an empty database. Only the whole gate loads the code that creates them. */
async function prepare(folder: string) {
  const { bundleTool } = await import("./bundle-tool.ts");
  const { makeEmptyDatabase } = await import("../support/builders/open-empty-stores.ts");
  const emptyDatabase = join(folder, "empty");
  await makeEmptyDatabase(emptyDatabase);
  return { folder, program: await bundleTool(folder), emptyDatabase };
}

async function runGate(browsers: Browsers): Promise<boolean> {
  const started = { at: Date.now(), busySeconds: busySeconds() };
  const folder = makeFolder("gate");
  try {
    const place = await prepare(folder);
    const [outcomes, tests] = await Promise.all([runChecks(), runTests(place, "all.json", [])]);
    const again = new Map<string, RunCounts | null>();
    const failed = (tests?.files ?? []).filter(hasFailed);
    for (const { file } of failed.length > maxFilesAgain ? [] : failed) {
      const [project = "", path = ""] = file.split(" ");
      console.log(`\nonce more, alone: ${file}`);
      again.set(
        file,
        await runTests(place, `again-${String(again.size)}.json`, ["--project", project, path]),
      );
    }
    const verdict = judge({ checks: outcomes, tests, again, filesNotRun: filesNotRun(browsers), isCi });
    console.log("");
    for (const remark of verdict.remarks) console.log(remark);
    console.log(cost(started, join(folder, "all.json.cpu")));
    console.log(`${String(verdict.passed)} passed, ${String(verdict.failed)} failed`);
    return verdict.failed === 0;
  } finally {
    clearAway(folder);
  }
}

async function main(asked: readonly string[]): Promise<boolean> {
  const browsers = await prepareBrowsers(
    asked.length === 0 || asked.some((one) => one.includes("test/browser")),
  );
  if (asked.length > 0) return (await run(["vitest", "run", ...asked], { quiet: false })).status === 0;
  const [missing] = isCi ? unmetNeeds(browsers) : [];
  if (missing === undefined) return runGate(browsers);
  console.log(`failed: in CI every test runs, and some cannot: ${needs[missing]}`);
  console.log("0 passed, 1 failed");
  return false;
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (thrown) {
  if (!(thrown instanceof BrowserProblem)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}
