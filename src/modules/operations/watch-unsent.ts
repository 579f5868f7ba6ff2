import type { App } from "../../app.ts";

export type WatchUnsentDeps = Pick<App, "deliveries" | "alarms" | "unsentAlarmAfter" | "clock" | "logger">;

const alarm = "unsent-scores";

/** Whether `watchUnsent` has something to report. */
export async function isAlarmToChange(deps: WatchUnsentDeps): Promise<boolean> {
  const oldest = await deps.deliveries.oldestWaiting();
  const waitsTooLong = oldest !== null && deps.clock.now() - oldest > deps.unsentAlarmAfter;
  return waitsTooLong !== (await deps.alarms.isOn(alarm));
}

/** One report when a score waits too long for its gradebook, one when that ends. Held scores do not count. */
export async function watchUnsent(deps: WatchUnsentDeps): Promise<void> {
  const { deliveries, alarms, clock, logger } = deps;
  const now = clock.now();
  const oldest = await deliveries.oldestWaiting();
  if (oldest !== null && now - oldest > deps.unsentAlarmAfter) {
    if (!(await alarms.raise(alarm, now))) return;
    const { waiting, held } = await deliveries.countByState();
    const waitsSince = new Date(oldest).toISOString();
    logger.error(
      { alarm, waitsSince, waiting, held },
      "scores have been waiting for their gradebook for too long",
    );
    return;
  }
  const since = await alarms.end(alarm);
  if (since !== null) logger.info({ alarm, lastedMs: now - since }, "no score waits too long any more");
}
