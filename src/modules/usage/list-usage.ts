import type { App } from "../../app.ts";
import type { UsageWeek } from "./rules/records.ts";
import { byWeek, type Period, periodOf, periods, type WeekOfReport } from "./rules/usage-report.ts";
import type { UsageNumbers } from "./rules/usage-sums.ts";
import { weeksBetween } from "./rules/usage-time.ts";
import type { UsageOf } from "./store/usage-store.ts";

export type ListUsageDeps = Pick<App, "usage">;

/** Of one LMS, one account or all; weeks of UTC. */
export type UsageReport = {
  weeks: readonly WeekOfReport[];
  whole: UsageNumbers;
  lmss: readonly Period[];
  accounts: readonly Period[];
  /** One for each week, LMS and account; oldest first. */
  rows: readonly UsageWeek[];
};

/** From the week of one moment (ms) to that of another, both included. Reads the sums of weeks only. */
export async function listUsage(
  { usage }: ListUsageDeps,
  whose: UsageOf,
  { from, to }: { from: number; to: number },
): Promise<UsageReport> {
  const weeks = weeksBetween(from, to);
  const rows = await usage.listWeeks(whose, weeks[0] ?? 0, weeks.at(-1) ?? 0);
  const listed = byWeek(rows, weeks);
  return {
    weeks: listed,
    whole: periodOf(listed),
    lmss: periods(rows, "registrationId"),
    accounts: periods(rows, "account"),
    rows,
  };
}
