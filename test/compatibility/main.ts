/**
 * Walks through courses in three browser engines, with three kinds of cookies, with the behaviour of five LMSs, in four roles, and writes
 * docs/compatibility.md: npm run compatibility. Exits with 1 when a walk fails. `-- --planted` plants faults that walks must notice.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { format } from "oxfmt";
import { createVitest, type TestCase } from "vitest/node";
import { z } from "zod";
import { readOptions } from "../../sandbox/command-line.ts";
import { readMutants } from "../mutants/mutant.ts";
import { browsersOfRun } from "../support/browser/browsers.ts";
import { type Cell, chosenCells, type Engine, engines } from "./cells.ts";
import { inSection, pageOfPlanted, pageOfWalks, type Walked } from "./page.ts";

const root = join(import.meta.dirname, "../..");
const page = join(root, "docs/compatibility.md");
const options = readOptions(
  "npm run compatibility --",
  z.object({
    only: z
      .string()
      .prefault("")
      .describe("parts of names, such as webkit/canvas,learner; else all are walked"),
    out: z.string().prefault("").describe("where the page goes; docs/compatibility.md when all are walked"),
    list: z.boolean().default(false).describe("names the walks"),
    planted: z.boolean().default(false).describe("plants faults, each of which a walk must notice"),
  }),
);
/** A walk with a fault may wait for something that never happens. */
const patience = { walkMs: 150_000, pollMs: 20_000 };

/** What a failed test reports, on one line. */
const sentence = (text: string) =>
  text
    .replaceAll(/\u001b\[\d+m/g, "")
    .split(/\s+/)
    .join(" ")
    .slice(0, 240);

const whyOf = (test: TestCase) => sentence(test.result().errors?.[0]?.message ?? "no reason given");

function walkedOf(cell: Cell, test: TestCase | undefined): Walked {
  if (test === undefined) return { cell, found: null, failed: null };
  const result = test.result();
  const { found = null, picture = null } = test.meta();
  if (result.state === "passed") return { cell, found, failed: null, isSecondTry: test.diagnostic()?.flaky };
  return { cell, found: null, failed: { expected: whyOf(test), picture } };
}

/** Walks, all engines at the same time. @param pictures The folder for pictures of failures. */
async function walkAll(cells: readonly Cell[], pictures: string): Promise<Walked[]> {
  const { firefox, webkit, whole } = await browsersOfRun();
  const programs: Record<Engine, string | null> = { chromium: whole, firefox, webkit };
  const there = engines.filter(
    (engine) => programs[engine] !== null && cells.some((cell) => cell.engine === engine),
  );
  for (const engine of engines)
    if (programs[engine] === null) console.error(`${engine} is not on this machine: it is not driven.`);
  const names = cells.map(({ name }) => name).join(" ");
  const projects = there.map((engine) => ({
    test: {
      name: engine,
      include: ["test/compatibility/drive.ts"],
      env: { COMPATIBILITY_ENGINE: engine, COMPATIBILITY_CELLS: names, COMPATIBILITY_PICTURES: pictures },
      testTimeout: patience.walkMs,
      hookTimeout: patience.walkMs,
      // A slow machine must not write a wrong page; walks selected by name report what they see.
      retry: options.only === "" ? 1 : 0,
      expect: { poll: { timeout: patience.pollMs, interval: 50 } },
    },
  }));
  const tests = new Map<string, TestCase>();
  const report = {
    onTestCaseResult: (test: TestCase) => {
      tests.set(test.name, test);
      const { state } = test.result();
      const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
      const isGreen = state === "passed";
      console.log(
        `${isGreen ? "green" : "RED  "} ${test.name.padEnd(44)} ${seconds} s ${isGreen ? "" : whyOf(test)}`,
      );
    },
  };
  const vitest = await createVitest(
    { root, config: false, watch: false, maxWorkers: 3, reporters: [report] },
    { test: { projects } },
  );
  await vitest.start();
  await vitest.close();
  return cells.map((cell) => walkedOf(cell, tests.get(cell.name)));
}

/** Writes the page with a part of it replaced, in the project's format. */
async function write(out: string, section: "walks" | "planted", text: string): Promise<void> {
  const written = inSection(readFileSync(page, "utf8"), section, text);
  const { code } = await format(page, written);
  writeFileSync(out, code);
}

const today = () => new Date().toISOString().slice(0, 10);

/** Plants the faults of mutants.yaml that walks notice, and writes which were noticed. @returns whether each turned its walk red. */
async function plantsAndWrites(): Promise<boolean> {
  const planted = readMutants().flatMap((one) => ("walk" in one ? [one] : []));
  const program = join(root, "test/mutants/main.ts");
  const { stdout } = spawnSync(process.execPath, [program, ...planted.map(({ name }) => name)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  console.log(stdout);
  const red = planted.filter(({ name }) => new RegExp(`^caught +${name} `, "m").test(stdout));
  await write(page, "planted", pageOfPlanted(planted, red, today()));
  return red.length === planted.length;
}

function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

/** @returns whether every walk is green. */
async function walksAndWrites(): Promise<boolean> {
  const cells = chosenCells(options.only.split(",").filter((text) => text !== ""));
  if (options.list) {
    for (const { name } of cells) console.log(name);
    return true;
  }
  const out = options.out === "" && options.only === "" ? page : options.out;
  const pictures =
    out === "" ? mkdtempSync(join(tmpdir(), "spaces-lti-red-")) : emptied(out.replace(/\.md$/, ""));
  const begun = performance.now();
  const walked = await walkAll(cells, pictures);
  const red = walked.filter(({ found }) => found === null);
  if (red.every(({ failed }) => failed?.picture === null)) rmSync(pictures, { recursive: true });
  const run = {
    day: today(),
    minutes: Math.ceil((performance.now() - begun) / 60_000),
    cores: availableParallelism(),
    pictures: basename(pictures),
  };
  if (out !== "") await write(out, "walks", pageOfWalks(walked, run));
  const more = red.some(({ failed }) => failed !== null) ? `; pictures of red ones: ${pictures}` : "";
  console.log(`${walked.length - red.length} of ${walked.length} walks are green${more}`);
  return red.length === 0;
}

const holds = options.planted ? await plantsAndWrites() : await walksAndWrites();
process.exit(holds ? 0 : 1);
