import type { Router } from "express";
import { z } from "zod";
import type { AccountId } from "../../../domain/account.ts";
import { listUsage, type UsageReport } from "../../usage/count-usage.ts";
import { isUsed, type Period, usageMeasures, type UsageNumbers, weekOf } from "../../usage/rules/usage.ts";
import type { UsageOf } from "../../usage/store/usage-store.ts";
import { sendFile } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { numberText } from "../../../web/page-text.ts";
import { byteOrderMark, csvLine } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import { nameOfAccount } from "./in-words.ts";
import type { PageOf } from "./partials.ts";
import { addressWith, orNull } from "./requests.ts";
import { weekMs } from "../../../kernel/clock.ts";

export type UsagePage = PageOf<typeof usageModel>;
export type UsageChart = { t: Translate; chart: UsagePage["charts"][number] };

/** What is shown: minutes as hours. */
type Measure = Exclude<(typeof usageMeasures)[number], "minutes"> | "hours";

const usagePage = defineView<UsagePage>("admin/usage");

const measures: readonly Measure[] = usageMeasures.map((one) => (one === "minutes" ? "hours" : one));
/** Shows the busiest week's number instead of a sum. */
const countedOnce: readonly Measure[] = ["courses", "people"];
const failures: readonly Measure[] = ["failedLaunches", "refusedScores"];
const periods = [13, 26, 52] as const;
const maxRows = 10;

const shape = z.object({
  lms: z.string().max(200).catch(""),
  account: z.string().max(200).catch(""),
  weeks: z.coerce
    .number()
    .refine((weeks) => periods.some((one) => one === weeks))
    .catch(periods[0]),
});
type UsageQuery = z.infer<typeof shape>;

/** Reports. An LMS's administrators see their own. */
export function usagePages(app: ConsoleApp, gate: Gate): Router {
  const { router, page } = gate.routes(narrowed);
  page("/usage", async (visit) => {
    const model = await usageModel(app, visit);
    visit.show({ view: usagePage, title: visit.t("console.areas.usage"), area: "usage", model });
  });
  page("/usage/file", (visit) => sendReport(app, visit));
  return router;
}

async function readReport(app: ConsoleApp, { request, within }: Visit) {
  const asked = shape.parse(request.query);
  const query = within === null ? asked : { ...asked, lms: "", account: "" };
  const whose: UsageOf = { registrationId: within ?? orNull(query.lms), account: orNull(query.account) };
  const now = app.clock.now();
  const to = weekOf(now);
  const report = await listUsage(app, whose, { from: to - (query.weeks - 1) * weekMs, to });
  return { query, report, now, registrations: await app.registrations.list() };
}

async function usageModel(app: ConsoleApp, visit: Visit) {
  const { t, within } = visit;
  const { query, report, now, registrations } = await readReport(app, visit);
  const { date, day } = courseTimes({ timeZone: null }, t.locale);
  const names = new Map(registrations.map(({ id, name }) => [id, name]));
  const nameOf = (id: AccountId) => nameOfAccount(t, app.accounts, id);
  const one = within !== null || query.lms !== "";
  const lmss = tableOf(t, query, "lms", report.lmss, (id) => names.get(id) ?? id);
  const accounts = tableOf(t, query, "account", report.accounts, nameOf);
  return {
    query,
    /** The LMSs to choose from. None for an LMS's administrators. */
    registrations: within === null ? registrations.map(({ id, name }) => ({ id, name })) : [],
    accounts: within === null ? app.accounts.ids().map((id) => ({ id, name: nameOf(id) })) : [],
    periods,
    measures,
    empty: !isUsed(report.whole),
    charts: measures.map((measure) => chartOf(t, measure, report, day)),
    weeks: report.weeks
      .toReversed()
      .map((week) => ({
        week: date(week.week),
        numbers: numbersOf(t, week),
        soFar: week.week === weekOf(now),
      })),
    tables: [...(one ? [] : [lmss]), ...(one || query.account !== "" ? [] : [accounts])],
    file: addressWith("/admin/usage/file", textsOf(query)),
  };
}

function textsOf({ lms, account, weeks }: UsageQuery): Record<string, string> {
  return { lms, account, weeks: String(weeks) };
}

function tableOf(
  t: Translate,
  query: UsageQuery,
  by: "lms" | "account",
  rows: readonly Period[],
  nameOf: (id: string) => string,
) {
  return {
    of: by === "lms" ? ("lmss" as const) : ("accounts" as const),
    rows: rows
      .slice(0, maxRows)
      .map((row) => ({
        name: nameOf(row.id),
        link: addressWith("/admin/usage", { ...textsOf(query), [by]: row.id }),
        numbers: numbersOf(t, row),
      })),
    more: rows.length > maxRows ? numberText(t, rows.length) : null,
  };
}

function chartOf(t: Translate, measure: Measure, { weeks, whole }: UsageReport, day: (at: number) => string) {
  const values = weeks.map((week) => valueOf(week, measure));
  const { bars, rule } = barsOf(values);
  const label = t(`usage.measures.${measure}`);
  const [from, to] = [day(weeks[0]?.week ?? 0), day(weeks.at(-1)?.week ?? 0)];
  const number = numberText(t, Math.round(valueOf(whole, measure)));
  return {
    measure,
    /** The measure counts failures. */
    bad: failures.includes(measure),
    /** The total over the period, in words of the measure. */
    total: t(countedOnce.includes(measure) ? "usage.busiest" : "usage.total", { number }),
    bars: bars.map((bar, n) => ({
      ...bar,
      text: t("label.value", {
        label: day(weeks[n]?.week ?? 0),
        value: numberText(t, Math.round(values[n] ?? 0)),
      }),
    })),
    rule: { y: rule.y, text: numberText(t, rule.value) },
    from,
    to,
    text: t("usage.chart", { measure: label, from, to }),
  };
}

function valueOf(numbers: UsageNumbers, measure: Measure): number {
  return measure === "hours" ? numbers.minutes / 60 : numbers[measure];
}

function numbersOf(t: Translate, numbers: UsageNumbers): readonly string[] {
  return measures.map((measure) => numberText(t, Math.round(valueOf(numbers, measure))));
}

/** The same numbers, with English names for programs, and in counted minutes. */
async function sendReport(app: ConsoleApp, visit: Visit): Promise<void> {
  const { report, registrations } = await readReport(app, visit);
  const names = new Map(registrations.map(({ id, name }) => [id, name]));
  const file = { name: "usage.csv", type: "text/csv; charset=utf-8" };
  await sendFile(visit.response, file, linesOf(report, names));
}

function* linesOf({ rows }: UsageReport, names: ReadonlyMap<string, string>): Generator<string> {
  yield byteOrderMark;
  yield csvLine(["week", "lms", "registration", "account", ...usageMeasures]);
  for (const row of rows)
    yield csvLine([
      new Date(row.week).toISOString().slice(0, 10),
      names.get(row.registrationId) ?? "",
      row.registrationId,
      row.account,
      ...usageMeasures.map((measure) => row[measure]),
    ]);
}

/** The part of its slot that a bar fills. */
const fillShare = 0.72;
/** Leaves room above the highest bar for the rule's number. */
const topLength = 14;

/** One bar per value, from left to right, scaled to the first round number that no value exceeds, in percent of the drawing. */
export function barsOf(values: readonly number[]) {
  const highest = roundUp(Math.max(0, ...values));
  const slot = 100 / Math.max(1, values.length);
  const height = (value: number) => (value / highest) * (100 - topLength);
  return {
    bars: values.map((value, n) => ({
      x: rounded(n * slot + (slot * (1 - fillShare)) / 2),
      y: rounded(100 - height(value)),
      width: rounded(slot * fillShare),
      height: rounded(height(value)),
    })),
    rule: { y: topLength, value: highest },
  };
}

/** Rounds up to a digit followed by zeros, or to 15, 150 ... */
function roundUp(value: number): number {
  if (value <= 10) return [1, 2, 5, 10].find((one) => one >= value) ?? 10;
  const scale = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * scale >= value) ?? 10;
  return factor * scale;
}

function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}
