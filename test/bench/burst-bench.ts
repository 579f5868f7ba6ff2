import { loadavg } from "node:os";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { until } from "../support/until.ts";
import { metric } from "../support/tool/start-world.ts";
import type { Acceptance } from "../support/tool/burst-sender.ts";
import type { BenchRow } from "./bench-row.ts";
import {
  burstFor,
  type BurstScript,
  type BurstWorld,
  failingLms,
  isQuiet,
  postsOf,
  sendAndKill,
  startBurstWorld,
  wrongScores,
} from "../support/tool/burst-world.ts";

const size = { learners: 150, events: 8, webhooks: 1_000 };
/** Milliseconds within which a burst must have finished, whatever goes wrong on the way. */
const patience = 600_000;
const wantedPerSecond = 500;

/** One variant of a burst. */
type Way = { name: string; kills: number; lmsFails: boolean };

const ways: readonly Way[] = [
  { name: "all well", kills: 0, lmsFails: false },
  { name: "tool killed ten times", kills: 10, lmsFails: false },
  { name: "LMS fails 30 % of calls", kills: 0, lmsFails: true },
];

/**
 * A burst of 1,000 attendance webhooks for 150 learners: how fast they are stored, how soon every score is in the gradebook, and how many
 * scores were sent - in normal operation, with the tool killed ten times, and with an LMS that fails a third of the calls. Takes about five
 * minutes.
 */
export async function benchBurst(seed = 1): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const way of ways) rows.push(...(await burst(way, seed)));
  return rows;
}

async function burst(way: Way, seed: number): Promise<BenchRow[]> {
  const burstWorld = await startBurstWorld(size);
  try {
    if (way.lmsFails) failingLms(burstWorld);
    // A killed process loses its figures.
    const cpu = async () => (way.kills > 0 ? 0 : metric(burstWorld.world, "process_cpu_seconds_total"));
    const script = burstFor(burstWorld, size.webhooks, seed);
    const stalls = watchHealth(burstWorld.world.toolUrl);
    const began = performance.now();
    const cpuBefore = await cpu();
    const killing = { times: way.kills, random: seededRandom(seed), patience };
    const acceptance = await sendAndKill(burstWorld, script, killing);
    const cpuMs = ((await cpu()) - cpuBefore) * 1_000;
    await until(patience, "every score arrived", () => wrongScores(burstWorld, script).length === 0);
    const arrived = performance.now() - began;
    await until(patience, "the tool came to rest", () => isQuiet(burstWorld));
    const longestStall = await stalls.end();
    const rest = performance.now() - began;
    return rowsOf(way, burstWorld, script, acceptance, { arrived, rest, longestStall, cpuMs });
  } finally {
    await burstWorld.close();
  }
}

function rowsOf(
  { name, kills }: Way,
  burstWorld: BurstWorld,
  script: BurstScript,
  { took, answers, again }: Acceptance,
  times: { arrived: number; rest: number; longestStall: number; cpuMs: number },
): BenchRow[] {
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
  const perSecond = (script.bodies.length / took) * 1_000;
  const posts = postsOf(burstWorld);
  const sent = posts.reduce((sum, { taken }) => sum + taken.length, 0);
  const most = Math.max(...posts.map(({ taken }) => taken.length));
  const repeated = posts.reduce((sum, one) => sum + one.repeated, 0);
  const needed = [...script.scores.values()].filter((score) => score !== null).length;
  const changes = [...script.changes.values()].reduce((sum, count) => sum + count, 0);
  const wrong = wrongScores(burstWorld, script).length;
  const slow = answers[Math.floor(answers.length * 0.99)] ?? NaN;
  const row = (measure: string, value: string, limit: string, ratio: string): BenchRow => {
    return { measure: `${name}: ${measure}`, value, limit, ratio };
  };
  const percent = (value: number, limit: number) => `${((value / limit) * 100).toFixed(0)}%`;
  return [
    row(
      `webhooks stored (${load}${again > 0 ? `, ${again} sent again` : ""})`,
      `${perSecond.toFixed(0)}/s`,
      kills > 0 ? "none while killed" : `${wantedPerSecond}/s`,
      kills > 0 ? "-" : percent(perSecond, wantedPerSecond),
    ),
    ...(kills > 0
      ? []
      : [
          row(
            "work of the tool for each until stored",
            `${(times.cpuMs / script.bodies.length).toFixed(2)} ms of a core`,
            `${1_000 / wantedPerSecond} ms`,
            percent(times.cpuMs / script.bodies.length, 1_000 / wantedPerSecond),
          ),
        ]),
    row("99 of 100 answered within", `${slow.toFixed(0)} ms`, "10,000 ms", percent(slow, 10_000)),
    row("last score in the gradebook after", seconds(times.arrived), "60 s", percent(times.arrived, 60_000)),
    row("at rest after", seconds(times.rest), "none", "-"),
    // A process that has just started has everything to do at once.
    ...(kills > 0
      ? []
      : [
          row(
            "health answered after at most",
            `${times.longestStall.toFixed(0)} ms`,
            "1,000 ms",
            percent(times.longestStall, 1_000),
          ),
        ]),
    row("learners with a wrong score", String(wrong), "0", wrong === 0 ? "as it must be" : "WRONG"),
    row(
      `scores the LMS took, for ${changes} changes`,
      String(sent),
      `${needed} needed`,
      percent(sent, needed),
    ),
    row("most scores for one learner", String(most), "-", "-"),
    row(
      "scores taken that were there already",
      String(repeated),
      "0",
      repeated === 0 ? "as it must be" : "NEEDLESS",
    ),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Checks ten times a second whether the tool is alive. A request that finds no process does not count. */
function watchHealth(toolUrl: string): { end: () => Promise<number> } {
  const state = { ended: false, longest: 0 };
  const watch = async () => {
    while (!state.ended) {
      const asked = performance.now();
      const answered = await fetch(`${toolUrl}/healthz`).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok;
        },
        () => false,
      );
      if (answered) state.longest = Math.max(state.longest, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const watching = watch();
  return {
    end: async () => {
      state.ended = true;
      await watching;
      return state.longest;
    },
  };
}
