import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import type { ToolProcess } from "../../sandbox/tool-process.ts";
import type { BenchRow } from "./bench-row.ts";
import { startQueueWorld } from "./queue-world.ts";
import { joinQueue, isWaitingPage, listenAt, prepareLaunch, type Prepared } from "./walk-in.ts";

const few = 100;
const many = 1_000;
/** What a waiting person may cost (KB of heap): a thousand of them take a tenth of a small machine. */
const wanted = 50;
const memorySchema = z.object({ rss: z.number(), heap: z.number() });
/** In bytes, after a garbage collection. */
export type Memory = z.infer<typeof memorySchema>;

/** What people on the waiting page cost one process. Nobody is let in meanwhile. Takes about a minute. */
export async function benchWaiting(): Promise<BenchRow[]> {
  let child: ChildProcess | null = null;
  const world = await startQueueWorld({
    people: few + many,
    processes: 1,
    start: async (variables) => {
      const started = await startMeasured(variables);
      ({ child } = started);
      return started;
    },
  });
  const memory = async (): Promise<Memory> => {
    if (child === null) throw new Error("there is no tool");
    await systemClock.sleep(3_000); // the background work of launches
    return memoryOf(child);
  };
  const leaving: (() => void)[] = [];
  try {
    const [tool] = world.tools;
    if (tool === undefined) throw new Error("there is no tool");
    const prepared: Prepared[] = [];
    for (const claims of world.learners) prepared.push(await prepareLaunch(world, tool, claims));
    world.pauseCalls(300_000);
    // The first ones only warm the tool up.
    await wait(prepared.slice(0, few), leaving);
    for (const leave of leaving.splice(0)) leave();
    const before = await memory();
    await wait(prepared.slice(few, 2 * few), leaving);
    const withFew = await memory();
    await wait(prepared.slice(2 * few), leaving);
    const withMany = await memory();
    return [
      ...rows(before, withFew, few),
      ...rows(before, withMany, many),
      {
        measure: `waiting: growth of the heap from ${few} to ${many} people`,
        value: `${((withMany.heap - before.heap) / (withFew.heap - before.heap)).toFixed(1)} times`,
        limit: `${many / few} times`,
        ratio: percent((withMany.heap - before.heap) / (withFew.heap - before.heap) / (many / few)),
      },
    ];
  } finally {
    for (const leave of leaving) leave();
    await world.close();
  }
}

/** The memory of a tool that `startMeasured` started. */
export async function memoryOf(child: ChildProcess): Promise<Memory> {
  const answer: Promise<unknown[]> = once(child, "message");
  child.send("memory");
  return memorySchema.parse((await answer)[0]);
}

/** They launch, a few at once, and stay on the waiting page. */
async function wait(prepared: readonly Prepared[], leaving: (() => void)[]): Promise<void> {
  const left = [...prepared];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const page = await joinQueue(next);
      if (!isWaitingPage(page.to)) throw new Error("somebody was let in");
      leaving.push((await listenAt(page)).leave);
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
}

function rows(before: Memory, after: Memory, people: number): BenchRow[] {
  const heap = (after.heap - before.heap) / people / 1_024;
  const rss = (after.rss - before.rss) / people / 1_024;
  return [
    {
      measure: `waiting: memory for each of ${people} people on the waiting page`,
      value: `heap ${heap.toFixed(1)} KB, RSS ${rss.toFixed(1)} KB`,
      limit: `heap ${wanted} KB`,
      ratio: percent(heap / wanted),
    },
  ];
}

/** The tool in a process that reports its memory on request; at the end, it is killed. */
export async function startMeasured(variables: Record<string, string>): Promise<ToolProcess> {
  const program = join(import.meta.dirname, "waiting-tool.child.ts");
  const child = spawn(process.execPath, ["--expose-gc", program], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...variables },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const address = `http://127.0.0.1:${variables.PORT ?? ""}/readyz`;
  const ready = () =>
    fetch(address).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error("the tool ended");
    await systemClock.sleep(50);
  }
  return {
    child,
    output: () => "",
    end: async () => {
      const exited = once(child, "exit");
      // It would wait for people who are being let in, but nobody is.
      child.kill("SIGKILL");
      await exited;
      return child.exitCode;
    },
  };
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)}%`;
}
