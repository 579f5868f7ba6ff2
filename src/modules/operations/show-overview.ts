import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import { type Alarm, listAlarms, type ListAlarmsDeps } from "./list-alarms.ts";
import { listRegistrations } from "./list-registrations.ts";
import { maxCount } from "./list-receipts.ts";
import { byLight, lightOf, type LmsLight } from "./lms-light.ts";

export type ShowOverviewDeps = ListAlarmsDeps & Pick<App, "webhookArrivals">;

export type LmsLine = {
  registration: Registration;
  light: LmsLight;
  lastLaunchAt: number | null;
  /** Of its environment of the classroom: a webhook names no LMS. */
  lastWebhookAt: number | null;
  scoresWaiting: number;
};

/** Times are milliseconds since the epoch. Counts of webhooks and scores end at `maxCount` and one. */
export type Overview = {
  /** Worst first. */
  alarms: readonly Alarm[];
  /** Courses that somebody has opened. */
  courses: number;
  scoresWaiting: number;
  oldestScoreAt: number | null;
  failedWebhooks: number;
  /** Of all environments; null when none ever came. */
  lastWebhookAt: number | null;
  /** Worst first. */
  lines: readonly LmsLine[];
};

/** Everything an operator looks at first. */
export async function showOverview(deps: ShowOverviewDeps): Promise<Overview> {
  const { receipts, deliveries, webhookArrivals, accounts, clock } = deps;
  const listed = await listRegistrations(deps);
  const [alarms, scoresWaiting, oldestScoreAt, failedWebhooks, arrivals] = await Promise.all([
    listAlarms(deps, listed),
    deliveries.countUpTo("waiting", maxCount + 1),
    deliveries.oldestWaiting(),
    receipts.countUpTo("failed", maxCount + 1),
    Promise.all(accounts.ids().map(async (name) => [name, await webhookArrivals.lastAt(name)] as const)),
  ]);
  const lastWebhooks = new Map(arrivals);
  const now = clock.now();
  const lines = await Promise.all(
    listed.map(async ({ registration, lastLaunchAt }) => {
      const { id, active, environment } = registration;
      const own = alarms.filter((alarm) => alarm.registration?.id === id);
      return {
        registration,
        light: lightOf({ active, alarms: own, lastLaunchAt }, now),
        lastLaunchAt,
        lastWebhookAt: lastWebhooks.get(environment) ?? null,
        scoresWaiting: await deliveries.countWaitingOf(id),
      };
    }),
  );
  return {
    alarms,
    courses: listed.reduce((sum, { courses }) => sum + courses, 0),
    scoresWaiting,
    oldestScoreAt,
    failedWebhooks,
    lastWebhookAt: arrivals.reduce<number | null>(
      (last, [, at]) => (at === null ? last : Math.max(last ?? 0, at)),
      null,
    ),
    lines: lines.toSorted(byLight),
  };
}
