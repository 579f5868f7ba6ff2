import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { type Evidence, readEvidence, type ReadEvidenceDeps } from "./read-evidence.ts";
import type { UsageDay, UsageWeek } from "./rules/records.ts";
import {
  byWeek,
  dayOf,
  daysOfWeek,
  noUsage,
  type Period,
  periodOf,
  periods,
  type UsageNumbers,
  weekOfDays,
  type WeekOfReport,
  weeksBetween,
  weeksToCount,
} from "./rules/usage.ts";
import type { UsageOf } from "./store/usage-store.ts";

type CountUsageDeps = ReadEvidenceDeps &
  Pick<App, "usage" | "registrations" | "refusedLaunches" | "deliveries">;

const dayMs = 24 * 3_600_000;
const weekMs = 7 * dayMs;
const batchSize = 200;

/**
 * Counts the days that are over, of the weeks that may have changed, and adds up their weeks. Counting again sets the
 * same numbers. Two processes at once do the same work twice, no more. @returns how many days were written
 */
export async function countUsage(deps: CountUsageDeps): Promise<number> {
  const now = deps.clock.now();
  let written = 0;
  for (const week of weeksToCount(now, await deps.usage.latestDay()))
    written += await countWeek(deps, week, Math.min(week + weekMs, dayOf(now)));
  return written;
}

async function countWeek(deps: CountUsageDeps, week: number, before: number): Promise<number> {
  const evidence = await readEvidence(deps, { from: week, before });
  const days = new Map<string, UsageDay>();
  const of = (registrationId: string, account: AccountId, day: number): UsageDay => {
    const key = JSON.stringify([registrationId, account, day]);
    const known = days.get(key) ?? { registrationId, account, day, ...noUsage };
    days.set(key, known);
    return known;
  };
  for (const { registrationId, account, day, courses, people, sessions, ms } of evidence)
    Object.assign(of(registrationId, account, day), {
      ...{ courses: courses.size, people: people.size, sessions, minutes: Math.round(ms / 60_000) },
    });
  await countFailedLaunches(deps, of, week, before);
  await countScores(deps, of, week, before);
  // What was counted before and is gone: its people are not known any more.
  for (const { registrationId, account, day } of await deps.usage.listDays(week, before))
    of(registrationId, account, day);
  for (const day of days.values()) await deps.usage.setDay(day);
  await addUpWeek(deps, week, evidence);
  return days.size;
}

type DayOf = (registrationId: string, account: AccountId, day: number) => UsageDay;

/** A launch that failed is of no course yet: it counts for the account of the LMS's new courses. */
async function countFailedLaunches(
  deps: CountUsageDeps,
  of: DayOf,
  from: number,
  before: number,
): Promise<void> {
  const registrations = await deps.registrations.list();
  const accounts = new Map(registrations.map(({ id, account, environment }) => [id, account ?? environment]));
  for (const { registrationId, hour, count } of await deps.refusedLaunches.listHours(from, before)) {
    const account = accounts.get(registrationId);
    if (account !== undefined) of(registrationId, account, dayOf(hour)).failedLaunches += count;
  }
}

/** Scores by when the gradebook last took them, and refused ones by when they were last tried. */
async function countScores(deps: CountUsageDeps, of: DayOf, from: number, before: number): Promise<void> {
  for (const { id } of await deps.registrations.list()) {
    const moved = await deps.deliveries.listMoved(id, from - dayMs);
    const accounts = await accountsOf(deps, new Set(moved.map(({ courseId }) => courseId)));
    for (const { courseId, acceptedAt, refusedAt } of moved) {
      const account = accounts.get(courseId);
      if (account === undefined) continue;
      const within = (at: number | null): at is number => at !== null && at >= from && at < before;
      if (within(acceptedAt)) of(id, account, dayOf(acceptedAt)).grades += 1;
      if (within(refusedAt)) of(id, account, dayOf(refusedAt)).refusedScores += 1;
    }
    await letOthersRun();
  }
}

async function accountsOf(
  { courses }: CountUsageDeps,
  courseIds: ReadonlySet<string>,
): Promise<Map<string, AccountId>> {
  const ids = [...courseIds];
  const found = new Map<string, AccountId>();
  for (const some of slicesOf(ids, batchSize))
    for (const { course } of await courses.listMany(some)) found.set(course.id, course.environment);
  return found;
}

async function addUpWeek(deps: CountUsageDeps, week: number, evidence: readonly Evidence[]): Promise<void> {
  const days = await deps.usage.listDays(week, (daysOfWeek(week).at(-1) ?? week) + 1);
  const whose = ({ registrationId, account }: Pick<UsageDay, "registrationId" | "account">) =>
    JSON.stringify([registrationId, account]);
  const seen = Map.groupBy(evidence, whose);
  for (const [key, own] of Map.groupBy(days, whose)) {
    const [{ registrationId, account } = { registrationId: "", account: "" }] = own;
    const sets = seen.get(key) ?? [];
    const once = (name: "courses" | "people") => new Set(sets.flatMap((one) => [...one[name]])).size;
    const numbers = weekOfDays(own, { courses: once("courses"), people: once("people") });
    await deps.usage.setWeek({ registrationId, account, week, ...numbers });
  }
}

type ListUsageDeps = Pick<App, "usage">;

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
