import type { IconName } from "../../../web/page-parts.ts";
import type { ConsoleSession } from "./console-session.ts";

/** What stands beside an area's name; which numbers there are says `readCounts`. */
export type Counted =
  | "registrations"
  | "courses"
  | "spaces"
  | "alarms"
  | "launches"
  | "jobs"
  | "deliveries"
  | "receipts"
  | "erasures"
  | "keys";

/** Headings of the navigation; their messages are under `console.groups`. */
export type AreaGroup = "lms" | "health" | "delivery" | "data" | "administration";

type AreaEntry = {
  path: string;
  /** Names the message under `console.areas`. */
  key: string;
  icon: IconName;
  /** Null: above all groups. */
  group: AreaGroup | null;
  shared?: true;
  /** Nothing to read there: readers do not see it. */
  onlyChanges?: true;
  counts?: Counted;
};

/**
 * In order. Administrators of an LMS see those that are `shared`; their pages must be open to them, see `OpenTo`.
 */
const areas = [
  { path: "/admin", key: "overview", icon: "home", group: null },
  {
    path: "/admin/registrations",
    key: "registrations",
    icon: "plug",
    group: "lms",
    shared: true,
    counts: "registrations",
  },
  { path: "/admin/courses", key: "courses", icon: "building", group: "lms", shared: true, counts: "courses" },
  { path: "/admin/spaces", key: "spaces", icon: "video", group: "lms", shared: true, counts: "spaces" },
  { path: "/admin/invitations/new", key: "invite", icon: "mail", group: "lms", onlyChanges: true },
  { path: "/admin/registrations/new", key: "add", icon: "plus", group: "lms", onlyChanges: true },
  { path: "/admin/alarms", key: "alarms", icon: "alert", group: "health", counts: "alarms" },
  { path: "/admin/launches", key: "launches", icon: "exit", group: "health", counts: "launches" },
  { path: "/admin/alerts", key: "alerts", icon: "info", group: "health" },
  { path: "/admin/classroom", key: "classroom", icon: "globe", group: "health" },
  { path: "/admin/jobs", key: "jobs", icon: "clock", group: "health", counts: "jobs" },
  { path: "/admin/tasks", key: "tasks", icon: "refresh", group: "health" },
  {
    path: "/admin/deliveries",
    key: "deliveries",
    icon: "send",
    group: "delivery",
    shared: true,
    counts: "deliveries",
  },
  { path: "/admin/receipts", key: "receipts", icon: "inbox", group: "delivery", counts: "receipts" },
  { path: "/admin/mails", key: "mails", icon: "mail", group: "delivery", shared: true },
  { path: "/admin/people", key: "people", icon: "people", group: "data", counts: "erasures" },
  { path: "/admin/accounts", key: "accounts", icon: "shield", group: "administration" },
  { path: "/admin/usage", key: "usage", icon: "grades", group: "data", shared: true },
  { path: "/admin/keys", key: "keys", icon: "key", group: "administration", counts: "keys" },
  { path: "/admin/sessions", key: "logIns", icon: "lock", group: "administration" },
  { path: "/admin/audit", key: "audit", icon: "list", group: "administration", shared: true },
] as const satisfies readonly AreaEntry[];

export type Area = (typeof areas)[number]["key"];
type Entry = AreaEntry & { key: Area };

/** Areas that a session may open, by their groups; a group without any is left out. */
export function groupsFor(
  session: Pick<ConsoleSession, "scope" | "role">,
): { group: AreaGroup | null; areas: readonly Entry[] }[] {
  const open: readonly Entry[] = areas.filter(
    (area) =>
      (session.scope === null || "shared" in area) && !(session.role === "reader" && "onlyChanges" in area),
  );
  const groups = [...new Set(open.map(({ group }) => group))];
  return groups.map((group) => ({ group, areas: open.filter((area) => area.group === group) }));
}
