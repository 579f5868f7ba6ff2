import type { App } from "../../app.ts";
import { letOthersRun, remembered } from "../../kernel/async.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Module } from "../../module.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { cleanFiles, retireOld } from "../privacy/run-erasure.ts";
import { isAlarmToChange, purge, repairHeads, watchStoreTime, watchUnsent } from "./upkeep.ts";
import { healthRoutes } from "./pages/health-routes.ts";
import { troubleNames } from "./health.ts";

/** How often to compare with the store's time (ms). */
const storeTimeCheckMs = 10_000;
const keyBatchSize = 500;
/** Each process repairs the queues when it starts, again after an update of all instances is over, and then daily (ms). */
const repairAgainMs = 60 * 60_000;
const repairIntervalMs = 24 * repairAgainMs;

/**
 * @param process.stopping Whether this process is about to end.
 * @param process.build Which version runs.
 * @param process.requireWholeDatabase Reads the whole database. If it's damaged, the nightly job fails, which raises an alarm.
 */
export function createOperations(
  app: App,
  process: {
    stopping: () => boolean;
    build: { version: string; node: string };
    requireWholeDatabase: () => Promise<void>;
  },
): Module {
  const { version, node } = process.build;
  app.metrics.gauge("build_info", "Always 1; which version runs", ["version", "node"], () =>
    Promise.resolve([[{ version, node }, 1]]),
  );
  declareMetrics(app);
  const checkClock = watchStoreTime(app);
  const clock = createWorker(app, {
    name: "clock",
    lanes: 1,
    step: async () => (await checkClock()) > 0 || storeTimeCheckMs,
  });
  let repairs = 0;
  const repairing = createWorker(app, {
    name: "heads of queues",
    lanes: 1,
    step: async () => {
      await repairHeads(app);
      repairs += 1;
      return repairs === 1 ? repairAgainMs : repairIntervalMs;
    },
  });
  const { metricsToken, retentionDays } = app.config;
  return {
    routes: { health: [healthRoutes({ ...app, ...process, metrics: app.metrics.registry, metricsToken })] },
    works: [{ worker: clock }, { worker: repairing }],
    jobs: [
      { name: "find-forgotten-work", at: "11 4 * * *", run: () => repairHeads(app) },
      {
        name: "watch-unsent-scores",
        at: "*/10 * * * *",
        sooner: { isNeeded: () => isAlarmToChange(app) },
        run: async () => {
          await watchUnsent(app);
          return null;
        },
      },
      {
        name: "purge",
        at: "41 2 * * *",
        run: async () => {
          const deleted = (await retireOld(app, retentionDays)) + (await purge(app));
          await keyPeople(app);
          await app.tallies.recount();
          await cleanFiles(app, { night: true });
          await process.requireWholeDatabase();
          return deleted;
        },
      },
    ],
  };
}

/** Gives merged people their search keys, so they can be found by name. */
async function keyPeople({ people }: Pick<App, "people">): Promise<void> {
  while ((await people.keyMore(keyBatchSize)) === keyBatchSize) await letOthersRun();
}

function declareMetrics({ metrics, clock, unsentAlarmAfter, ...app }: App): void {
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, clock.now() - since) / 1000);
  metrics.gauge(
    "oldest_waiting_seconds",
    "Age of the oldest unprocessed webhook and of the oldest unsent score",
    ["queue"],
    async () => [
      [{ queue: "receipts" }, age(await app.receipts.oldestWaiting())],
      [{ queue: "scores" }, age(await app.deliveries.oldestWaiting())],
    ],
  );
  metrics.gauge(
    "unsent_alarm_seconds",
    "Age of the oldest unsent score from which it is an alarm, as ALARM_UNSENT_MINUTES says",
    [],
    () => Promise.resolve([[{}, unsentAlarmAfter / 1000]]),
  );
  metrics.gauge(
    "last_webhook_timestamp_seconds",
    "When a webhook last came, within a minute",
    ["environment"],
    async () => {
      const last = await app.webhookArrivals.lastOfAll();
      return app.accounts.ids().flatMap((environment) => {
        const at = last.get(environment);
        return at === undefined ? [] : [[{ environment }, at / 1000]];
      });
    },
  );
  declareJobMetrics(metrics, { list: remembered({ clock }, () => app.jobs.list()), age });
  metrics.gauge("trouble", "1 for what /readyz names", ["what", "level"], async () => {
    const { problems, warnings } = await app.report();
    return troubleNames.flatMap((what) => [
      [{ what, level: "problem" }, problems.some((one) => one.what === what) ? 1 : 0] as const,
      [{ what, level: "warning" }, warnings.some((one) => one.what === what) ? 1 : 0] as const,
    ]);
  });
  metrics.gauge(
    "clock_lead_seconds",
    "How far this machine's clock is ahead of the database's time",
    [],
    () => Promise.resolve([[{}, app.storeTime.lead().ms / 1000]]),
  );
}

function declareJobMetrics(
  metrics: Metrics,
  { list, age }: { list: () => ReturnType<App["jobs"]["list"]>; age: (since: number | null) => number },
): void {
  metrics.gauge(
    "job_last_success_timestamp_seconds",
    "When a run of a job last ended well",
    ["job"],
    async () =>
      (await list()).flatMap(({ name, succeededAt }) =>
        succeededAt === null ? [] : [[{ job: name }, succeededAt / 1000]],
      ),
  );
  metrics.gauge(
    "job_last_run",
    "1 for how the latest ended run of a job ended",
    ["job", "outcome"],
    async () =>
      (await list()).flatMap(({ name, runs }) => {
        const outcome = runs.find(({ endedAt }) => endedAt !== null)?.outcome ?? null;
        return outcome === null ? [] : [[{ job: name, outcome }, 1]];
      }),
  );
  metrics.gauge(
    "job_overdue_seconds",
    "For how long a job has been due that has not ended since",
    ["job"],
    async () => (await list()).map(({ name, dueAt }) => [{ job: name }, age(dueAt)]),
  );
}
