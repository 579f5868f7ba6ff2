import type { App } from "../../../app.ts";
import { remembered } from "../../../kernel/async.ts";
import { maxCount } from "../../operations/background-work.ts";
import { listAlarms } from "../../operations/list-alarms.ts";
import { listRegistrations } from "../../operations/registrations.ts";
import { type ConsoleOffice, officeOf } from "../../operations/rules/console-access.ts";
import { lastDay, refusedIn } from "../../operations/rules/health.ts";
import { isStuck } from "../../operations/rules/job.ts";
import type { IconName, Tone } from "../../../web/page-parts.ts";
import type { ConsoleSession } from "./console-session.ts";

/** Headings of the navigation. Their messages are under `console.groups`. */
type AreaGroup = "lms" | "health" | "delivery" | "data" | "administration";

type AreaEntry = {
  path: string;
  /** Names the message under `console.areas`. */
  key: string;
  icon: IconName;
  /** Null: above all groups. */
  group: AreaGroup | null;
  shared?: true;
  /** Readers don't see this area, because it has nothing to read. */
  onlyChanges?: true;
  /** The office for which this is the only area. */
  office?: ConsoleOffice;
  counts?: Counted;
};

/** In order. Administrators of an LMS see those that are `shared`, whose pages must be open to them (see `OpenTo`). */
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
  { path: "/admin/readiness", key: "readiness", icon: "check", group: "lms", shared: true },
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
  {
    path: "/admin/last-attendance",
    key: "lastAttendance",
    icon: "calendar",
    group: "data",
    shared: true,
    office: "registrar",
  },
  { path: "/admin/limits", key: "limits", icon: "alert", group: "data", shared: true, office: "adviser" },
  { path: "/admin/accounts", key: "accounts", icon: "shield", group: "administration" },
  { path: "/admin/usage", key: "usage", icon: "grades", group: "data", shared: true },
  { path: "/admin/keys", key: "keys", icon: "key", group: "administration", counts: "keys" },
  { path: "/admin/api-keys", key: "apiKeys", icon: "download", group: "administration", shared: true },
  { path: "/admin/sessions", key: "logIns", icon: "lock", group: "administration" },
  { path: "/admin/audit", key: "audit", icon: "list", group: "administration", shared: true },
] as const satisfies readonly AreaEntry[];

export type Area = (typeof areas)[number]["key"];
type Entry = AreaEntry & { key: Area };

/** Areas that a session may open, by their groups. Leaves out groups without areas. */
export function groupsFor(
  session: Pick<ConsoleSession, "scope" | "role">,
): { group: AreaGroup | null; areas: readonly Entry[] }[] {
  const office = officeOf(session.role);
  const open = areas.filter((area: Entry) =>
    office === null
      ? (session.scope === null || area.shared === true) &&
        !(session.role === "reader" && area.onlyChanges === true)
      : area.office === office,
  );
  const groups = [...new Set(open.map(({ group }) => group))];
  return groups.map((group) => ({ group, areas: open.filter((area) => area.group === group) }));
}

export function pathOfOffice(office: ConsoleOffice): string {
  return areas.find((area: Entry) => area.office === office)?.path ?? "/admin";
}

/** The counts next to the areas' names. */
export type AreaCounts = Readonly<Partial<Awaited<ReturnType<typeof readCounts>>>>;
export type Counted = keyof AreaCounts;

/** Numbers next to the areas, for operators: all LMSs together, a few seconds old. */
export function areaCounts(app: App): () => Promise<AreaCounts> {
  return remembered({ clock: app.clock, minMs: 5_000, maxMs: 30_000 }, () => readCounts(app));
}

async function readCounts(app: App) {
  const now = app.clock.now();
  const { from, before } = lastDay(now);
  // Another process may have added an account.
  await app.accounts.refresh();
  const listed = await listRegistrations(app);
  const [alarms, waiting, failed, hours, requests, jobs, erasures, sealing] = await Promise.all([
    listAlarms(app, listed),
    app.deliveries.countUpTo("waiting", maxCount + 1),
    app.receipts.countUpTo("failed", maxCount + 1),
    app.refusedLaunches.listHours(from, before),
    app.spaceRequests.countOpen(maxCount + 1),
    app.jobs.list(),
    app.erasures.countAsked(maxCount + 1),
    app.sealingState(),
  ]);
  const counted = (count: number, tone: Extract<Tone, "none" | "wait" | "bad">) => ({ count, tone });
  return {
    registrations: counted(listed.length, "none"),
    courses: counted(
      listed.reduce((sum, { courses }) => sum + courses, 0),
      "none",
    ),
    spaces: counted(requests, "wait"),
    alarms: counted(alarms.length, alarms.some(({ urgent }) => urgent) ? "bad" : "wait"),
    launches: counted(refusedIn(hours), "bad"),
    jobs: counted(jobs.filter((job) => isStuck(job, now)).length, "bad"),
    deliveries: counted(waiting, "wait"),
    receipts: counted(failed, "bad"),
    erasures: counted(erasures, "wait"),
    keys: counted(sealing.previous + sealing.unreadable, sealing.unreadable > 0 ? "bad" : "wait"),
  };
}
