import { type Evidence, readEvidence, type UsageApp } from "./read-evidence.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { dayMs, weekMs } from "../../kernel/clock.ts";
import {
  byWeek,
  dayOf,
  daysOfWeek,
  noUsage,
  periodOf,
  periods,
  type UsageDay,
  weekOfDays,
  weeksBetween,
  weeksToCount,
} from "./rules/usage.ts";
import { accountOfLms } from "../accounts/known-accounts.ts";
import type { UsageOf } from "./store/usage-store.ts";

type CountingApp = UsageApp & Pick<App, "usage" | "registrations" | "refusedLaunches" | "deliveries">;

const batchSize = 200;

/**
 * Counts the past days of the weeks that may have changed, and adds up their weeks. Counting again sets the same numbers. If two processes do
 * it at the same time, they only do the work twice. @returns how many days were written
 */
export async function countUsage(app: CountingApp): Promise<number> {
  const now = app.clock.now();
  let written = 0;
  for (const week of weeksToCount(now, await app.usage.latestDay()))
    written += await countWeek(app, week, Math.min(week + weekMs, dayOf(now)));
  return written;
}

async function countWeek(app: CountingApp, week: number, before: number): Promise<number> {
  const evidence = await readEvidence(app, { from: week, before });
  const days = new Map<string, UsageDay>();
  const of = (registrationId: string, account: AccountId, day: number): UsageDay => {
    const key = JSON.stringify([registrationId, account, day]);
    const known = days.get(key) ?? { registrationId, account, day, ...noUsage };
    days.set(key, known);
    return known;
  };
  for (const { registrationId, account, day, courses, people, sessions, ms } of evidence)
    Object.assign(of(registrationId, account, day), {
      courses: courses.size,
      people: people.size,
      sessions,
      minutes: Math.round(ms / 60_000),
    });
  await countFailedLaunches(app, of, week, before);
  await countScores(app, of, week, before);
  // Counted before, but gone by now, so its people aren't known any more.
  for (const { registrationId, account, day } of await app.usage.listDays(week, before))
    of(registrationId, account, day);
  for (const day of days.values()) await app.usage.setDay(day);
  await addUpWeek(app, week, evidence);
  return days.size;
}

type DayOf = (registrationId: string, account: AccountId, day: number) => UsageDay;

/** A failed launch has no course yet, so it counts for the account of the LMS's new courses. */
async function countFailedLaunches(app: CountingApp, of: DayOf, from: number, before: number): Promise<void> {
  const registrations = await app.registrations.list();
  const accounts = new Map(registrations.map((one) => [one.id, accountOfLms(one)]));
  for (const { registrationId, hour, count } of await app.refusedLaunches.listHours(from, before)) {
    const account = accounts.get(registrationId);
    if (account !== undefined) of(registrationId, account, dayOf(hour)).failedLaunches += count;
  }
}

/** Counts scores by when the gradebook last accepted them, and refused ones by when they were last tried. */
async function countScores(app: CountingApp, of: DayOf, from: number, before: number): Promise<void> {
  for (const { id } of await app.registrations.list()) {
    const moved = await app.deliveries.listMoved(id, from - dayMs);
    const accounts = await accountsOf(app, new Set(moved.map(({ courseId }) => courseId)));
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

async function accountsOf({ courses }: CountingApp, courseIds: ReadonlySet<string>) {
  const ids = [...courseIds];
  const found = new Map<string, AccountId>();
  for (const batch of slicesOf(ids, batchSize))
    for (const { course } of await courses.listMany(batch)) found.set(course.id, course.environment);
  return found;
}

async function addUpWeek(app: CountingApp, week: number, evidence: readonly Evidence[]): Promise<void> {
  const days = await app.usage.listDays(week, (daysOfWeek(week).at(-1) ?? week) + 1);
  const whose = ({ registrationId, account }: Pick<UsageDay, "registrationId" | "account">) =>
    JSON.stringify([registrationId, account]);
  const seen = Map.groupBy(evidence, whose);
  for (const [key, own] of Map.groupBy(days, whose)) {
    const [{ registrationId, account } = { registrationId: "", account: "" }] = own;
    const sets = seen.get(key) ?? [];
    const once = (name: "courses" | "people") => new Set(sets.flatMap((one) => [...one[name]])).size;
    const numbers = weekOfDays(own, { courses: once("courses"), people: once("people") });
    await app.usage.setWeek({ registrationId, account, week, ...numbers });
  }
}

/** Usage of one LMS, one account or all, by week (UTC). */
export type UsageReport = Awaited<ReturnType<typeof listUsage>>;

/** From the week of one moment (ms) to that of another, including both. Only reads the sums of weeks. */
export async function listUsage(
  { usage }: Pick<App, "usage">,
  whose: UsageOf,
  { from, to }: { from: number; to: number },
) {
  const weeks = weeksBetween(from, to);
  const rows = await usage.listWeeks(whose, weeks[0] ?? 0, weeks.at(-1) ?? 0);
  const listed = byWeek(rows, weeks);
  return {
    weeks: listed,
    whole: periodOf(listed),
    lmss: periods(rows, "registrationId"),
    accounts: periods(rows, "account"),
    /** One row per week, LMS and account, oldest first. */
    rows,
  };
}
