import { syncRoster, type SyncRosterDeps } from "./sync-roster.ts";
import { claimLasts } from "../../kernel/with-claim.ts";

/** One step of reading rosters: claims the one that is due longest and reads it. */
export function rosterStep(deps: Omit<SyncRosterDeps, "ending">): (ending: AbortSignal) => Promise<boolean> {
  return async (ending) => {
    const now = deps.clock.now();
    const holder = deps.ids.id("hold");
    const sync = await deps.rosterSyncs.claimDue(holder, now, now + claimLasts);
    if (sync === null) return false;
    await syncRoster({ ...deps, ending }, sync, holder);
    return true;
  };
}
