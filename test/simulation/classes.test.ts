import { spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ofEveryProcess } from "../../sandbox/tool-process.ts";

const program = fileURLToPath(new URL("main.ts", import.meta.url));
/** A slow machine takes ten times as long as the seeds take on a quiet one. */
const patienceMs = 20 * 60_000;

/** `npm run simulate` with these options, interrupted once it has printed `until`. */
async function simulate(args: readonly string[], until?: string) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...ofEveryProcess(), TMPDIR: process.env["TMPDIR"] ?? "/tmp" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Its clock is its own, so tests that depend on the machine's go first.
  if (child.pid !== undefined) setPriority(child.pid, 3);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (until !== undefined && printed.includes(until)) child.kill("SIGINT");
    });
  await once(child, "close");
  return { status: child.exitCode, printed };
}

test(
  "ten seeds of a class, two of them beside another course, with kills, pauses, doubled webhooks, a broken network and a busy store, break no law and replay identically",
  { timeout: patienceMs },
  async () => {
    const ofOne = ["--courses", "1"];
    const [two, one, alone] = await Promise.all([
      simulate(["--seed", "1", "--classes", "2"]),
      simulate(["--seed", "3", "--classes", "8", ...ofOne]),
      simulate(["--seed", "10", ...ofOne]),
    ]);
    expect(two, two.printed).toMatchObject({ status: 0 });
    expect(one, one.printed).toMatchObject({ status: 0 });
    const last = one.printed.split("\n").filter((line) => line.startsWith("seed 10: "));
    expect(last).toHaveLength(1);
    expect(alone.printed.split("\n")).toContain(last[0]);
  },
);

test.each([
  [["--seed", "seven"], "--seed must be a whole number"],
  [["--classes", "0"], "--classes must be 1 or more"],
  [["--trouble", "earthquake"], "--trouble"],
  [["--sead", "1"], "Unknown option '--sead'"],
  [["--courses", "900000"], "MB of memory"],
  [["--terms", "many"], "--terms must be a whole number"],
  [["--terms", "1", "--weeks", "2"], "--weeks must be 3 or more"],
  [["--terms", "1", "--weeks", "999999"], "MB of memory"],
])("%j is refused with a sentence", async (args, sentence) => {
  const { status, printed } = await simulate(args);
  expect(printed).toContain(sentence);
  expect(status).toBe(2);
});

test("an interrupted run of terms reports its progress", { timeout: patienceMs }, async () => {
  const small = ["--weeks", "3", "--courses", "1", "--learners", "3", "--instances", "1", "--trouble="];
  const { status, printed } = await simulate(["--terms", "9999", ...small], "seed 1: ");
  expect(printed).toMatch(/^Stopped: \d+ of 9999 seeds were lived through, 0 of them broke a law\.$/m);
  expect(status).toBe(130);
});
