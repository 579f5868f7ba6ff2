import type { BurstScript } from "./burst-script.ts";
import type { Progress } from "./burst-sender.ts";
import { type BurstWorld, send } from "./burst-world.ts";
import { until } from "../until.ts";

/**
 * Sends a burst and kills the tool (SIGKILL) so many times at random points of it, starting it again each time: some die
 * while webhooks come in, some while scores are computed or on their way. Resolves when all is acknowledged and the last
 * one runs.
 * @returns how the burst was taken.
 */
export async function sendAndKill(
  burst: BurstWorld,
  script: BurstScript,
  { times, random, patience }: { times: number; random: () => number; patience: number },
) {
  const progress: Progress = { acknowledged: 0 };
  const { world } = burst;
  const before = world.lms.scores().length;
  const wanted = [...script.scores.values()].filter((score) => score !== null).length;
  // Each learner who has a score brings one call at least; kills cost time, not calls, so every point is reached.
  const points = Array.from({ length: times }, () => random() * (script.bodies.length + wanted * 0.9)).sort(
    (one, other) => one - other,
  );
  const kill = async () => {
    for (const point of points) {
      const isThere = () => progress.acknowledged + world.lms.scores().length - before >= point;
      await until(patience, "the burst went on", isThere, 5);
      await world.tool().end("SIGKILL");
      await world.restartTool();
    }
  };
  const killing = kill();
  try {
    return await send(burst, script, patience, progress);
  } finally {
    // Otherwise it would start the tool once more after everything has ended.
    await killing;
  }
}

/**
 * From now on the LMS fails 30 of 100 calls for tokens, columns and scores: with 500, 429 with and without a time to
 * wait, and no answer; for scores also with 409, an answer that is lost after the work was done, and one that comes
 * too late. What it shows of grades stays readable: how an attempt ends is then a matter of the call that counts.
 */
export function failingLms({ world }: BurstWorld, { timeOuts = true } = {}): void {
  const { faults } = world.lms;
  // The first that hits is met, so a later one hits a little less often than its share of all calls.
  faults.add({ on: "scores", how: "answer", status: 409, share: 0.06 });
  faults.add({ on: "scores", how: "lose-answer", share: 0.08 });
  // The tool waits ten seconds for an answer, which a short test cannot spend.
  if (timeOuts) faults.add({ on: "scores", how: "slow", delayMs: 11_000, share: 0.01 });
  for (const on of ["token", "line-items", "line-item", "scores"] as const) {
    if (on !== "scores") faults.add({ on, how: "hang-up", share: 0.15 });
    faults.add({ on, how: "answer", status: 500, share: 0.09 });
    faults.add({ on, how: "answer", status: 429, retryAfter: 1, share: 0.05 });
    faults.add({ on, how: "answer", status: 429, share: 0.05 });
  }
}
