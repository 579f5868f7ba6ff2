import { carryOutErasure, type CarryOutErasureDeps } from "./modules/privacy/carry-out-erasure.ts";
import { cleanFiles } from "./modules/privacy/clean-files.ts";
import type { Config } from "./config.ts";
import { retireOld, type RetireOldDeps } from "./modules/privacy/retire-old.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";

/**
 * Puts together the worker that erases.
 * @param retentionDays See the configuration.
 * @returns `retire` has erased what was kept long enough, and `clean` cleans the files of what is left of it, once a night.
 */
export function buildPrivacy(
  deps: CarryOutErasureDeps & RetireOldDeps,
  { retentionDays }: Pick<Config, "retentionDays">,
): { worker: Worker; retire: () => Promise<number>; clean: () => Promise<unknown> } {
  const worker = createWorker(deps, {
    name: "erasures",
    lanes: 1,
    idleMs: untilWoken,
    step: () => carryOutErasure(deps),
  });
  return {
    worker,
    retire: () => retireOld(deps, retentionDays),
    clean: () => cleanFiles(deps, { night: true }),
  };
}
