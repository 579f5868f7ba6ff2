import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { startStandInClassroom } from "../../src/sandbox/stand-in-classroom/stand-in-classroom.ts";
import type { BenchRow } from "./bench-row.ts";

const callers = join(import.meta.dirname, "../walls/classroom/throttled-caller.child.ts");
const limit = 4;
/** So many calls are counted for each row; half a minute. */
const counted = 120;

/** How much of the limit 1, 3 and 8 processes with one key use together under load. Takes two minutes. */
export async function benchThrottle(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const processes of [1, 3, 8]) rows.push(await shareOfLimit(processes));
  return rows;
}

async function shareOfLimit(processes: number): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-bench-throttle-"));
  const classroom = await startStandInClassroom({
    port: 0,
    clock: systemClock,
    logger: createLogger("silent"),
    apiKey: "key",
    webhookSecret: "secret",
  });
  const children = Array.from({ length: processes }, (_none, number) =>
    spawn(process.execPath, [callers, folder, classroom.apiUrl, "key", `process-${number}`], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    }),
  );
  try {
    const calling = () => new Set(classroom.calls().map((call) => call.path)).size;
    while (calling() < processes) await systemClock.sleep(50);
    const from = classroom.calls().length;
    while (classroom.calls().length < from + counted + limit) await systemClock.sleep(50);
    const calls = classroom.calls().slice(from);
    // From each call to the fourth after it: bursts at both ends would otherwise count in full.
    const spans = calls.slice(limit).map((call, index) => call.at - (calls[index]?.at ?? 0));
    const perSecond = (limit * 1_000 * spans.length) / spans.reduce((sum, span) => sum + span, 0);
    const { refusedByLimit, mostInOneSecond } = classroom.callCounts();
    return {
      measure: `throttle: calls a second, ${processes} ${processes === 1 ? "process" : "processes"}`,
      value: `${perSecond.toFixed(2)}/s, ${refusedByLimit} answers 429, at most ${mostInOneSecond} in a second`,
      limit: `${limit}/s, 0, ${limit}; target 95%`,
      ratio: `${((perSecond / limit) * 100).toFixed(1)}%`,
    };
  } finally {
    await Promise.all(children.map(ended));
    await classroom.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

if (import.meta.main) console.table(await benchThrottle());
