import { listAlarms, type ListAlarmsDeps } from "../../operations/list-alarms.ts";
import { listRegistrations } from "../../operations/list-registrations.ts";
import { maxCount } from "../../operations/list-receipts.ts";
import { remembered } from "../../../kernel/remembered.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Counted } from "./navigation.ts";

export type AreaCount = { count: number; tone: Extract<Tone, "none" | "wait" | "bad"> };
export type AreaCounts = Readonly<Partial<Record<Counted, AreaCount>>>;

/** Numbers beside the areas, for operators: all LMSs together, a few seconds old. */
export function areaCounts(deps: ListAlarmsDeps): () => Promise<AreaCounts> {
  return remembered({ clock: deps.clock, atLeastMs: 5_000, atMostMs: 30_000 }, () => readCounts(deps));
}

async function readCounts(deps: ListAlarmsDeps): Promise<AreaCounts> {
  const listed = await listRegistrations(deps);
  const [alarms, waiting, failed] = await Promise.all([
    listAlarms(deps, listed),
    deps.deliveries.countUpTo("waiting", maxCount + 1),
    deps.receipts.countUpTo("failed", maxCount + 1),
  ]);
  return {
    registrations: { count: listed.length, tone: "none" },
    courses: { count: listed.reduce((sum, { courses }) => sum + courses, 0), tone: "none" },
    alarms: { count: alarms.length, tone: alarms.some(({ urgent }) => urgent) ? "bad" : "wait" },
    deliveries: { count: waiting, tone: "wait" },
    receipts: { count: failed, tone: "bad" },
  };
}
