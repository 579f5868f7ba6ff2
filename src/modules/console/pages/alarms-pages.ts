import { Router } from "express";
import { type Alarm, listAlarms, unmatchedAlarmDays } from "../../operations/list-alarms.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type AlarmsPage = ConsoleFrame & AlarmsShown;

/** `days`: webhooks may wait so long. `link`: to the page that fixes it; null when that is not in the console. */
export type AlarmsShown = { alarms: readonly (Alarm & { link: string | null })[]; days: number };

/** The list of alarms, each with the way to what fixes it. */
export type AlarmList = Pick<AlarmsPage, "t" | "moment" | "alarms" | "days">;

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

/** Null when it is not in the console. */
function linkOf({ what, registration }: Alarm): string | null {
  if (registration !== null) return `/admin/registrations/${registration.id}`;
  switch (what) {
    case "receipts":
      return "/admin/receipts?state=waiting";
    case "failed-webhooks":
      return "/admin/receipts?state=failed";
    case "unmatched-webhooks":
      return "/admin/receipts?state=unmatched";
    case "scores":
      return "/admin/deliveries?state=waiting";
    case "refused-scores":
      return "/admin/deliveries?state=refused";
    case "jobs":
      return "/admin/jobs";
    case "restored":
      return "/admin/restored";
    case "audit-log":
      return "/admin/audit";
    case "webhooks":
      return "/admin/classroom";
    default:
      return null;
  }
}
