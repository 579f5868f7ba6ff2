import { planReadings, type PlanReadingsDeps } from "./modules/attendance/plan-readings.ts";
import type { ReconcileEventDeps } from "./modules/attendance/reconcile-event.ts";
import { applyNextMatch, type ApplyMatchesDeps } from "./modules/matching/apply-matches.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";
import { readingStep } from "./modules/attendance/reading-worker.ts";

/** The workers that read attendance from the classroom and apply what instructors matched. */
export type Readings = {
  readings: Worker;
  matches: Worker;
  /** Plans readings of sessions that have ended. @returns how many. */
  plan: () => Promise<number>;
};

/** Puts together what makes attendance complete: reading it from the classroom, and matching whom it names. */
export function buildReadings(
  deps: Omit<ReconcileEventDeps, "ending"> & ApplyMatchesDeps & PlanReadingsDeps,
): Readings {
  const ending = new AbortController();
  const readings = createWorker(deps, {
    name: "attendance readings",
    lanes: 1,
    idleMs: untilWoken,
    step: readingStep({ ...deps, ending: ending.signal }),
  });
  const matches = createWorker(deps, {
    name: "matches",
    lanes: 1,
    idleMs: untilWoken,
    step: () => applyNextMatch(deps),
  });
  return {
    readings: {
      ...readings,
      stop: () => {
        ending.abort();
        return readings.stop();
      },
    },
    matches,
    plan: () => planReadings(deps),
  };
}
