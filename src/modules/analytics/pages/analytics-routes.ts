import type { Router } from "express";
import { z } from "zod";
import type { FigureSeries, FigureValue, StoredFigures } from "../rules/session-figures.ts";
import { readTimestamp } from "../../../kernel/clock.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages, type CoursePagesDeps } from "../../../web/course-pages.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { courseNameOf, type CourseWords, type PageOf } from "../../../web/course-words.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import { type FiguresApp, showFigures } from "../read-analytics.ts";

const posted = z.object({ event: z.string().max(300).catch("") });

/** /course/analytics: what the classroom says about a session that is over, for instructors who see attendance. */
export function analyticsRoutes(app: FiguresApp & CoursePagesDeps): Router {
  const pages = coursePages(app);
  pages.page("/course/analytics", {
    who: "grades",
    fields: posted,
    address: ({ event }) => ({ event }),
    form: { maxBytes: 16 * 1024 },
    view: defineView<AnalyticsPage>("course/analytics"),
    model: analyticsModel,
  });
  return pages.router;
}

export type AnalyticsPage = PageOf<typeof analyticsModel>;

/** @throws NamedError "session-unknown" for a session of another course */
async function analyticsModel(
  app: FiguresApp,
  { visit: { course }, fields: { event: eventId }, words }: PageContext<"grades", z.infer<typeof posted>>,
) {
  const figures = await showFigures(app, course, eventId);
  if (figures === null) throw refusal("session-unknown", { status: 404 });
  const name = figures.session.title ?? words.t("analytics.heading");
  return {
    title: `${name}: ${courseNameOf(words.t, course)}`,
    name,
    /** Leads to the session's register. */
    eventId,
    reports: figures.reports.map((report) => ({
      when: whenText(words, report),
      figures: report.figures.map(({ path, value }) => ({
        name: figureName(path),
        value: valueText(words, value),
      })),
      charts: report.series.filter(({ points }) => points.length > 1).map((one) => seriesChart(words, one)),
      cut: report.cut,
    })),
  };
}

function whenText({ times }: CourseWords, { startedAt, endedAt }: StoredFigures): string {
  return startedAt === null || startedAt >= endedAt ? times.text(endedAt) : times.span(startedAt, endedAt);
}

/** Smaller values are counted from the beginning and aren't moments (ms). */
const firstMoment = Date.UTC(2000, 0, 1);
/** How many rows the table below the drawing has at most. */
const maxRows = 30;
const drawing = { width: 300, height: 60, margin: 4 };

/** How a figure developed. Coordinates are percent of the drawing, from the left and from the top. */
function seriesChart(words: CourseWords, { path, points }: FigureSeries) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [points[0], points.at(-1)];
  const step = Math.ceil(points.length / maxRows);
  const amount = (value: number) => `${valueText(words, value)}${unitOf(path)}`;
  return {
    name: figureName(path),
    text: words.t("analytics.chart", {
      first: amount(first?.value ?? 0),
      last: amount(last?.value ?? 0),
      lowest: amount(low),
      highest: amount(high),
    }),
    /** Labels at the ends of the axes. */
    low: amount(low),
    high: amount(high),
    from: momentText(words, first?.at ?? 0),
    to: momentText(words, last?.at ?? 0),
    line: points
      .map(({ at, value }) => {
        const along = share(at, first?.at ?? at, last?.at ?? at);
        const up = share(value, low, high);
        const x = drawing.margin + along * (drawing.width - 2 * drawing.margin);
        const y = drawing.margin + (1 - up) * (drawing.height - 2 * drawing.margin);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      })
      .join(" "),
    rows: points
      .filter((_point, at) => at % step === 0)
      .map(({ at, value }) => ({ when: momentText(words, at), value: amount(value) })),
  };
}

/** If all values are equal, they are in the middle. */
function share(value: number, low: number, high: number): number {
  return high === low ? 0.5 : (value - low) / (high - low);
}

function momentText({ t, times }: CourseWords, at: number): string {
  return at < firstMoment
    ? t("analytics.minute", { minute: String(Math.round(at / 60_000)) })
    : times.clock(at);
}

/** "network.averageRttMs" becomes "Network: Average rtt ms". The names are the classroom's and stay in its language. */
export function figureName(path: string): string {
  return path.split(".").map(spoken).join(": ");
}

const units: Readonly<Record<string, string>> = {
  ms: "ms",
  seconds: "s",
  minutes: "min",
  percent: "%",
  fps: "fps",
  kbps: "kbit/s",
  mbps: "Mbit/s",
};

/** A figure's unit by the end of its name: " ms" for "network.averageRttMs", empty for a plain number. */
export function unitOf(path: string): string {
  const unit = units[spoken(path).split(" ").at(-1) ?? ""];
  return unit === undefined ? "" : `\u00a0${unit}`;
}

/** "averageRttMs", "average_rtt_ms" and "average-rtt-ms" become "Average rtt ms". */
function spoken(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-\s]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function valueText({ t, times }: Pick<CourseWords, "t" | "times">, value: FigureValue): string {
  if (typeof value === "boolean") return t(value ? "analytics.yes" : "analytics.no");
  if (typeof value === "number") return numberText(t, value);
  const at = value.includes("T") ? readTimestamp(value) : null;
  return at === null ? value : times.text(at);
}
