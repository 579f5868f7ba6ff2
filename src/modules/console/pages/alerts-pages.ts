import { Router } from "express";
import { z } from "zod";
import { type AlertFilter, listAllAlerts, type ListedAlert } from "../../operations/list-all-alerts.ts";
import { courseName } from "../../courses/rules/course-name.ts";
import {
  alertPriorityText,
  alertStatusText,
  alertText,
  cameText,
  statusBeside,
} from "../../alerts/pages/alerts-view.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import { addressWith } from "./address-with.ts";
import type { ConsoleFrame } from "./partials.ts";

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
    title: t("console.alerts.heading"),
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
