import { Router } from "express";
import { z } from "zod";
import {
  alertPriorityText,
  alertStatusText,
  alertText,
  cameText,
  statusBeside,
} from "../../alerts/pages/alerts-view.ts";
import { courseName } from "../../courses/rules/course.ts";
import { type AlertFilter, listAllAlerts, type ListedAlert } from "../../operations/courses.ts";
import { type Alarm, listAlarms, unmatchedAlarmDays } from "../../operations/list-alarms.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { addressWith } from "./fields.ts";
import type { Gate, Visit } from "./gate.ts";
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
        title: t("console.areas.alarms"),
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

const about = ["courses", "none"] as const;
const states = ["open", "closed"] as const;
const shape = z.object({
  about: z.enum(["", ...about]).catch(""),
  state: z.enum(["", ...states]).catch(""),
});
type AlertQuery = z.infer<typeof shape>;

export type AllAlertsPage = ConsoleFrame & {
  query: AlertQuery;
  about: typeof about;
  states: typeof states;
  filtered: boolean;
  /** `came`: people came, although the alert says that nobody did. */
  alerts: (Omit<ListedAlert, "came" | "course"> & {
    text: string;
    /** Status and priority in words. */
    status: string | null;
    priority: string | null;
    came: string | null;
    courseName: string | null;
  })[];
  /** Whether this is the first page, and where that and the next one are. */
  first: boolean;
  firstPage: string;
  next: string | null;
};

const allAlertsPage = defineView<AllAlertsPage>("admin/alerts");

/** Of all courses, and those that no course is told about. For operators only. */
export function alertsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/alerts",
    gate.page((visit) => showAlerts(deps, visit)),
  );
  return router;
}

async function showAlerts(deps: ConsoleApp, { request, show, t }: Visit): Promise<void> {
  const query = shape.parse(request.query);
  const { before } = request.query;
  const from = typeof before === "string" && before !== "" ? before : null;
  const { alerts, next } = await listAllAlerts(deps, filterOf(query), from);
  show({
    view: allAlertsPage,
    title: t("common.alerts"),
    area: "alerts",
    model: {
      query,
      about,
      states,
      filtered: query.about !== "" || query.state !== "",
      alerts: alerts.map(({ course, ...one }) => {
        const status = statusBeside(one.alert);
        return {
          ...one,
          text: alertText(t, one.alert.alertType),
          status: status === null ? null : alertStatusText(t, status),
          priority: one.alert.priority === null ? null : alertPriorityText(t, one.alert.priority),
          came: one.came === 0 ? null : cameText(t, one.came),
          courseName: course === null ? null : courseName(course),
        };
      }),
      first: from === null,
      firstPage: addressWith("/admin/alerts", query),
      next: next === null ? null : addressWith("/admin/alerts", { ...query, before: next }),
    },
  });
}

function filterOf(query: AlertQuery): AlertFilter {
  return {
    about: query.about === "" ? null : query.about,
    closed: query.state === "" ? null : query.state === "closed",
  };
}

/** Launches that were refused, an LMS and a reason at a time. */
export type LaunchesPage = ConsoleFrame & {
  /** Only this LMS is shown; null for all. */
  only: string | null;
  refused: {
    /** Of a registered LMS; null: what the request said is `said`. */
    lms: { name: string; link: string } | null;
    said: string;
    advice: Advice;
    code: string;
    count: string;
    lastAt: number;
    reference: string;
  }[];
};

const launchesPage = defineView<LaunchesPage>("admin/launches");

/** What an operator does about it, under `console.launches.advice`. */
type Advice =
  "unknown" | "off" | "deployment" | "clock" | "keys" | "browser" | "busy" | "app" | "id" | "settings";

const advices: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  ["platform-unknown", "unknown"],
  ["client-id-missing", "unknown"],
  ["platform-inactive", "off"],
  ["deployment-refused", "deployment"],
  ["launch-expired", "clock"],
  ["token-expired", "clock"],
  ["token-times", "clock"],
  ["token-key-unknown", "keys"],
  ["token-signature", "keys"],
  ["token-algorithm", "keys"],
  ["token-issuer", "keys"],
  ["token-audience", "keys"],
  ["platform-keys-unreachable", "keys"],
  ["browser-unknown", "browser"],
  ["launch-used", "browser"],
  ["token-nonce", "browser"],
  ["platform-login-required", "browser"],
  ["platform-login-hidden", "browser"],
  ["platform-launch-expired", "browser"],
  ["launches-many", "busy"],
  ["launch-without-login", "app"],
  ["id-unusable", "id"],
]);

/** Why launches failed. For operators only: a request may name any LMS. */
export function launchesPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/launches",
    gate.page(async ({ show, t, request }) => {
      const [all, registrations] = await Promise.all([
        deps.refusedLaunches.list(),
        deps.registrations.list(),
      ]);
      const { lms } = request.query;
      const only = registrations.find(({ id }) => id === lms) ?? null;
      const refused = only === null ? all : all.filter(({ registrationId }) => registrationId === only.id);
      const names = new Map(registrations.map(({ id, name }) => [id, name]));
      show({
        view: launchesPage,
        title: t("console.areas.launches"),
        area: "launches",
        model: {
          only: only?.name ?? null,
          refused: refused.map(({ registrationId, issuer, clientId, code, count, lastAt, reference }) => {
            const name = names.get(registrationId);
            return {
              lms: name === undefined ? null : { name, link: `/admin/registrations/${registrationId}` },
              said: [issuer, clientId].filter((text) => text !== "").join(" · "),
              advice: advices.get(code) ?? "settings",
              ...{ code, count: numberText(t, count), lastAt, reference },
            };
          }),
        },
      });
    }),
  );
  return router;
}
