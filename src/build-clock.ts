import { watchOwnClock, type WatchOwnClockDeps } from "./modules/operations/watch-own-clock.ts";
import { createWorker, type Worker } from "./tasks/create-worker.ts";
import type { Clock } from "./kernel/clock.ts";

/** Puts together what looks whether the machine's clock was set back. */
export function buildClock(deps: Omit<WatchOwnClockDeps, "elapsed"> & { clock: Clock }): Worker {
  const look = watchOwnClock({ ...deps, elapsed: () => performance.now() });
  // Each step is one look; then it sleeps.
  const step = async () => (await look()) > 0;
  return createWorker(deps, { name: "clock", lanes: 1, idleMs: 5_000, step });
}
