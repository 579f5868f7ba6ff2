import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { cpuSeconds } from "./cpu-seconds.ts";

/** Notes what each test file took, for the gate's report: a line of seconds and path, in the file beside its counts. */
const before = cpuSeconds();
afterAll(() => {
  const took = cpuSeconds() - before;
  appendFileSync(
    `${process.env["GATE_COUNTS"] ?? ""}.cpu`,
    `${took.toFixed(2)} ${expect.getState().testPath ?? ""}\n`,
  );
});
