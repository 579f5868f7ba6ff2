import type { Router } from "express";
import { z } from "zod";
import {
  alertPriorityText,
  alertStatusText,
  alertText,
  cameText,
  statusBeside,
} from "../../alerts/pages/alerts-view.ts";
import { courseName } from "../../courses/rules/course.ts";
import type { LaunchRefusalCode } from "../../../domain/launch-refusal.ts";
import { listAllAlerts, type ListedAlert } from "../../operations/courses.ts";
import { type Alarm, listAlarms } from "../../operations/list-alarms.ts";
import type { RefusedLaunches } from "../../registration/store/lms-trouble-store.ts";
import type { KeysUnder, MessageKey, Translate } from "../../../web/translate.ts";
import { adviceText, numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate } from "./gate.ts";
import { nameOfAccount } from "./in-words.ts";
import { consoleList } from "./list.ts";
import { choices, type LineView, table } from "./list-view.ts";
import type { PageOf } from "./partials.ts";
import { addressWith, formField, orNull } from "./requests.ts";

export type AlarmsPage = PageOf<typeof alarmsView>;

/** The list of alarms, each with a link to what fixes it. */
export type AlarmList = Pick<AlarmsPage, "t" | "time" | "accountName" | "alarms">;

const alarmsPage = defineView<AlarmsPage>("admin/alarms");

export function alarmsPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page } = gate.routes();
  page("/alarms", async ({ show, t }) => {
    const model = alarmsView(t, await listAlarms(app));
    show({ view: alarmsPage, title: t("console.areas.alarms"), area: "alarms", model });
  });
  return router;
}

/** `link`: to the page that fixes it, or null if that isn't in the console. */
export function alarmsView(t: Translate, alarms: readonly Alarm[]) {
  const view = (alarm: Alarm) => ({
    ...alarm,
    text: adviceText(t, alarm.message, alarm.coded),
    link: linkOf(alarm),
  });
  return { alarms: alarms.map(view) };
}

/** A link to what fixes it. Null if that is done elsewhere, which the alarm says. */
function linkOf({ what, registration, account }: Alarm): string | null {
  if (registration !== null)
    return what === "launches-fail"
      ? addressWith(pages[what], { lms: registration.id })
      : `/admin/registrations/${registration.id}${partOf[what] ?? ""}`;
  return account === null ? pages[what] : `/admin/accounts/${account}${partOf[what] ?? ""}`;
}

/** The part of an LMS's or an account's page that fixes it. */
const partOf: Readonly<Partial<Record<Alarm["what"], string>>> = {
  "lms-refused": "?tab=connection",
  "lms-closed": "?tab=connection",
  "lms-silent": "?tab=connection",
  connection: "?tab=connection",
  "new-deployments": "?tab=connection#deployments",
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
  "lms-silent": "/admin/registrations",
  connection: "/admin/registrations",
  "new-deployments": "/admin/registrations",
  "environment-off": "/admin/classroom",
  "launches-fail": "/admin/launches",
  "account-unreadable": "/admin/accounts",
  "account-fails": "/admin/accounts",
} as const satisfies Readonly<Record<Alarm["what"], string | null>>;

const aboutWhat = ["courses", "none"] as const;
const states = ["open", "closed"] as const;
const shape = z.object({
  about: z.enum(["", ...aboutWhat]).catch(""),
  state: z.enum(["", ...states]).catch(""),
});

/** Alerts of all courses, and alerts about no course. For operators only. */
export function alertsPages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/alerts",
    area: "alerts",
    read: (given) => shape.parse(given),
    rows: async ({ t, query, cursor }) => {
      const closed = query.state === "" ? null : query.state === "closed";
      const { alerts, next } = await listAllAlerts(app, { about: orNull(query.about), closed }, cursor);
      return { tables: [alertsTable(app, t, alerts)], next };
    },
    around: ({ t, query: { about, state }, cursor }, { next }) => {
      const isFirst = about === "" && state === "" && cursor === null;
      const none = isFirst ? "console.alerts.noneYet" : "console.alerts.none";
      const aboutText = (one: (typeof aboutWhat)[number]) => t(`console.alerts.filter.abouts.${one}`);
      const any = t("inbox.any");
      return {
        lead: t("console.alerts.lead"),
        filter: {
          fields: [
            choices(["about", t("nav.sessions"), about], aboutWhat, aboutText, any),
            choices(["state", t("common.state"), state], states, (one) => t(`console.alerts.${one}`), any),
          ],
        },
        empty: t(next !== null ? "console.alerts.noneHere" : none),
      };
    },
  });
}

function alertsTable({ accounts }: ConsoleApp, t: Translate, rows: readonly ListedAlert[]) {
  return table({ label: t("common.alerts"), rows }, ({ column, plain }) => [
    plain(t("console.alerts.id"), ({ alert, came }) => [
      alertText(t, alert.alertType),
      // People came, although the alert says that nobody did.
      came === 0 ? null : cameText(t, came),
      { text: alert.alertId, code: true },
      nameOfAccount(t, accounts, alert.environment),
    ]),
    column(t("common.session"), ({ alert, event, courseId, course }) => [
      course === null
        ? aboutNone(t, { alert, event, courseId })
        : { text: courseName(course), link: `/admin/courses/${course.id}` },
      event?.title ?? null,
      alert.eventId === null ? null : { text: alert.eventId, code: true },
    ]),
    column(t("common.state"), ({ alert }) => {
      const { closed, priority, assigneeId } = alert;
      const status = statusBeside(alert);
      return [
        { text: t(closed ? "console.alerts.closed" : "console.alerts.open"), pill: closed ? "none" : "wait" },
        status === null ? null : alertStatusText(t, status),
        priority === null
          ? null
          : { label: t("console.alerts.priority"), text: alertPriorityText(t, priority) },
        assigneeId === null ? null : { label: t("console.alerts.assignee"), text: assigneeId, code: true },
      ];
    }),
    column(t("console.alerts.raised"), ({ alert: { raisedAt, changedAt } }) => [
      { at: raisedAt },
      changedAt === raisedAt ? null : { label: t("console.alerts.changed"), at: changedAt },
    ]),
  ]);
}

function aboutNone(
  t: Translate,
  { alert, event, courseId }: Pick<ListedAlert, "alert" | "event" | "courseId">,
) {
  if (courseId !== null) return t("console.alerts.courseGone");
  if (alert.eventId === null) return t("console.alerts.noEvent");
  return t(event === null ? "console.alerts.unknownEvent" : "console.alerts.noCourse");
}

type Advice = KeysUnder<"console.launches.advice">;

/** What was wrong, by the refusal's code. */
const adviceOfCode: Readonly<Record<LaunchRefusalCode, Advice>> = {
  "platform-unknown": "unknown",
  "client-id-missing": "client",
  "registration-replaced": "client",
  "platform-inactive": "off",
  "deployment-refused": "deployment",
  "token-expired": "clock",
  "token-times": "clock",
  "token-key-unknown": "keys",
  "token-signature": "keys",
  "platform-keys-unreachable": "keys",
  "token-issuer": "audience",
  "token-audience": "audience",
  "token-malformed": "token",
  "token-algorithm": "token",
  "login-unknown": "login",
  "launch-expired": "browser",
  "launch-used": "browser",
  "browser-unknown": "browser",
  "token-nonce": "browser",
  "platform-login-required": "browser",
  "platform-login-hidden": "browser",
  "platform-launch-expired": "browser",
  "launches-many": "busy",
  "launch-without-login": "app",
  "id-unusable": "id",
  "request-malformed": "settings",
  "not-a-launch": "settings",
  "login-incomplete": "settings",
  "target-foreign": "settings",
  "target-changed": "settings",
  "message-unsupported": "settings",
  "launch-incomplete": "settings",
  "platform-refused": "settings",
};
const advices: ReadonlyMap<string, Advice> = new Map(Object.entries(adviceOfCode));

type Remedy = { tab: string; button: MessageKey };

const valuesRemedy: Remedy = { tab: "connection#values", button: "console.values.heading" };

/** Where on an LMS's page it can be fixed. Other problems have no such page. */
const remedies: Readonly<Partial<Record<Advice, Remedy>>> = {
  off: { tab: "off", button: "console.switch.button.on" },
  deployment: { tab: "connection#deployments", button: "console.launches.deployment" },
  keys: { tab: "connection", button: "console.connection.button" },
  audience: valuesRemedy,
  token: valuesRemedy,
  id: valuesRemedy,
  settings: valuesRemedy,
};

/** Launches that were refused, grouped by what was wrong. For operators only, because a request may name any LMS. */
export function launchesPages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/launches",
    area: "launches",
    read: (given) => ({ lms: formField(given, "lms") }),
    file: "launches",
    rows: async ({ t, query }) => {
      const [all, registrations] = await Promise.all([app.refusedLaunches.list(), app.registrations.list()]);
      const names = new Map(registrations.map(({ id, name }) => [id, name]));
      const issuers = new Set(registrations.map(({ issuer }) => issuer));
      const only = names.get(query.lms);
      const rows =
        only === undefined ? all : all.filter(({ registrationId }) => registrationId === query.lms);
      const adviceOf = ({ code, issuer }: RefusedLaunches): Advice =>
        code === "platform-unknown" && issuers.has(issuer) ? "client" : (advices.get(code) ?? "settings");
      const cause = {
        head: t("console.spaces.why"),
        of: (row: RefusedLaunches) => t(`console.launches.advice.${adviceOf(row)}`),
        count: ({ count }: RefusedLaunches) => count,
      };
      return {
        only,
        tables: [
          table({ label: t("console.areas.launches"), rows, cause }, ({ column, plain, end, act }) => [
            plain(t("console.courses.lms"), ({ registrationId, issuer, clientId }) => {
              const name = names.get(registrationId);
              if (name !== undefined) return { text: name, link: `/admin/registrations/${registrationId}` };
              // As the request named it.
              const ids = [issuer, clientId].filter((text) => text !== "").join(" · ");
              return [t("console.launches.unregistered"), ids === "" ? null : { text: ids, code: true }];
            }),
            end(t("console.launches.count"), ({ count }) => numberText(t, count)),
            column(t("console.launches.last"), ({ lastAt, code, reference }) => [
              { at: lastAt },
              { text: code, code: true },
              reference === "" ? null : { text: reference, code: true },
            ]),
            act(t("console.launches.why"), (row) => remedyOf(t, adviceOf(row), row)),
          ]),
        ],
      };
    },
    around: ({ t }, { only }) => ({
      lead: t("console.launches.lead"),
      notes: [
        only === undefined
          ? null
          : {
              tone: "",
              text: t("label.value", { label: t("console.courses.lms"), value: only }),
              more: { text: t("console.courses.everyLms"), link: "/admin/launches" },
            },
      ],
      empty: t("console.launches.none"),
    }),
  });
}

/** A button to the page where an operator fixes it, or null if the console has no such page. */
function remedyOf(
  t: Translate,
  advice: Advice,
  { registrationId, issuer, clientId }: RefusedLaunches,
): LineView | null {
  if (registrationId === "") {
    if (issuer === "" || (advice !== "unknown" && advice !== "client")) return null;
    const link = addressWith("/admin/registrations/new", { issuer, clientId });
    return { text: t("console.launches.register"), link, button: true };
  }
  const remedy = remedies[advice];
  if (remedy === undefined) return null;
  const link = `/admin/registrations/${registrationId}?tab=${remedy.tab}`;
  return { text: t(remedy.button), link, button: true };
}
