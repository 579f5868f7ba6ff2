import { personName } from "../domain/person.ts";
import { dayMs, systemClock, weekMs } from "../kernel/clock.ts";
import { type LastAttendanceRow, pageOfLastAttendance } from "../modules/attendance/learners-of-courses.ts";
import { exportAudit } from "../modules/audit/audit.ts";
import { courseName } from "../modules/courses/rules/course.ts";
import {
  countDeliveries,
  type DeliveryFilter,
  sendScoreAgain,
  sendScoresAgain,
} from "../modules/operations/deliveries.ts";
import { listJobs } from "../modules/operations/background-work.ts";
import type { JobRun } from "../modules/operations/rules/job.ts";
import { knownRegistration } from "../modules/registration/registrations.ts";
import { isDate } from "../kernel/text.ts";
import { listUsage } from "../modules/usage/count-usage.ts";
import { usageMeasures } from "../modules/usage/rules/usage.ts";
import { csvLine } from "../web/table-file.ts";
import {
  type Answer,
  type Command,
  type CommandTools,
  operatorParts,
  timeOf,
  timeText,
  UsageError,
} from "./command.ts";

export const retryDeliveries: Command = async (tools, ...[id, ...rest]) => {
  if (rest.length > 0) throw new UsageError("Give one id, or options that narrow it down.");
  return id === undefined ? retryMany(tools) : retryOne(tools, id);
};

async function retryOne(tools: CommandTools, id: string): Promise<Answer> {
  const narrowed = ["state", "registration", "course", "reason"] as const;
  if (tools.values["dry-run"] || narrowed.some((name) => tools.values[name] !== undefined))
    throw new UsageError("An id is given alone; the other options are for many.");
  const sent = await sendScoreAgain(await operatorParts(tools), id, null);
  const text = sent
    ? `${id} is sent again within seconds, if the tool runs.`
    : `${id} was left alone: a teacher's grade holds it back, or there is nothing to send.`;
  return { text, json: { id, sent } };
}

async function retryMany(tools: CommandTools): Promise<Answer> {
  const filter = filterOf(tools.values);
  const parts = await operatorParts(tools);
  if (tools.values["dry-run"]) {
    const { matched } = await countDeliveries(parts, filter, { limit: Infinity });
    return { text: `${scores(matched)} would be sent again.`, json: { matched, sent: 0 } };
  }
  const { matched, sent } = await sendScoresAgain(parts, filter, { limit: Infinity });
  return { text: `${scores(sent)} to be sent again.`, json: { matched, sent } };
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

const usualMs = 13 * weekMs;
const maxMs = 3 * 366 * dayMs;

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

/** report last-attendance --registration ID --from DAY --to DAY [--course COURSE] [--csv] */
export const reportLastAttendance: Command = async (tools) => {
  const { registration, from = "", to = "", course = "", csv, json } = tools.values;
  if (registration === undefined)
    throw new UsageError("--registration is the LMS. See: npm run cli -- platform list");
  if (!isDate(from) || !isDate(to))
    throw new UsageError("--from and --to are the first and the last day of the term, such as 2026-09-14.");
  if (from > to) throw new UsageError("--from is after --to. Swap the two days.");
  const app = { ...(await tools.stores()), clock: await tools.clock() };
  await knownRegistration(app.registrations, registration);
  const asked = { registrationId: registration, course, days: { from, to }, only: null };
  const first = await pageOfLastAttendance(app, asked, null);
  if (first.courses === 0)
    throw new UsageError(
      course === ""
        ? "No course of this LMS had a session on these days. Check --from and --to."
        : `No course called "${course}" had a session on these days. Check --course, --from and --to.`,
    );
  async function* lines() {
    if (csv) yield csvLine(lastAttendanceHead).trimEnd();
    for (let page = first; ; page = await pageOfLastAttendance(app, asked, page.next)) {
      for (const row of page.rows) {
        const cells = lastAttendanceCells(row);
        if (csv) yield csvLine(cells).trimEnd();
        else if (json) yield JSON.stringify(namedBy(lastAttendanceHead, cells));
        else yield cells.map((cell) => cell ?? "-").join("  ");
      }
      if (page.next === null) break;
    }
  }
  return { text: "", json: null, lines: json ? listOf(lines()) : lines() };
};

const lastAttendanceHead = [
  "course",
  "code",
  "learner",
  "lms_id",
  "id_number",
  "in_course",
  "first_day",
  "first_evidence",
  "last_day",
  "last_evidence",
  "sessions_attended",
  "sessions_recorded",
  "has_opened",
];

function lastAttendanceCells({ course, person, active, hasOpened, days }: LastAttendanceRow) {
  const { first, last, attended, recorded } = days;
  return [
    courseName(course),
    course.label,
    personName(person),
    person.sub,
    person.idNumber ?? null,
    active ? "yes" : "no",
    first?.date ?? null,
    first?.kind ?? null,
    last?.date ?? null,
    last?.kind ?? null,
    attended,
    recorded,
    hasOpened ? "yes" : "no",
  ];
}

function namedBy(names: readonly string[], cells: readonly unknown[]) {
  return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
}

function columns(lines: readonly (readonly string[])[]): string {
  const width = (at: number) => Math.max(...lines.map((line) => line[at]?.length ?? 0));
  return lines.map((line) => line.map((cell, at) => cell.padStart(width(at))).join("  ")).join("\n");
}

/** audit export [--after ID]: --json gives one list. Written while it's read, because the log has no end. */
export const exportLog: Command = async (tools) => {
  const { after = "" } = tools.values;
  if (!/^(audit_[\w-]{1,60})?$/.test(after))
    throw new UsageError("--after is the id of an entry, as the last line of an export has it.");
  const entries = exportAudit(await operatorParts(tools), after);
  async function* lines() {
    for await (const entry of entries) yield entry.trimEnd();
  }
  return { text: "", json: null, lines: tools.values.json ? listOf(lines()) : lines() };
};

/** A JSON list, one item per line. */
async function* listOf(items: AsyncIterable<string>): AsyncGenerator<string> {
  yield "[";
  let before = "";
  for await (const item of items) {
    yield before + item;
    before = ",";
  }
  yield "]";
}
