import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { AlarmStore } from "./store/alarm-store.ts";
import type { DeliveryStore } from "../grading/store/delivery-store.ts";

export type WatchUnsentDeps = {
  deliveries: Pick<DeliveryStore, "oldestWaiting" | "countByState">;
  alarms: AlarmStore;
  /** Age (ms) of the oldest unsent score from which it is an alarm. */
  unsentAlarmAfter: number;
  clock: Clock;
  logger: Logger;
};

const alarm = "unsent-scores";

/**
 * Says when a score has been waiting for its gradebook for too long: once, by one of all processes, and once more when
 * that is over. Scores that a teacher's grade holds back wait for an instructor and not for an LMS.
 */
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
