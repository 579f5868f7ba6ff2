import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Clock } from "./kernel/clock.ts";
import type { DeliveryStore } from "./storage/delivery-store.ts";
import type { AttendanceReadingStore } from "./storage/attendance-reading-store.ts";
import type { JobStore } from "./storage/job-store.ts";
import type { LoginStore } from "./storage/login-store.ts";
import type { ProvisioningStore } from "./storage/provisioning-store.ts";
import type { PlaceStore } from "./storage/place-store.ts";
import type { ReceiptStore } from "./storage/receipt-store.ts";

/** What `/metrics` tells; queue figures are read from the store when it is asked. */
export function createMetrics(deps: {
  receipts: ReceiptStore;
  deliveries: DeliveryStore;
  logins: LoginStore;
  places: PlaceStore;
  provisioning: ProvisioningStore;
  jobs: JobStore;
  attendanceReadings: Pick<AttendanceReadingStore, "due">;
  clock: Clock;
}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const { receipts, deliveries, logins, places, provisioning, clock } = deps;
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, clock.now() - since) / 1000);

  new Gauge({
    name: "spaces_lti_receipts",
    help: "Stored webhooks by state",
    labelNames: ["state"],
    registers,
    async collect() {
      for (const [state, count] of Object.entries(await receipts.countByState())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: "spaces_lti_deliveries",
    help: "Scores by state",
    labelNames: ["state"],
    registers,
    async collect() {
      for (const [state, count] of Object.entries(await deliveries.countByState()))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: "spaces_lti_people_to_prepare",
    help: "People whose API user is to be made or renamed, by state",
    labelNames: ["state"],
    registers,
    async collect() {
      for (const [state, count] of Object.entries(await provisioning.count())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: "spaces_lti_ready_logins",
    help: "People for whom a login waits that was authorized ahead",
    registers,
    async collect() {
      this.set(await logins.countReady(clock.now()));
    },
  });
  new Gauge({
    name: "spaces_lti_people_at_the_door",
    help: "People who wait to be let in, by environment",
    labelNames: ["environment"],
    registers,
    async collect() {
      for (const environment of ["production", "staging"] as const)
        this.set({ environment }, await places.countWaiting(environment, clock.now()));
    },
  });
  new Gauge({
    name: "spaces_lti_oldest_waiting_seconds",
    help: "Age of the oldest unprocessed webhook and of the oldest unsent score",
    labelNames: ["queue"],
    registers,
    async collect() {
      this.set({ queue: "receipts" }, age(await receipts.oldestWaiting()));
      this.set({ queue: "scores" }, age(await deliveries.oldestWaiting()));
    },
  });
  new Gauge({
    name: "spaces_lti_attendance_readings_due",
    help: "Sessions whose attendance is due to be read from the classroom",
    registers,
    async collect() {
      this.set((await deps.attendanceReadings.due(clock.now())).number);
    },
  });
  new Gauge({
    name: "spaces_lti_job_last_success_timestamp_seconds",
    help: "When a run of a job last ended well",
    labelNames: ["job"],
    registers,
    async collect() {
      for (const { name, succeededAt } of await deps.jobs.list())
        if (succeededAt !== null) this.set({ job: name }, succeededAt / 1000);
    },
  });
  return {
    registry,
    launches: new Counter({
      name: "spaces_lti_launches_total",
      help: "Launches by outcome",
      labelNames: ["outcome"],
      registers,
    }),
    notices: new Counter({
      name: "spaces_lti_notices_total",
      help: "Notices of LMSs by outcome",
      labelNames: ["outcome"],
      registers,
    }),
    entries: new Counter({
      name: "spaces_lti_entries_total",
      help: "People let in, with a login authorized ahead or through the line",
      labelNames: ["way"],
      registers,
    }),
    webhooks: new Counter({
      name: "spaces_lti_webhooks_total",
      help: "Webhook requests by environment and answer",
      labelNames: ["environment", "answer"],
      registers,
    }),
    provisioning: new Counter({
      name: "spaces_lti_provisioning_total",
      help: "Attempts to make or rename an API user ahead by outcome",
      labelNames: ["outcome"],
      registers,
    }),
    scores: new Counter({
      name: "spaces_lti_score_attempts_total",
      help: "Attempts to send a score by outcome",
      labelNames: ["outcome"],
      registers,
    }),
  };
}
