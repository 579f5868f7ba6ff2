import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ofEveryProcess } from "../../sandbox/tool-process.ts";

async function printedBy(program: string, args: readonly string[]): Promise<string> {
  const env = { ...ofEveryProcess(), TMPDIR: process.env["TMPDIR"] ?? "/tmp" };
  const path = fileURLToPath(new URL(program, import.meta.url));
  return (await promisify(execFile)(process.execPath, [path, ...args], { env })).stdout;
}

test("planted faults of timing, order, claims and recovery break a law", { timeout: 3_600_000 }, async () => {
  const faults = await printedBy("../mutants/main.ts", ["timing"]);
  expect(faults).toMatch(/^\d+ caught, 0 SURVIVED, 0 equivalent, 0 WRONG/m);
});

test("a term in which learners are erased replays identically", { timeout: 600_000 }, async () => {
  const term = ["--seed", "3", "--terms", "1", "--weeks", "3", "--learners", "3"];
  const first = await printedBy("main.ts", term);
  expect(first).toMatch(/^seed 3: holds/m);
  expect(await printedBy("main.ts", term)).toBe(first);
});

test(
  "over eight weeks keys are renewed, and an LMS that reads a key set once a day refuses nothing",
  { timeout: 600_000 },
  async () => {
    const term = ["--seed", "2", "--terms", "1", "--weeks", "8", "--courses", "1", "--learners", "2"];
    expect(await printedBy("main.ts", term)).toMatch(/^seed 2: holds/m);
  },
);
