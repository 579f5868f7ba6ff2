import { parseArgs } from "node:util";
import { benchArrivals } from "./arrivals-bench.ts";
import type { BenchRow } from "./bench-row.ts";
import { benchBurst } from "./burst-bench.ts";
import { benchConsole } from "./console-bench.ts";
import { benchDay } from "./day-bench.ts";
import { benchGrading } from "./grading-bench.ts";
import { benchIntake } from "./intake-bench.ts";
import { benchLaunches } from "./launch-bench.ts";
import { benchMemory } from "./memory-bench.ts";
import { benchOtherPages } from "./other-pages-bench.ts";
import { benchPages } from "./page-bench.ts";
import { benchPageWeights } from "./page-weight-bench.ts";
import { benchRecords } from "./record-bench.ts";
import { benchRoster } from "./roster-bench.ts";
import { benchStart } from "./start-bench.ts";
import { benchStorage } from "./storage-bench.ts";
import { benchThrottle } from "./throttle-bench.ts";
import { benchUnplanned } from "./unplanned-bench.ts";
import { benchWaiting } from "./waiting-bench.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { people: { type: "string", default: "1000" } },
});
const people = Number(values.people);

/** What can be measured, in this order; all of it takes about a quarter of an hour, most of that in "arrivals". */
const benches = new Map<string, () => Promise<BenchRow[]>>([
  ["start", benchStart],
  ["storage", benchStorage],
  ["roster", benchRoster],
  ["launches", benchLaunches],
  ["grading", () => benchGrading()],
  ["pages", async () => [...(await benchPages()), ...(await benchOtherPages())]],
  ["console", () => benchConsole()],
  ["page-weights", benchPageWeights],
  ["records", benchRecords],
  ["intake", benchIntake],
  ["memory", benchMemory],
  ["burst", () => benchBurst()],
  ["unplanned", benchUnplanned],
  ["throttle", benchThrottle],
  ["waiting", benchWaiting],
  ["day", benchDay],
  ["arrivals", () => benchArrivals(people)],
]);

const unknown = positionals.filter((name) => !benches.has(name));
if (unknown.length > 0 || !Number.isInteger(people) || people < 10) {
  console.error(
    `usage: npm run bench -- [${[...benches.keys()].join("] [")}] [--people 1000]\nWithout a name everything is measured.`,
  );
  process.exit(2);
}
for (const [name, bench] of benches) {
  if (positionals.length === 0 || positionals.includes(name)) console.table(await bench());
}
