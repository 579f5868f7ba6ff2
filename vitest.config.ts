import { defineConfig } from "vitest/config";
import { LongFirst } from "./test/gate/long-first.ts";
import { allNeeds, browsersOfRun, filesNotRun, needs } from "./test/support/browser/browsers.ts";

/** Looked for once, and handed on to every test file. */
const browsers = await browsersOfRun();

/** `npm run test:nightly` sets it: every story in every variant. The gate runs each story once, and few once more. */
const isNightly = process.env.NIGHTLY === "1";

// Long stories and matrices in the browser. QUICK=1 leaves them out while one works; the gate runs them all.
const exclude = [
  "**/node_modules/**",
  ...(process.env.QUICK === "1" ? ["test/**/*.thorough.test.ts"] : []),
  // Tests of our stand-ins (what breaks there shows in stories), a thousand webhooks, and planted faults, which take minutes. They always run by their path.
  ...(process.env.GATE_COUNTS !== undefined && !isNightly
    ? [
        "test/walls/sandbox/**",
        "test/stories/many-instances.thorough.test.ts",
        "test/simulation/planted.thorough.test.ts",
      ]
    : []),
  // With this machine's browsers there is nothing that these files could do; the gate says so.
  ...filesNotRun(browsers).flatMap(({ files }) => files.map((name) => `test/browser/${name}`)),
];

const rules = ["test/rules/**/*.test.ts"];

const stories = (names: readonly string[]) => names.map((story) => `test/stories/${story}.test.ts`);

/**
 * Stories in which it matters who did what, and what was stored: three instances of the tool share the store and the work.
 * The others, about what an LMS or the classroom says and how, run with one. TOOL_PROCESSES asks for so many in all of them.
 */
const shared = stories([
  "burst",
  "first-launches",
  "jobs",
  "waiting",
  ...(isNightly
    ? [
        "check-in",
        "cohorts",
        "completion",
        "console",
        "console-places",
        "grades-arrive",
        "grid",
        "inbox",
        "later-people",
        "logins",
        "people-data",
        "presence",
        "recordings",
        "reminders",
        "store-away",
      ]
    : []),
]);

/**
 * Stories that run with every assumption of the stand-ins turned round that the tool, or a dialect file, lives with
 * (sandbox/assumptions.md): what the classroom sends and takes, and the LMSs. TURNED=borne turns them round in any other. The gate runs
 * these, and those below, in this variant alone; the nightly run also runs them plainly.
 */
const turned = stories([
  "later-people",
  "presence",
  ...(isNightly
    ? ["cohorts", "first-launches", "every-lms", "grades-arrive", "recordings", "same-address"]
    : []),
]);

/**
 * Stories that run with a classroom that is called as public programs call it, and nothing else, by a dialect
 * file that says what the default does not find: who is made, where they enter, what comes back.
 */
const asClients = [
  ...stories([
    "cohorts",
    "recordings",
    ...(isNightly
      ? ["first-launches", "grades-arrive", "later-people", "presence", "same-address", "space-elsewhere"]
      : []),
  ]),
  ...(isNightly ? ["test/refusals/foreign-spaces.test.ts"] : []),
];

/** Stories that the gate runs in a variant alone. */
const variants = isNightly || process.env.GATE_COUNTS === undefined ? [] : [...turned, ...asClients];

/** Files that put a module of their own in place of one of the tool's, which another file in the same worker may have loaded. */
const alone = ["test/stories/routes.test.ts"];

export default defineConfig({
  test: {
    tags: allNeeds.map((name) => ({ name, description: needs[name] })),
    env: { TEST_BROWSERS: JSON.stringify(browsers) },
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // What is awaited may take long on a shared machine; nothing is proven by a second.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    setupFiles: process.env.GATE_COUNTS === undefined ? [] : ["test/gate/note-cpu.ts"],
    // They keep both cores of a small machine busy all the time; four workers take as long.
    maxWorkers: 6,
    sequence: { sequencer: LongFirst },
    // No module keeps anything that a next file could see, so a worker loads what files import once and not for every file.
    isolate: false,
    // Node runs the sources as they are, and keeps what it compiled for the next worker. Only a file that mocks modules needs Vite.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    restoreMocks: true,
    reporters: ["default"],
    projects: [
      {
        extends: true,
        test: {
          name: "one",
          include: ["test/**/*.test.ts"],
          exclude: [...rules, ...shared, ...variants, ...alone, "test/simulation/**", ...exclude],
        },
      },
      { extends: true, test: { name: "rules", include: rules } },
      { extends: true, test: { name: "simulation", include: ["test/simulation/*.test.ts"], exclude } },
      {
        extends: true,
        test: { name: "alone", include: alone, isolate: true, experimental: { viteModuleRunner: true } },
      },
      {
        extends: true,
        test: { name: "three", include: shared, env: { TOOL_PROCESSES: process.env.TOOL_PROCESSES ?? "3" } },
      },
      {
        extends: true,
        test: { name: "clients", include: asClients, env: { CLASSROOM_SPELLING: "clients" } },
      },
      {
        extends: true,
        test: { name: "turned", include: turned, env: { TURNED: process.env.TURNED ?? "borne" } },
      },
    ],
  },
});
