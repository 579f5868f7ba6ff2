import { describe, expect, test, vi } from "vitest";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { startQueueWorld, type QueueWorld } from "../bench/queue-world.ts";
import { joinQueue, isWaitingPage, listenAt, prepareLaunch } from "../bench/walk-in.ts";
import { until } from "../support/until.ts";
import {
  burstFor,
  isQuiet,
  outcomesOf,
  postsOf,
  send,
  startBurstWorld,
  wrongScores,
} from "../support/tool/burst-world.ts";
import { startToolCluster, type ToolCluster } from "../support/tool/tool-cluster.ts";

const patience = 420_000;
/** A new one each time; KILL_SEED repeats a failed one. */
const seed = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** Four a second get in; a thousand people would take more than four minutes. */
const people = Number(process.env["PEOPLE"] ?? 300);
console.info(`\n*** instances are killed by KILL_SEED=${seed}, with PEOPLE=${people} who enter ***\n`);

/** Three instances, any of which may be killed; the others run until it is started again. */
function mortalCluster(random: () => number) {
  let cluster: ToolCluster | null = null;
  return {
    start: async (variables: Record<string, string>) => {
      cluster = await startToolCluster(variables, 3);
      return cluster;
    },
    /** Kills one of them, continues when `isTime` says so, and starts it again. */
    killOne: async (isTime: () => Promise<void>) => {
      const victim = cluster?.instances[Math.floor(random() * 3)];
      await victim?.tool().end("SIGKILL");
      await isTime();
      await victim?.restart();
    },
  };
}

describe("Any one of three instances is killed", () => {
  test(
    "six times during 1,000 webhooks: every score is right, and none was sent twice",
    async () => {
      const random = seededRandom(seed);
      const { start, killOne } = mortalCluster(random);
      const burst = await startBurstWorld({ learners: 150, events: 8, startTool: start });
      try {
        const script = burstFor(burst, 1_000, seed);
        const before = await outcomesOf(burst);
        const progress = { acknowledged: 0 };
        const scored = burst.world.lms.scores().length;
        const gone = () => progress.acknowledged + burst.world.lms.scores().length - scored;
        const reached = (point: number) => until(patience, "the burst went on", () => gone() >= point, 5);
        const kill = async () => {
          for (const part of [0, 1, 2, 3, 4, 5]) {
            const point = 200 * part * (0.7 + 0.3 * random());
            await reached(point);
            await killOne(() => reached(Math.min(point + 60, 1_100)));
          }
        };
        await Promise.all([send(burst, script, patience, progress), kill()]);
        await until(patience, "every score arrived", () => wrongScores(burst, script).length === 0);
        await until(patience, "the tool came to rest", () => isQuiet(burst));
        expect(wrongScores(burst, script)).toEqual([]);
        const different = new Set(script.bodies).size;
        expect(await outcomesOf(burst)).toEqual({ failed: 0, done: before.done + different });
        for (const [at, { taken, repeated }] of postsOf(burst).entries()) {
          // A kill between the LMS's answer and storing it may send the same score again.
          expect(repeated).toBeLessThanOrEqual(1);
          expect(taken.length - repeated).toBeLessThanOrEqual(
            script.changes.get(burst.userIds[at] ?? "") ?? 0,
          );
        }
      } finally {
        await burst.close();
      }
    },
    2 * patience,
  );

  test(
    "repeatedly while a class waits to enter: everybody gets in once, and calls stay within the limit",
    async () => {
      const random = seededRandom(seed + 1);
      const { start, killOne } = mortalCluster(random);
      const world = await startQueueWorld({ people, processes: 1, start });
      try {
        const state = { inside: 0 };
        const enter = async (claims: Record<string, unknown>) => {
          const token = await comeIn(world, claims);
          state.inside += 1;
          return token;
        };
        const kill = async () => {
          for (const share of [0.1, 0.4, 0.7]) {
            await until(patience, "people get in", () => state.inside >= share * people);
            await killOne(() =>
              until(patience, "the others go on", () => state.inside >= (share + 0.1) * people),
            );
          }
        };
        const [tokens] = await Promise.all([Promise.all(world.learners.map(enter)), kill()]);
        expect(new Set(tokens).size).toBe(people);
        const { mostInOneSecond, refusedByLimit } = world.classroom.callCounts();
        expect({ mostInOneSecond: mostInOneSecond <= 4, refusedByLimit }).toEqual({
          mostInOneSecond: true,
          refusedByLimit: 0,
        });
        expect(world.classroom.spaces()).toHaveLength(1);
      } finally {
        await world.close();
      }
    },
    2 * patience,
  );
});

/** Enters as people do: they load a broken page, or click the link, again. @returns their login */
async function comeIn(world: QueueWorld, claims: Record<string, unknown>): Promise<string> {
  const [tool] = world.tools;
  if (tool === undefined) throw new Error("there is no tool");
  const again = <T>(step: () => Promise<T>) => vi.waitFor(step, { timeout: patience, interval: 500 });
  const sent = await again(async () => joinQueue(await prepareLaunch(world, tool, claims)));
  const { cookie } = sent;
  let { to } = sent;
  while (isWaitingPage(to)) {
    to = await again(async () => {
      await (
        await listenAt({ to, cookie })
      ).settled;
      const page = await fetch(to, { redirect: "manual", headers: { cookie } });
      await page.arrayBuffer();
      const location = page.headers.get("location");
      if (page.status === 303 && location !== null) return new URL(location, tool.url);
      if (page.status === 200) return to;
      throw new Error(`the entry page answered ${page.status}`);
    });
  }
  return to.searchParams.get("token") ?? "";
}
