import type { App } from "../../app.ts";

export type SpendTryDeps = Pick<App, "feedback" | "clock">;

const spanMs = 600_000;

/** Counts a try in the current ten minutes, over all processes. @returns false when there were `most` before it. */
export async function spendTry(
  { feedback, clock }: SpendTryDeps,
  what: string,
  most: number,
): Promise<boolean> {
  const { key, until } = spanOf(what, clock.now());
  // Over the limit a try costs a read only.
  if ((await feedback.triesOf(key)) >= most) return false;
  return (await feedback.countTry(key, until)) <= most;
}

/** Whether a try would be refused. */
export async function isSpent(
  { feedback, clock }: SpendTryDeps,
  what: string,
  most: number,
): Promise<boolean> {
  return (await feedback.triesOf(spanOf(what, clock.now()).key)) >= most;
}

/** Takes back a try that turned out not to count. */
export async function giveBackTry({ feedback, clock }: SpendTryDeps, what: string): Promise<void> {
  await feedback.uncountTry(spanOf(what, clock.now()).key);
}

function spanOf(what: string, now: number): { key: string; until: number } {
  const began = now - (now % spanMs);
  return { key: `${what} ${began}`, until: began + spanMs };
}
