import { systemClock } from "../kernel/clock.ts";
import { exportAudit } from "../modules/audit/audit.ts";
import {
  countDeliveries,
  type DeliveryFilter,
  sendScoreAgain,
  sendScoresAgain,
} from "../modules/operations/deliveries.ts";
import { listJobs } from "../modules/operations/background-work.ts";
import type { JobRun } from "../modules/operations/rules/job.ts";
import { listUsage } from "../modules/usage/count-usage.ts";
import { usageMeasures } from "../modules/usage/rules/usage.ts";
import {
  type Answer,
  type Command,
  type CommandTools,
  operatorParts,
  timeOf,
  timeText,
  UsageError,
} from "./command.ts";

/** The tool's processes find due deliveries within ten seconds. */
const wake = () => undefined;

export const retryDeliveries: Command = async (tools, ...[id, ...rest]) => {
  if (rest.length > 0) throw new UsageError("Give one id, or options that narrow it down.");
  return id === undefined ? retryMany(tools) : retryOne(tools, id);
};

async function retryOne(tools: CommandTools, id: string): Promise<Answer> {
  const narrowed = ["state", "registration", "course", "reason"] as const;
  if (tools.values["dry-run"] || narrowed.some((name) => tools.values[name] !== undefined))
    throw new UsageError("An id is given alone; the other options are for many.");
  const sent = await sendScoreAgain(await partsOf(tools), id, null);
  const text = sent
    ? `${id} is sent again within seconds, if the tool runs.`
    : `${id} was left alone: a teacher's grade holds it back, or there is nothing to send.`;
  return { text, json: { id, sent } };
}

async function retryMany(tools: CommandTools): Promise<Answer> {
  const filter = filterOf(tools.values);
  const parts = await partsOf(tools);
  if (tools.values["dry-run"]) {
    const { matched } = await countDeliveries(parts, filter, { limit: Infinity });
    return { text: `${scores(matched)} would be sent again.`, json: { matched, sent: 0 } };
  }
  const { matched, sent } = await sendScoresAgain(parts, filter, { limit: Infinity });
  return { text: `${scores(sent)} to be sent again.`, json: { matched, sent } };
}

async function partsOf(tools: CommandTools) {
  return { ...(await operatorParts(tools)), wake };
}

function scores(count: number): string {
  return count === 1 ? "1 score" : `${count} scores`;
}

/** @throws UsageError */
function filterOf({
  state = "refused",
  registration,
  course,
  reason,
}: CommandTools["values"]): DeliveryFilter {
  if (state !== "refused" && state !== "waiting") throw new UsageError("--state is refused or waiting.");
  if (course !== undefined && registration === undefined)
    throw new UsageError("--course is used with --registration.");
  return { state, registrationId: registration ?? null, courseId: course ?? null, reason: reason ?? null };
}

/** jobs: when each job last ran and when it runs next */
export const jobs: Command = async (tools) => {
  const { jobs: store } = await tools.stores();
  const listed = await listJobs({ jobs: store });
  if (listed.length === 0) return { text: "No job has been planned yet: the tool has never run.", json: [] };
  return {
    text: listed
      .map(({ name, last, dueAt }) => {
        const ran =
          last === null
            ? "has not run yet"
            : `${last.outcome ?? "running"} at ${timeText(last.startedAt)}${last.problem === null ? workText(last) : ` (${last.problem})`}`;
        return `${name}: ${ran}, next ${timeText(dueAt)}`;
      })
      .join("\n"),
    json: listed.map(({ name, last, dueAt, succeededAt }) => ({
      name,
      ...factsOf(last),
      succeededAt: succeededAt === null ? null : timeText(succeededAt),
      next: timeText(dueAt),
    })),
    bad: listed.some(({ last }) => last?.outcome === "failed"),
  };
};

function factsOf(last: JobRun | null) {
  return {
    outcome: last?.outcome ?? null,
    startedAt: last === null ? null : timeText(last.startedAt),
    done: last?.done ?? null,
    failed: last?.failed ?? null,
    waiting: last?.waiting ?? null,
    problem: last?.problem ?? null,
  };
}

function workText({ done, failed, waiting }: JobRun): string {
  if (done === null) return "";
  const rest = waiting == null ? [] : [`${failed ?? 0} failed`, `${waiting} still waiting`];
  return ` (${[`${done} done`, ...rest].join(", ")})`;
}

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

/** audit export [--after ID]: --json gives one list instead of lines */
export const exportLog: Command = async (tools) => {
  const { after = "" } = tools.values;
  if (!/^(audit_[\w-]{1,60})?$/.test(after))
    throw new UsageError("--after is the id of an entry, as the last line of an export has it.");
  const lines: string[] = [];
  for await (const line of exportAudit(await operatorParts(tools), after)) lines.push(line.trimEnd());
  return { text: lines.join("\n"), json: lines.map((line): unknown => JSON.parse(line)) };
};
