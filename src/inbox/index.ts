import type { App } from "../app.ts";
import { rowsByLabel } from "../kernel/metrics.ts";
import type { Module } from "../module.ts";
import { catchUp } from "../tasks/timetable.ts";
import { createWorker } from "../tasks/create-worker.ts";
import { wokenFor } from "../tasks/work.ts";
import { createAllowance, createWebhookNotes, watchPreviousSecret } from "./webhook-arrivals.ts";
import { processReceipts, processSlowReceipts } from "./process-receipts.ts";
import type { WebhookHandlers } from "./webhook-handlers.ts";
import { webhookRoutes } from "./webhook-routes.ts";

/**
 * Receives the classroom's webhooks, stores them and hands them to the modules. One worker needs only the store. Another may
 * ask the classroom, a few calls a second, so no webhook waits behind a slow one.
 */
export function createInbox(app: App, webhooks: WebhookHandlers): Module {
  const { metrics, receipts, wake } = app;
  metrics.gauge("receipts", "Stored webhooks by state; failed ones are dead letters", ["state"], async () =>
    rowsByLabel("state", await receipts.countByState()),
  );
  const requests = metrics.counter("webhooks_total", "Webhook requests by environment and answer", [
    "environment",
    "answer",
  ]);
  const kinds = metrics.counter(
    "webhook_kinds_total",
    "Webhooks that were settled, by family and eventType; what the interface does not list is other",
    ["family", "event_type"],
  );
  const previousSecret = metrics.counter(
    "webhook_previous_secret_total",
    "Webhook requests that came with the secret from before a rotation",
    ["environment"],
  );
  const noteSecret = createWebhookNotes(app);
  const watchSecret = watchPreviousSecret({
    ...app,
    onUse: (environment) => {
      previousSecret.inc({ environment });
    },
  });
  const processing = {
    ...app,
    webhooks,
    onKind: (labels: { family: string; event_type: string }, count: number) => {
      kinds.inc(labels, count);
    },
  };
  const fresh = createWorker(app, {
    name: "receipts",
    lanes: 2,
    // Waits, because the classroom must get its answers first.
    gather: { quietMs: 40, maxWaitMs: 2_000 },
    step: () => processReceipts(processing),
  });
  const slow = createWorker(app, {
    name: "slow receipts",
    lanes: 2,
    step: () => processSlowReceipts(processing),
  });
  return {
    routes: {
      webhooks: [
        webhookRoutes({
          ...app,
          secretsOf: async (account) => (await app.accounts.lookUp(account))?.webhookSecrets ?? [],
          checkAllowance: createAllowance(app),
          onReceived: () => {
            wake("receipts");
          },
          onAnswer: (environment, answer) => {
            requests.inc({ environment, answer });
          },
          onSecret: (environment, secret) => {
            noteSecret(environment, secret);
            watchSecret(environment, secret);
          },
        }),
      ],
    },
    works: [wokenFor(fresh, "receipts"), wokenFor(slow, "slow-receipts")],
    jobs: [
      {
        name: "process-webhooks",
        at: "*/10 * * * *",
        sooner: { due: ["receipts", "slow-receipts"] },
        run: (ending) =>
          catchUp({ ...app, ending }, { countDue: receipts.countDue, countLeft: receipts.countLeft }),
      },
    ],
  };
}
