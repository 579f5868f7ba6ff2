import { systemClock } from "../kernel/clock.ts";
import { listUsage } from "../modules/usage/list-usage.ts";
import { usageMeasures } from "../modules/usage/rules/usage-sums.ts";
import { type Command, UsageError } from "./command.ts";
import { timeOf } from "./time-of.ts";

const usualMs = 13 * 7 * 24 * 3_600_000;
const maxMs = 3 * 366 * 24 * 3_600_000;

/** report usage [--from TIME] [--to TIME] [--registration ID | --account ID]: whole weeks */
export const reportUsage: Command = async (tools) => {
  const now = systemClock.now();
  const { from, to, registration = null, account = null } = tools.values;
  const until = to === undefined ? now : timeOf(to, "--to", now);
  const since = from === undefined ? until - usualMs : timeOf(from, "--from", now);
  if (since > until || until - since > maxMs)
    throw new UsageError("--from is before --to, and three years before it at most.");
  const whose = { registrationId: registration, account };
  const { weeks, rows } = await listUsage(await tools.stores(), whose, { from: since, to: until });
  const date = (week: number) => new Date(week).toISOString().slice(0, 10);
  const lines = weeks.map((week) => [date(week.week), ...usageMeasures.map((one) => String(week[one]))]);
  return {
    text: columns([["week", ...usageMeasures], ...lines]),
    json: rows.map(({ week, ...row }) => ({ week: date(week), ...row })),
  };
};

function columns(lines: readonly (readonly string[])[]): string {
  const width = (at: number) => Math.max(...lines.map((line) => line[at]?.length ?? 0));
  return lines.map((line) => line.map((cell, at) => cell.padStart(width(at))).join("  ")).join("\n");
}
