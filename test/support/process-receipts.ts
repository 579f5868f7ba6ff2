import type { AttendanceApp } from "../../src/modules/attendance/record-attendance.ts";
import type { App } from "../../src/app.ts";
import {
  processReceipts as processFresh,
  type ProcessReceiptsDeps,
  processSlowReceipts as processSlow,
} from "../../src/inbox/process-receipts.ts";
import { type WebhookHandler, webhookHandlers } from "../../src/inbox/webhook-handlers.ts";
import { attendanceWebhooks } from "../../src/modules/attendance/handle-webhooks.ts";
import { cohortWebhooks, type CohortsApp } from "../../src/modules/cohorts/cohorts.ts";
import { presenceWebhooks, type SignalsApp } from "../../src/modules/presence/record-signals.ts";
import { type KeepEventApp, scheduleWebhooks } from "../../src/modules/scheduling/keep-event.ts";

/** What the inbox needs here, and the modules that act on webhooks. */
export type ProcessingDeps = Omit<ProcessReceiptsDeps, "webhooks"> &
  AttendanceApp &
  KeepEventApp &
  Pick<App, "attendanceReadings" | "receipts" | "seriesChanges"> &
  CohortsApp &
  SignalsApp;

const withHandlers = (deps: ProcessingDeps, more: readonly WebhookHandler[]): ProcessReceiptsDeps => ({
  ...deps,
  webhooks: webhookHandlers([
    attendanceWebhooks(deps),
    scheduleWebhooks(deps),
    cohortWebhooks(deps),
    presenceWebhooks(deps),
    ...more,
  ]),
});

/** Fresh webhooks take effect, about attendance, sessions, cohorts and presence; others are stored if `more` lacks them. */
export const processReceipts = (deps: ProcessingDeps, more: readonly WebhookHandler[] = []) =>
  processFresh(withHandlers(deps, more));

/** Like `processReceipts`, for those that may need a question to the classroom. */
export const processSlowReceipts = (deps: ProcessingDeps, more: readonly WebhookHandler[] = []) =>
  processSlow(withHandlers(deps, more));
