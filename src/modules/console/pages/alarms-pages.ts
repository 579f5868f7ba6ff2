import { Router } from "express";
import { type Alarm, listAlarms, unmatchedAlarmDays } from "../../operations/list-alarms.ts";
import { defineView } from "../../../web/view.ts";
import { addressWith } from "./address-with.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type AlarmsPage = ConsoleFrame & AlarmsShown;

/** `days`: webhooks may wait so long. `link`: to the page that fixes it; null when that is not in the console. */
export type AlarmsShown = { alarms: readonly (Alarm & { link: string | null })[]; days: number };

/** The list of alarms, each with the way to what fixes it. */
export type AlarmList = Pick<AlarmsPage, "t" | "moment" | "accountName" | "alarms" | "days">;

const alarmsPage = defineView<AlarmsPage>("admin/alarms");

export function alarmsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/alarms",
    gate.page(async ({ show, t }) => {
      const alarms = await listAlarms(deps);
      show({
        view: alarmsPage,
        title: t("inbox.alarms.heading"),
        area: "alarms",
        model: alarmsShown(alarms),
      });
    }),
  );
  return router;
}

export function alarmsShown(alarms: readonly Alarm[]): AlarmsShown {
  return { alarms: alarms.map((alarm) => ({ ...alarm, link: linkOf(alarm) })), days: unmatchedAlarmDays };
}

/** To what mends it; null where that is done elsewhere, as the alarm says. */
function linkOf({ what, registration, account }: Alarm): string | null {
  if (registration !== null)
    return what === "launches-fail"
      ? addressWith(pages[what], { lms: registration.id })
      : `/admin/registrations/${registration.id}${partOf[what] ?? ""}`;
  return account === null ? pages[what] : `/admin/accounts/${account}${partOf[what] ?? ""}`;
}

/** Where on the page of an LMS or an account. */
const partOf: Readonly<Partial<Record<Alarm["what"], string>>> = {
  "lms-refused": "#connection",
  "lms-closed": "#connection",
  connection: "#connection",
  "new-deployments": "#deployments",
  webhooks: "#webhooks",
  "account-unreadable": "#key",
};

const pages = {
  store: null,
  process: null,
  receipts: "/admin/receipts?state=waiting",
  scores: "/admin/deliveries?state=waiting",
  webhooks: "/admin/accounts",
  "webhooks-refused": "/admin/receipts",
  clock: null,
  "failed-webhooks": "/admin/receipts?state=failed",
  "unmatched-webhooks": "/admin/receipts?state=unmatched",
  "refused-scores": "/admin/deliveries?state=refused",
  jobs: "/admin/jobs",
  "lms-refused": "/admin/registrations",
  "lms-closed": "/admin/registrations",
  connection: "/admin/registrations",
  "new-deployments": "/admin/registrations",
  "environment-off": "/admin/classroom",
  "launches-fail": "/admin/launches",
  "account-unreadable": "/admin/accounts",
  "account-fails": "/admin/accounts",
} as const satisfies Readonly<Record<Alarm["what"], string | null>>;
