import type { App } from "../../app.ts";
import { closedLookIntervalMs, isPauseDue, pausedCodes } from "./rules/lms-pause.ts";

export type LmsIsBackDeps = Pick<App, "deliveries" | "rosterSyncs" | "clock">;

/** An LMS may be asked (again): its scores and rosters that waited for that are due. */
export async function lmsIsBack(deps: LmsIsBackDeps, registrationId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.deliveries.retryLms(registrationId, now);
  await deps.deliveries.unblock({ registrationId }, "lms", now);
  await deps.rosterSyncs.retryPaused(registrationId, pausedCodes, now);
}

export type AskPausedLmssDeps = LmsIsBackDeps & Pick<App, "lmsPauses" | "wake">;

const nextLookMs = { whilePaused: 10_000, otherwise: closedLookIntervalMs };

/**
 * Makes work due for LMSs that may be asked again: a clock that was ahead leaves its times in the future.
 * @returns until the next look (ms)
 */
export async function askPausedLmss(deps: AskPausedLmssDeps): Promise<number> {
  const pauses = await deps.lmsPauses.list();
  // One that begins meanwhile lasts until then.
  if (pauses.length === 0) return nextLookMs.otherwise;
  const due = pauses.filter((pause) => isPauseDue(pause, deps.clock.now()));
  for (const { registrationId } of due) await lmsIsBack(deps, registrationId);
  if (due.length > 0) {
    deps.wake("deliveries");
    deps.wake(deps.rosterSyncs.kind);
  }
  return nextLookMs.whilePaused;
}
