import { systemClock } from "../../src/kernel/clock.ts";
import type { BenchRow } from "./bench-row.ts";
import { type QueueWorld, startQueueWorld } from "./queue-world.ts";
import { prepareLaunch, type Prepared, type WalkIn, walkIn } from "./walk-in.ts";

/** Everybody arrives within this time (ms). */
const arriveWithin = 10_000;
/** Calls a second that the service allows. */
const limit = 4;
const wantedP99 = 1_000;
/** Launches of the same moment may overtake each other on their way to the queue by at most this (ms). */
const overtakenBy = 5_000;

/** Everybody's launch, assigned to the instances in turn, as a load balancer does. */
async function prepareAll(world: QueueWorld): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [index, claims] of world.learners.entries()) {
    const tool = world.tools[index % world.tools.length];
    if (tool !== undefined) prepared.push(await prepareLaunch(world, tool, claims));
  }
  return prepared;
}

/** They arrive one after the other, evenly, whatever happens to those before them. */
async function everybodyComes(prepared: readonly Prepared[]): Promise<WalkIn[]> {
  const started = performance.now();
  return Promise.all(
    prepared.map(async (one, index) => {
      const at = (index * arriveWithin) / prepared.length;
      await systemClock.sleep(Math.max(0, at - (performance.now() - started)));
      return walkIn(one);
    }),
  );
}

/**
 * By how much somebody was overtaken at most (ms): how much earlier they arrived than somebody asked for before them. A
 * position is assigned when the launch is verified and stored, so a few tenths of a second are processing time. People asked for before
 * they arrived are left out: when many of a class enter, the tool authorizes the rest of the class ahead, if there are calls left.
 */
function overtaken(world: QueueWorld, walks: readonly WalkIn[]): number {
  const logins = new Map(
    world.classroom.authorizations().map((login, index) => [login.token, { ...login, index }]),
  );
  const lined = walks.flatMap((walk) => {
    const login = logins.get(walk.token);
    const came = performance.timeOrigin + walk.launchedAt;
    return login === undefined || login.createdAt < came ? [] : [{ came, asked: login.index }];
  });
  let latest = 0;
  let most = 0;
  for (const { came } of lined.toSorted((a, b) => a.asked - b.asked)) {
    most = Math.max(most, latest - came);
    latest = Math.max(latest, came);
  }
  return most;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

async function ahead(people: number): Promise<BenchRow[]> {
  const world = await startQueueWorld({ people, processes: 1 });
  try {
    await world.authorizeEverybody();
    const prepared = await prepareAll(world);
    const before = world.classroom.calls().length;
    const walks = await everybodyComes(prepared);
    const took = walks.map((walk) => walk.insideAt - walk.launchedAt);
    const p99 = quantile(took, 0.99);
    const { refusedByLimit } = world.classroom.callCounts();
    const title = `arrivals: ${people} within ${arriveWithin / 1_000} s, logins authorized ahead`;
    return [
      {
        measure: `${title}: launch to redirect`,
        value: `p50 ${quantile(took, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
        limit: `p99 ${wantedP99} ms`,
        ratio: percent(p99 / wantedP99),
      },
      {
        measure: `${title}: who had to wait; calls; answers 429`,
        value: `${walks.filter((walk) => walk.waited).length}; ${world.classroom.calls().length - before}; ${refusedByLimit}`,
        limit: "0; 0; 0",
        ratio: refusedByLimit === 0 ? "kept" : "broken",
      },
    ];
  } finally {
    await world.close();
  }
}

async function cold(people: number, processes: number): Promise<BenchRow[]> {
  const world = await startQueueWorld({ people, processes });
  try {
    const prepared = await prepareAll(world);
    const walks = await everybodyComes(prepared);
    const first = Math.min(...walks.map((walk) => walk.launchedAt));
    const last = (Math.max(...walks.map((walk) => walk.insideAt)) - first) / 1_000;
    const { refusedByLimit, mostInOneSecond } = world.classroom.callCounts();
    const behind = overtaken(world, walks);
    const title = `arrivals: ${people} unexpected, ${processes} ${processes === 1 ? "process" : "processes"}`;
    const best = people / limit;
    return [
      {
        measure: `${title}: the last one is in`,
        value: `${last.toFixed(1)} s`,
        limit: `${best.toFixed(1)} s (${limit} a second)`,
        ratio: percent(last / best, 1),
      },
      {
        measure: `${title}: order, somebody overtaken by who came later`,
        value: `at most ${(behind / 1_000).toFixed(1)} s later`,
        limit: `${overtakenBy / 1_000} s`,
        ratio: percent(behind / overtakenBy),
      },
      {
        measure: `${title}: answers 429; most calls in a second`,
        value: `${refusedByLimit}; ${mostInOneSecond}`,
        limit: `0; ${limit}`,
        ratio: refusedByLimit === 0 && mostInOneSecond <= limit ? "kept" : "broken",
      },
    ];
  } finally {
    await world.close();
  }
}

/** A class that walks in: expected, unexpected, and unexpected with three processes. Takes (2 × people / 4) seconds. */
export async function benchArrivals(people: number): Promise<BenchRow[]> {
  return [...(await ahead(people)), ...(await cold(people, 1)), ...(await cold(people, 3))];
}

function percent(ratio: number, digits = 0): string {
  return `${(ratio * 100).toFixed(digits)}%`;
}
