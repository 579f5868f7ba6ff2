import type { BurstWorld } from "./burst-world.ts";

/** Kills the tool (SIGKILL) so many times at random moments, and starts it again each time. */
export async function killTimes(
  { world }: BurstWorld,
  times: number,
  random: () => number,
  longestLife = 1_500,
): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    // Some die while webhooks come in, some while scores are computed or on their way.
    await new Promise((resolve) => setTimeout(resolve, random() * longestLife));
    await world.tool().end("SIGKILL");
    await world.restartTool();
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
