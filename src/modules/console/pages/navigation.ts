import type { ConsoleSession } from "./console-session.ts";

/**
 * In order; `key` names the message under `console.areas`. Administrators of an LMS see those that are `shared`; their
 * pages must be open to them, see `OpenTo`.
 */
export const areas = [
  { path: "/admin/registrations", key: "registrations", shared: true },
  { path: "/admin/courses", key: "courses", shared: true },
  { path: "/admin/spaces", key: "spaces", shared: true },
  { path: "/admin/classroom", key: "classroom" },
  { path: "/admin/alerts", key: "alerts" },
  { path: "/admin/invitations/new", key: "invite" },
  { path: "/admin/registrations/new", key: "add" },
  { path: "/admin/people", key: "people" },
  { path: "/admin/keys", key: "keys" },
  { path: "/admin/alarms", key: "alarms" },
  { path: "/admin/receipts", key: "receipts" },
  { path: "/admin/deliveries", key: "deliveries", shared: true },
  { path: "/admin/jobs", key: "jobs" },
  { path: "/admin/tasks", key: "tasks" },
  { path: "/admin/audit", key: "audit", shared: true },
] as const satisfies readonly { path: string; key: string; shared?: true }[];

export type Area = (typeof areas)[number]["key"];

export function areasFor(session: Pick<ConsoleSession, "scope">): (typeof areas)[number][] {
  return areas.filter((area) => session.scope === null || "shared" in area);
}
