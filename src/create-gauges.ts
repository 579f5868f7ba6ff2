import { collectDefaultMetrics, Counter, Gauge, type Registry } from "prom-client";
import { judgeClock } from "./modules/operations/rules/clock-skew.ts";
import type { ClockWitnesses } from "./modules/operations/clock-witnesses.ts";
import { inTime } from "./modules/operations/in-time.ts";
import { type OperatorReport, troubleNames } from "./modules/operations/report-health.ts";
import type { Clock } from "./kernel/clock.ts";
import { remembered } from "./kernel/remembered.ts";
import type { AttendanceReadingStore } from "./modules/attendance/store/attendance-reading-store.ts";
import type { DeliveryStore } from "./modules/grading/store/delivery-store.ts";
import type { JobStore } from "./modules/operations/store/job-store.ts";
import type { LoginStore } from "./modules/joining/store/login-store.ts";
import type { PlaceStore } from "./modules/joining/store/place-store.ts";
import type { ProvisioningStore } from "./modules/members/store/provisioning-store.ts";
import type { ReceiptStore } from "./inbox/store/receipt-store.ts";
import type { WebhookArrivalStore } from "./modules/operations/store/webhook-arrival-store.ts";

export type GaugesDeps = {
  registry: Registry;
  receipts: Pick<ReceiptStore, "countByState" | "oldestWaiting">;
  deliveries: Pick<DeliveryStore, "countByState" | "oldestWaiting">;
  logins: Pick<LoginStore, "countReady">;
  places: Pick<PlaceStore, "countWaiting">;
  provisioning: Pick<ProvisioningStore, "count">;
  jobs: Pick<JobStore, "list">;
  attendanceReadings: Pick<AttendanceReadingStore, "due">;
  webhookArrivals: Pick<WebhookArrivalStore, "lastAt">;
  witnesses: ClockWitnesses;
  report: () => Promise<OperatorReport>;
  /** Age (ms) of the oldest unsent score from which it is an alarm. */
  unsentAlarmAfter: number;
  clock: Clock;
};

/** Values of a gauge by its labels. */
type Rows = readonly (readonly [labels: Record<string, string>, value: number])[];

/** A reading that takes longer (ms) is left out, so that what the process knows of itself is told in any case. */
const patience = 3_000;
const environments = ["production", "staging"] as const;

/**
 * Figures that are read when they are asked for. However many ask how often, at most a twentieth of the time goes into each
 * reading; one that fails leaves its figures out and is counted.
 */
export function createGauges(deps: GaugesDeps): void {
  const { registry, receipts, deliveries, clock } = deps;
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const unread = new Counter({
    name: "spaces_lti_unread_figures_total",
    help: "Figures that could not be read from the store when they were asked for",
    registers,
  });
  const gauge = (name: string, help: string, labelNames: readonly string[], read: () => Promise<Rows>) => {
    const rows = remembered({ clock }, read);
    new Gauge({
      name: `spaces_lti_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        try {
          const read = await inTime(rows(), patience);
          this.reset();
          for (const [labels, value] of read) this.set(labels, value);
        } catch {
          unread.inc();
          if (labelNames.length === 0) this.set(NaN);
          else this.reset();
        }
      },
    });
  };
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, clock.now() - since) / 1000);

  gauge("receipts", "Stored webhooks by state; failed ones are dead letters", ["state"], async () =>
    byLabel("state", await receipts.countByState()),
  );
  gauge("deliveries", "Scores by state; refused ones are dead letters", ["state"], async () =>
    byLabel("state", await deliveries.countByState()),
  );
  gauge(
    "people_to_prepare",
    "People whose API user is to be made or renamed, by state",
    ["state"],
    async () => byLabel("state", await deps.provisioning.count()),
  );
  gauge("ready_logins", "People for whom a login waits that was authorized ahead", [], async () => [
    [{}, await deps.logins.countReady(clock.now())],
  ]);
  gauge("people_at_the_door", "People who wait to be let in, by environment", ["environment"], () =>
    Promise.all(
      environments.map(
        async (environment) =>
          [{ environment }, await deps.places.countWaiting(environment, clock.now())] as const,
      ),
    ),
  );
  gauge(
    "oldest_waiting_seconds",
    "Age of the oldest unprocessed webhook and of the oldest unsent score",
    ["queue"],
    async () => [
      [{ queue: "receipts" }, age(await receipts.oldestWaiting())],
      [{ queue: "scores" }, age(await deliveries.oldestWaiting())],
    ],
  );
  gauge(
    "unsent_alarm_seconds",
    "Age of the oldest unsent score from which it is an alarm, as ALARM_UNSENT_MINUTES says",
    [],
    () => Promise.resolve([[{}, deps.unsentAlarmAfter / 1000]]),
  );
  gauge(
    "attendance_readings_due",
    "Sessions whose attendance is due to be read from the classroom",
    [],
    async () => [[{}, (await deps.attendanceReadings.due(clock.now())).number]],
  );
  gauge(
    "last_webhook_timestamp_seconds",
    "When a webhook last came, within a minute",
    ["environment"],
    async () => {
      const seen = await Promise.all(
        environments.map(async (environment) => ({
          environment,
          at: await deps.webhookArrivals.lastAt(environment),
        })),
      );
      return seen.flatMap(({ environment, at }) => (at === null ? [] : [[{ environment }, at / 1000]]));
    },
  );
  const list = remembered({ clock }, () => deps.jobs.list());
  gauge("job_last_success_timestamp_seconds", "When a run of a job last ended well", ["job"], async () =>
    (await list()).flatMap(({ name, succeededAt }) =>
      succeededAt === null ? [] : [[{ job: name }, succeededAt / 1000]],
    ),
  );
  gauge("job_last_run", "1 for how the latest ended run of a job ended", ["job", "outcome"], async () =>
    (await list()).flatMap(({ name, runs }) => {
      const outcome = runs.find(({ endedAt }) => endedAt !== null)?.outcome ?? null;
      return outcome === null ? [] : [[{ job: name, outcome }, 1]];
    }),
  );
  gauge(
    "job_overdue_seconds",
    "For how long a job has been due that has not ended since",
    ["job"],
    async () => (await list()).map(({ name, dueAt }) => [{ job: name }, age(dueAt)]),
  );
  gauge("trouble", "1 for what /readyz names", ["what", "level"], async () => {
    const { problems, warnings } = await deps.report();
    return troubleNames.flatMap((what) => [
      [{ what, level: "problem" }, problems.some((one) => one.what === what) ? 1 : 0] as const,
      [{ what, level: "warning" }, warnings.some((one) => one.what === what) ? 1 : 0] as const,
    ]);
  });
  gauge("clock_lead_seconds", "How far this clock is ahead of others; 0 while none can tell", [], () =>
    Promise.resolve([[{}, judgeClock(deps.witnesses.heard()).lead / 1000]]),
  );
}

function byLabel(label: string, counts: Readonly<Record<string, number>>): Rows {
  return Object.entries(counts).map(([value, count]) => [{ [label]: value }, count] as const);
}
