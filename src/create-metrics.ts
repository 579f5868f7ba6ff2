import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Clock } from "./kernel/clock.ts";
import type { DeliveryStore } from "./storage/delivery-store.ts";
import type { ReceiptStore } from "./storage/receipt-store.ts";

/** What `/metrics` tells; queue figures are read from the store when it is asked. */
export function createMetrics(deps: { receipts: ReceiptStore; deliveries: DeliveryStore; clock: Clock }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const { receipts, deliveries, clock } = deps;
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
    name: "spaces_lti_oldest_waiting_seconds",
    help: "Age of the oldest unprocessed webhook and of the oldest unsent score",
    labelNames: ["queue"],
    registers,
    async collect() {
      this.set({ queue: "receipts" }, age(await receipts.oldestWaiting()));
      this.set({ queue: "scores" }, age(await deliveries.oldestWaiting()));
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
    webhooks: new Counter({
      name: "spaces_lti_webhooks_total",
      help: "Webhook requests by environment and answer",
      labelNames: ["environment", "answer"],
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
