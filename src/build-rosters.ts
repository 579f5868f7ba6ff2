import type { Lms } from "./build-lms.ts";
import {
  regradeAfterChanges,
  type RegradeAfterChangesDeps,
} from "./modules/grading/regrade-after-changes.ts";
import { scheduleRosterRound } from "./modules/members/request-roster.ts";
import type { SyncRosterDeps } from "./modules/members/sync-roster.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";
import { rosterStep } from "./modules/members/roster-worker.ts";

/** The worker that reads rosters, and what the timetable does about them. */
export type Rosters = {
  worker: Worker;
  /** Puts courses in use on tonight's round. */
  planRound: () => Promise<void>;
};

/** Puts together the reading of rosters: two at a time, so that nobody at the door notices. */
export function buildRosters(
  deps: Omit<SyncRosterDeps, "roster" | "groups" | "ending" | "regradeAfterChanges"> &
    RegradeAfterChangesDeps & { lms: Pick<Lms, "roster" | "groups"> },
): Rosters {
  const { clock, rosterSyncs } = deps;
  const { roster, groups } = deps.lms;
  const ending = new AbortController();
  const worker = createWorker(deps, {
    name: "rosters",
    lanes: 2,
    idleMs: untilWoken,
    step: rosterStep({
      ...deps,
      ...{ roster, groups, ending: ending.signal },
      regradeAfterChanges: (course) => regradeAfterChanges(deps, course),
    }),
  });
  return {
    worker: {
      ...worker,
      stop: () => {
        ending.abort();
        return worker.stop();
      },
    },
    planRound: async () => {
      await scheduleRosterRound({ rosterSyncs, clock, random: Math.random });
    },
  };
}
