import { z } from "zod";
import { readOptions } from "../../sandbox/command-line.ts";
import { benchArrivals } from "./arrivals-bench.ts";
import type { BenchRow } from "./bench-row.ts";
import { benchBurst } from "./burst-bench.ts";
import { benchGrading } from "./grading-bench.ts";
import { benchIntake } from "./intake-bench.ts";
import { benchLatency } from "./latency-bench.ts";
import { benchLaunches } from "./launch-bench.ts";
import { benchMemory } from "./memory-bench.ts";
import { benchPages } from "./page-bench.ts";
import { benchRecords } from "./record-bench.ts";
import { benchStart } from "./start-bench.ts";
import { benchStrangers } from "./strangers-bench.ts";
import { benchStorage } from "./storage-bench.ts";
import { benchThrottle } from "./throttle-bench.ts";
import { benchWaiting } from "./waiting-bench.ts";

/** What can be measured, in this order; all of it takes about a quarter of an hour, most of that for "arrivals". */
const benches = new Map<string, (people: number) => Promise<BenchRow[]>>([
  ["start", benchStart],
  ["storage", benchStorage],
  ["launches", benchLaunches],
  ["latency", benchLatency],
  ["grading", () => benchGrading()],
  ["pages", () => benchPages()],
  ["records", benchRecords],
  ["intake", benchIntake],
  ["strangers", benchStrangers],
  ["memory", benchMemory],
  ["burst", () => benchBurst()],
  ["throttle", benchThrottle],
  ["waiting", benchWaiting],
  ["arrivals", benchArrivals],
]);

const all = [...benches.keys()];
const { people, names } = readOptions(
  "npm run bench --",
  z.object({
    people: z
      .string()
      .regex(/^[1-9]\d{1,5}$/, "must be a whole number, 10 to 999999")
      .transform(Number)
      .prefault("1000")
      .describe("how many arrive at the same moment"),
    names: z
      .array(z.enum(all, { error: `must be among ${all.join(", ")}` }))
      .default([])
      .describe(`what to measure, everything without: ${all.join(", ")}`),
  }),
);
for (const [name, bench] of benches) {
  if (names.length === 0 || names.includes(name)) console.table(await bench(people));
}
