/**
 * Plants known faults one by one in a copy of the project, and reports which tests notice: npm run mutants `-- NAME` or `-- --only NAME`
 * plants some (a name of `mutants.yaml`, or a module), `-- --list` names them, `-- --check` only checks that each can be planted. Exits
 * with 1 when a test near a fault does not notice it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { clearAway, makeFolder } from "../gate/run-folder.ts";
import { chosen, type Mutant, plant, readMutants } from "./mutant.ts";

const root = join(import.meta.dirname, "../..");
/** What a copy leaves out; the packages are linked. */
const left = new Set(["node_modules", ".git", ".env", "data"]);
/** A fault may make a test wait for something that never happens. */
const patience = { testMs: 60_000, pollMs: 15_000, fileMs: 300_000, playMs: 600_000 };
/** Each file once, and alone as the gate runs it; other projects are the stories in other configurations. */
const projects = ["one", "rules", "alone"];

type Failed = { file: string; tests: number };
type Outcome = { failed: Failed[]; broken: string[] };

/** What failed in a run; `broken` are files that could not even be loaded. */
function outcomeOf(modules: readonly TestModule[], unhandled: number): Outcome {
  const failed = modules.filter((one) => !one.ok());
  const of = (one: TestModule) => one.relativeModuleId;
  const outside =
    unhandled > 0 && failed.length === 0 ? [{ file: "outside of any test", tests: unhandled }] : [];
  return {
    failed: [
      ...failed.map((one) => ({ file: of(one), tests: [...one.children.allTests("failed")].length })),
      ...outside,
    ],
    broken: failed.filter(({ children }) => children.size === 0).map(of),
  };
}

/** Copies the project as it is in the working tree into a folder. */
function copyHouse(folder: string): string {
  const house = join(folder, "house");
  cpSync(root, house, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !left.has(relative(root, path).split("/")[0] ?? ""),
  });
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"));
  mkdirSync(join(folder, "tmp"));
  process.env["TMPDIR"] = join(folder, "tmp");
  process.chdir(house);
  return house;
}

async function open(house: string): Promise<Vitest> {
  const vitest = await createVitest({
    root: house,
    watch: false,
    project: projects,
    maxWorkers: 2,
    silent: true,
    reporters: [{}],
    testTimeout: patience.testMs,
    expect: { poll: { timeout: patience.pollMs } },
  });
  await vitest.standalone();
  return vitest;
}

/** Runs test files. @returns null when they do not finish: then this Vitest cannot be used any more. */
async function run(vitest: Vitest, files: readonly string[]): Promise<Outcome | null> {
  const specifications = await vitest.globTestSpecifications([...files]);
  const without = files.filter(
    (file) => !specifications.some(({ moduleId }) => moduleId.endsWith(`/${file}`)),
  );
  if (without.length > 0)
    throw new Error(`Nothing to run: no project that mutants use has ${without.join(", ")}.`);
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, patience.fileMs * files.length, null);
  const result = await Promise.race([vitest.runTestSpecifications(specifications), late.promise]);
  clearTimeout(timer);
  if (result === null) return null;
  // Vitest returns the files of earlier runs, too.
  const own = result.testModules.filter(({ moduleId }) =>
    specifications.some((one) => one.moduleId === moduleId),
  );
  return outcomeOf(own, result.unhandledErrors.length);
}

const inWords = (failed: readonly Failed[]) =>
  failed.map(({ file, tests }) => `${file} (${tests === 0 ? "before its tests" : String(tests)})`).join(", ");

type Verdict = { word: "caught" | "SURVIVED" | "equivalent" | "WRONG"; why: string };

/** A seed of simulated classes, or walks of `npm run compatibility`. */
type Played = { seed: number } | { walk: string };
const nameOf = (played: Played) => ("seed" in played ? `seed ${played.seed}` : played.walk);
const playedOf = (mutant: Exclude<Mutant, { tests: unknown }>): Played[] =>
  "walk" in mutant ? [{ walk: mutant.walk }] : mutant.seeds.map((seed) => ({ seed }));

/** Runs the program that plays it. @returns whether everything holds, and otherwise the first failure that is printed. */
function play(house: string, played: Played): { kind: "holds" | "broken" | "wrong"; first: string } {
  const [program, args] =
    "seed" in played
      ? ["simulation", ["--seed", String(played.seed)]]
      : ["compatibility", ["--only", played.walk]];
  const file = join(house, "test", program, "main.ts");
  const { status, signal, error, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: house,
    encoding: "utf8",
    timeout: patience.playMs,
  });
  if (status === 0) return { kind: "holds", first: "" };
  if (error !== undefined && "code" in error && error.code === "ETIMEDOUT")
    return { kind: "broken", first: "comes to no end" };
  if (status === null) return { kind: "wrong", first: error?.message ?? `ended by ${String(signal)}` };
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  const red = lines.find((line) => line.startsWith("RED "));
  if (red !== undefined) return { kind: "broken", first: red.replace(/^RED +\S+ +[\d.]+ s /, "") };
  const at = lines.findIndex((line) => line.includes("BROKEN"));
  return at === -1
    ? { kind: "wrong", first: lines.find((line) => line !== "") ?? "" }
    : { kind: "broken", first: lines[at + 1] ?? "" };
}

function judgePlayed(house: string, all: readonly Played[]): Verdict {
  for (const played of all) {
    const { kind, first } = play(house, played);
    if (kind === "wrong") return { word: "WRONG", why: `cannot be played: ${first}` };
    if (kind === "broken") return { word: "caught", why: `${nameOf(played)}: ${first.slice(0, 160)}` };
  }
  return { word: "SURVIVED", why: all.map(nameOf).join(", ") };
}

function judge(equivalent: string | undefined, tests: readonly string[], outcome: Outcome | null): Verdict {
  if (outcome === null) return { word: "caught", why: "its tests do not come to an end" };
  const { failed, broken } = outcome;
  if (broken.length > 0) return { word: "WRONG", why: `its code cannot be loaded by ${broken.join(", ")}` };
  if (failed.length > 0 && equivalent !== undefined)
    return { word: "WRONG", why: `is marked as equivalent, and yet caught by ${inWords(failed)}` };
  if (failed.length > 0) return { word: "caught", why: inWords(failed) };
  return equivalent === undefined
    ? { word: "SURVIVED", why: tests.join(", ") }
    : { word: "equivalent", why: equivalent };
}

/** What fails without a mutant, in words; null for nothing. Failures are retried once, as the gate does on a slow machine. */
async function failingWithout(vitest: Vitest, files: readonly string[]): Promise<string | null> {
  const first = await run(vitest, files);
  const again = first?.failed.map(({ file }) => file).filter((file) => files.includes(file)) ?? [];
  const outcome = again.length === 0 ? first : await run(vitest, again);
  if (outcome === null) return "do not come to an end";
  return outcome.failed.length === 0 ? null : `fail: ${inWords(outcome.failed)}`;
}

/** What does not hold without a mutant, in words; null for nothing. */
function brokenWithout(house: string, all: readonly Played[]): string | null {
  const broken = all.filter((played) => play(house, played).kind !== "holds");
  return broken.length === 0 ? null : `these do not hold: ${broken.map(nameOf).join(", ")}`;
}

/** Plants one after the other. @returns whether every one was caught, or is known to change nothing. */
async function runAll(house: string, mutants: readonly Mutant[]): Promise<boolean> {
  const begun = performance.now();
  let vitest = await open(house);
  const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  const read = (file: string) => readFileSync(join(house, file), "utf8");
  const files = [...new Set(mutants.flatMap((mutant) => ("tests" in mutant ? mutant.tests : [])))];
  const seeds = [...new Set(mutants.flatMap((mutant) => ("seeds" in mutant ? mutant.seeds : [])))];
  const walks = mutants.flatMap((mutant) => ("walk" in mutant ? [mutant.walk] : []));
  const first = [
    ...seeds.map((seed) => ({ seed })),
    ...(walks.length > 0 ? [{ walk: walks.join(",") }] : []),
  ];
  console.log(
    `${files.length} test files, ${seeds.length} seeds and ${walks.length} walks run first without a mutant ...`,
  );
  const failing = files.length === 0 ? null : await failingWithout(vitest, files);
  if (failing !== null) {
    console.error(`Without any mutant tests ${failing}. Fix them first.`);
    return false;
  }
  const broken = brokenWithout(house, first);
  if (broken !== null) {
    console.error(`Without any mutant ${broken}. Fix them first.`);
    return false;
  }
  console.log(`They pass (${seconds(begun)}).`);
  const words: Record<Verdict["word"], number> = { caught: 0, SURVIVED: 0, equivalent: 0, WRONG: 0 };
  const tested = async (tests: readonly string[], equivalent: string | undefined) => {
    const outcome = await run(vitest, tests);
    if (outcome === null) {
      void vitest.close();
      vitest = await open(house);
    }
    return judge(equivalent, tests, outcome);
  };
  for (const mutant of mutants) {
    const since = performance.now();
    const path = join(house, mutant.file);
    const sound = read(mutant.file);
    writeFileSync(path, plant(mutant, read));
    vitest.invalidateFile(path);
    const { word, why } =
      "tests" in mutant
        ? await tested(mutant.tests, mutant.equivalent)
        : judgePlayed(house, playedOf(mutant));
    writeFileSync(path, sound);
    vitest.invalidateFile(path);
    words[word] += 1;
    console.log(`${word.padEnd(10)} ${mutant.name.padEnd(50)} ${seconds(since).padStart(7)}  ${why}`);
    if (word === "SURVIVED") console.log(`${" ".repeat(11)}breaks: ${mutant.breaks}`);
  }
  await vitest.close();
  const counts = Object.entries(words).map(([word, count]) => `${String(count)} ${word}`);
  console.log(`${counts.join(", ")}, in ${seconds(begun)}`);
  return words.SURVIVED + words.WRONG === 0;
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string", multiple: true },
      list: { type: "boolean" },
      check: { type: "boolean" },
    },
  });
  const mutants = chosen(readMutants(), [...(values.only ?? []), ...positionals]);
  if (values.list === true) {
    for (const { name, breaks } of mutants) console.log(`${name.padEnd(50)} ${breaks}`);
    return true;
  }
  for (const mutant of mutants) plant(mutant, (file) => readFileSync(join(root, file), "utf8"));
  console.log(`${String(mutants.length)} mutants apply`);
  if (values.check === true) return true;
  const folder = makeFolder("mutants");
  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => {
      console.error("Stopped: the copy is cleared away, and nothing else was changed.");
      clearAway(folder);
      process.exit(status);
    });
  try {
    return await runAll(copyHouse(folder), mutants);
  } finally {
    process.chdir(root);
    clearAway(folder);
  }
}

const holds = await main().catch((thrown: unknown) => {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  return false;
});
// Vitest ends the workers of this process along with it; one may be in an endless loop.
process.exit(holds ? 0 : 1);
