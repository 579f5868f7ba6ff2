import { join } from "node:path";
import { startToolProcess } from "../../sandbox/tool-process.ts";
import { startMongoServer } from "../support/stand-ins/mongo-server.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import type { BenchRow } from "./bench-row.ts";
import { launchFramed, prepareLaunch } from "./walk-in.ts";

/** What a database's network adds to each command (ms). */
const delays = [1, 5, 20];
const launches = 150;
const callers = 16;
/** How many launches are made one after the other. */
const alone = 20;
const warmUp = 300;

type Reached = { perSecond: number; p50: number; p99: number; commands: number };

/**
 * Newcomers' framed launches, each after its login, on a stand-in for MongoDB that answers with a delay. With BENCH_BEFORE, the folder of
 * another checkout, the tool from there takes turns with this one.
 */
export async function benchLatency(): Promise<BenchRow[]> {
  const before = process.env["BENCH_BEFORE"];
  const tools = [{ name: "this tool", tool: await startTool() }];
  if (before !== undefined)
    tools.unshift({ name: "before", tool: await startTool(join(before, "src/main.ts")) });
  const rows: BenchRow[] = [];
  try {
    for (const { tool } of tools) await tool.launch(warmUp, 0);
    for (const delay of delays)
      for (const { name, tool } of tools) {
        const { p50: oneAlone } = await tool.launch(alone, delay, 1);
        const { perSecond, p50, p99, commands } = await tool.launch(launches, delay);
        rows.push({
          measure: `logins and launches, ${delay} ms a command: ${name}`,
          value: `one alone ${oneAlone.toFixed(0)} ms; ${callers} at once ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
          limit: "8 rounds",
          ratio: `${commands.toFixed(1)} commands each, with what follows`,
        });
      }
    return rows;
  } finally {
    for (const { tool } of tools) await tool.close();
  }
}

async function startTool(program?: string) {
  const server = await startMongoServer();
  const url = `mongodb://127.0.0.1:${server.port}/bench`;
  const world = await startTinyWorld((variables) => startToolProcess(variables, program), {
    DATABASE_URL: url,
  });
  let comers = 0;
  return {
    launch: async (count: number, delayMs: number, atOnce = callers): Promise<Reached> => {
      server.delayBy(delayMs);
      const took: number[] = [];
      const asked = server.asked().length;
      const began = performance.now();
      const caller = async () => {
        while (comers < last) {
          comers += 1;
          const claims = claimsOf({ sub: `comer-${comers}`, name: `Lena ${comers}`, roles: [learnerRole] });
          const from = performance.now();
          const prepared = await prepareLaunch(world, { url: world.toolUrl }, claims);
          const answer = await launchFramed(world.toolUrl, prepared);
          if ("page" in answer) throw new Error(`a launch answered ${answer.page.status}`);
          took.push(performance.now() - from);
        }
      };
      const last = comers + count;
      await Promise.all(Array.from({ length: atOnce }, caller));
      const perSecond = (count / (performance.now() - began)) * 1_000;
      took.sort((one, other) => one - other);
      const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
      return { perSecond, p50: at(0.5), p99: at(0.99), commands: (server.asked().length - asked) / count };
    },
    close: async () => {
      server.delayBy(0);
      await world.close();
      await server.close();
    },
  };
}
