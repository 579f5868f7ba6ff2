import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";
import { cpuSeconds } from "./cpu-seconds.ts";

/** Records what each test file took, for the gate's report: lines of CPU seconds and the path below `test`, beside its counts. */
const tests = join(import.meta.dirname, "..");
const before = cpuSeconds();
afterAll(() => {
  // Vitest ends a worker by a signal, after which Node would write nothing.
  flushCompileCache();
  const took = (cpuSeconds() - before).toFixed(2);
  const file = relative(tests, expect.getState().testPath ?? "");
  appendFileSync(`${process.env["GATE_COUNTS"] ?? ""}.cpu`, `${took} ${file}\n`);
});
