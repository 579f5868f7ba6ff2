import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ofEveryProcess } from "../../sandbox/tool-process.ts";

const program = fileURLToPath(new URL("../mutants/main.ts", import.meta.url));

test("planted faults of timing, order, claims and recovery break a law", { timeout: 3_600_000 }, async () => {
  const env = { ...ofEveryProcess(), TMPDIR: process.env["TMPDIR"] ?? "/tmp" };
  const { stdout } = await promisify(execFile)(process.execPath, [program, "timing"], { env });
  expect(stdout).toMatch(/^\d+ caught, 0 SURVIVED, 0 equivalent, 0 WRONG/m);
});
