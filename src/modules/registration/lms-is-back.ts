import { isPauseDue, pausedCodes } from "./rules/lms-pause.ts";
import type { Wake } from "../../tasks/wake.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DeliveryStore } from "../grading/store/delivery-store.ts";
import type { LmsPauseStore } from "./store/lms-pause-store.ts";
import type { RosterSyncStore } from "../members/store/roster-sync-store.ts";

export type LmsIsBackDeps = {
  deliveries: Pick<DeliveryStore, "retryLms">;
  rosterSyncs: Pick<RosterSyncStore, "retryPaused">;
  clock: Clock;
};

/** An LMS that was left alone can be asked (again): its scores and readings of rosters that waited for that are due. */
export async function lmsIsBack(deps: LmsIsBackDeps, registrationId: string): Promise<void> {
  const now = deps.clock.now();
  await deps.deliveries.retryLms(registrationId, now);
  await deps.rosterSyncs.retryPaused(registrationId, pausedCodes, now);
}

export type AskPausedLmssDeps = LmsIsBackDeps & {
  lmsPauses: Pick<LmsPauseStore, "list">;
  wake: Wake;
};

/**
 * Sees to it that an LMS which may be asked again has something to be asked: a clock that was ahead and was set right
 * leaves every due time in the future.
 */
export async function askPausedLmss(deps: AskPausedLmssDeps): Promise<void> {
  const due = (await deps.lmsPauses.list()).filter((pause) => isPauseDue(pause, deps.clock.now()));
  for (const { registrationId } of due) await lmsIsBack(deps, registrationId);
  if (due.length === 0) return;
  deps.wake("deliveries");
  deps.wake("rosters");
}
