import type { App } from "../../../app.ts";
import { listAlarms, type ListAlarmsDeps } from "../../operations/list-alarms.ts";
import { listRegistrations } from "../../operations/list-registrations.ts";
import { maxCount } from "../../operations/list-receipts.ts";
import { lastDay } from "../../operations/rules/failing-launches.ts";
import { isStuck } from "../../operations/rules/job.ts";
import { remembered } from "../../../kernel/async.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Counted } from "./navigation.ts";

export type AreaCount = { count: number; tone: Extract<Tone, "none" | "wait" | "bad"> };
export type AreaCounts = Readonly<Partial<Record<Counted, AreaCount>>>;

type AreaCountsDeps = ListAlarmsDeps & Pick<App, "spaceRequests" | "jobs" | "erasures" | "sealingState">;

/** Numbers beside the areas, for operators: all LMSs together, a few seconds old. */
export function areaCounts(deps: AreaCountsDeps): () => Promise<AreaCounts> {
  return remembered({ clock: deps.clock, atLeastMs: 5_000, atMostMs: 30_000 }, () => readCounts(deps));
}

async function readCounts(deps: AreaCountsDeps): Promise<AreaCounts> {
  const now = deps.clock.now();
  const { from, before } = lastDay(now);
  // Another process may have added an account.
  await deps.accounts.refresh();
  const listed = await listRegistrations(deps);
  const [alarms, waiting, failed, hours, requests, jobs, erasures, sealing] = await Promise.all([
    listAlarms(deps, listed),
    deps.deliveries.countUpTo("waiting", maxCount + 1),
    deps.receipts.countUpTo("failed", maxCount + 1),
    deps.refusedLaunches.listHours(from, before),
    deps.spaceRequests.countOpen(maxCount + 1),
    deps.jobs.list(),
    deps.erasures.countAsked(maxCount + 1),
    deps.sealingState(),
  ]);
  const launches = hours.reduce((sum, { count }) => sum + count, 0);
  return {
    registrations: { count: listed.length, tone: "none" },
    courses: { count: listed.reduce((sum, { courses }) => sum + courses, 0), tone: "none" },
    spaces: { count: requests, tone: "wait" },
    alarms: { count: alarms.length, tone: alarms.some(({ urgent }) => urgent) ? "bad" : "wait" },
    launches: { count: launches, tone: "bad" },
    jobs: { count: jobs.filter((job) => isStuck(job, now)).length, tone: "bad" },
    deliveries: { count: waiting, tone: "wait" },
    receipts: { count: failed, tone: "bad" },
    erasures: { count: erasures, tone: "wait" },
    keys: { count: sealing.previous + sealing.unreadable, tone: sealing.unreadable > 0 ? "bad" : "wait" },
  };
}
