import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createThrottle, type ThrottleStore } from "../../src/classroom/throttle.ts";
import { steadyClock, systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import {
  createReplyTimes,
  type ReplyTimes,
  usualReplyTimes,
} from "../../sandbox/stand-in-classroom/traffic.ts";
import type { BenchRow } from "./bench-row.ts";
import { pacedClassroom } from "../support/stand-ins/quick-classroom.ts";

const callers = join(import.meta.dirname, "../walls/classroom/throttled-caller.child.ts");
const limit = 4;
/** How many calls are counted for each row; half a minute. */
const counted = 120;
/** How far away the store of the simulated instances is (ms), there and back. */
const storeAway = 2;
/** How long the simulated instances are measured (ms). */
const measuredFor = 13_000;

/** What is tried: with how many processes, and how long the service takes for its replies. */
const tried: { processes: number; replies: ReplyTimes | null }[] = [
  { processes: 1, replies: null },
  { processes: 1, replies: { from: 100, to: 600 } },
  { processes: 1, replies: { from: 30, to: 1_000 } },
  ...[1, 3, 8].map((processes) => ({ processes, replies: usualReplyTimes })),
];

/**
 * How much of the limit 1, 3 and 8 processes with one key use together under load, with replies that take equally long and unequally long;
 * and how often up to a hundred instances call a store. Takes five minutes.
 */
export async function benchThrottle(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { processes, replies } of tried) rows.push(await shareOfLimit(processes, replies));
  for (const instances of [1, 3, 10, 30, 100]) rows.push(await askedOfStore(instances));
  return rows;
}

async function shareOfLimit(processes: number, replyTimes: ReplyTimes | null): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-bench-throttle-"));
  const classroom = await pacedClassroom({ replyTimes });
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
    const { refusedByLimit, mostInOneSecond } = classroom.callCounts();
    const replies = replyTimes === null ? "at once" : `after ${replyTimes.from} to ${replyTimes.to} ms`;
    return rowOf(
      `throttle: calls a second, ${processes} ${processes === 1 ? "process" : "processes"}, replies ${replies}`,
      paceOf(calls.map(({ at }) => at)),
      `${refusedByLimit} answers 429, at most ${mostInOneSecond} in a second`,
    );
  } finally {
    await Promise.all(children.map(ended));
    await classroom.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Simulated in this process: each instance always has people waiting, the usual reply times, and its own throttle. */
async function askedOfStore(instances: number): Promise<BenchRow> {
  const asked = { reads: 0, writes: 0, lost: 0 };
  let kept: { revision: number; record: string } | null = null;
  const away = () => systemClock.sleep(storeAway / 2);
  const store: ThrottleStore = {
    read: async () => {
      asked.reads += 1;
      await away();
      const found = kept;
      await away();
      return found;
    },
    replace: async (_key, revision, record) => {
      asked.writes += 1;
      await away();
      const mine = (kept?.revision ?? null) === revision;
      if (mine) kept = { revision: (revision ?? 0) + 1, record };
      else asked.lost += 1;
      await away();
      return mine;
    },
  };
  const replyTimes = createReplyTimes(usualReplyTimes);
  const over = new AbortController();
  const calls: { at: number; by: number }[] = [];
  const callForEver = async (throttle: ReturnType<typeof createThrottle>, by: number): Promise<void> => {
    for (;;) {
      const permit = await throttle.acquire({ priority: "entry", signal: over.signal });
      await permit.begin();
      permit.left();
      calls.push({ at: steadyClock(systemClock).now(), by });
      await systemClock.sleep(replyTimes.next());
      permit.answered();
    }
  };
  for (let by = 0; by < instances; by += 1) {
    const throttle = createThrottle({ store, key: "key", clock: steadyClock(systemClock), ids: randomIds });
    for (let each = 0; each < 4; each += 1) callForEver(throttle, by).catch(() => undefined); // the measurement is over
  }
  await systemClock.sleep(2_000);
  const before = { ...asked };
  const from = calls.length;
  await systemClock.sleep(measuredFor);
  const perSecond = (name: keyof typeof asked) =>
    Math.round((asked[name] - before[name]) / (measuredFor / 1_000));
  const counts = `${perSecond("reads")} reads, ${perSecond("writes")} writes a second, ${perSecond("lost")} of them lost`;
  over.abort(new Error("over"));
  const served = new Set(calls.map(({ by }) => by)).size;
  return rowOf(
    `throttle: ${instances} ${instances === 1 ? "instance" : "instances"}, store ${storeAway} ms away`,
    paceOf(calls.slice(from).map(({ at }) => at)),
    `${counts}; ${served} served`,
  );
}

/** From each call to the fourth after it: otherwise, bursts at both ends would count in full. */
function paceOf(times: readonly number[]): number {
  const spans = times.slice(limit).map((at, index) => at - (times[index] ?? 0));
  return (limit * 1_000 * spans.length) / spans.reduce((sum, span) => sum + span, 0);
}

function rowOf(measure: string, perSecond: number, more: string): BenchRow {
  return {
    measure,
    value: `${perSecond.toFixed(2)}/s, ${more}`,
    limit: `${limit}/s, 0, ${limit}; target 95%`,
    ratio: `${((perSecond / limit) * 100).toFixed(1)}%`,
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
