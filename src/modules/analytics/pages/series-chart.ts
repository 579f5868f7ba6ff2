import type { FigureSeries } from "../../../domain/session-figures.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import { figureName, valueText } from "./figure-text.ts";

/** How a figure went. Places are in percent of the drawing, from the left and from the top. */
export type SeriesChart = {
  name: string;
  text: string;
  line: string;
  rows: { when: string; value: string }[];
};

/** Earlier ones are counted from the beginning and are no moments (ms). */
const firstMoment = Date.UTC(2000, 0, 1);
/** Of the table below the drawing. */
const maxRows = 30;
const drawing = { width: 300, height: 60, margin: 4 };

export function seriesChart(words: CourseWords, { path, points }: FigureSeries): SeriesChart {
  const { t } = words;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [points[0], points.at(-1)];
  const step = Math.ceil(points.length / maxRows);
  return {
    name: figureName(path),
    text: t("analytics.chart", {
      first: valueText(words, first?.value ?? 0),
      last: valueText(words, last?.value ?? 0),
      lowest: valueText(words, low),
      highest: valueText(words, high),
    }),
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
      .map(({ at, value }) => ({ when: momentText(words, at), value: valueText(words, value) })),
  };
}

/** Where all are the same, they are in the middle. */
function share(value: number, low: number, high: number): number {
  return high === low ? 0.5 : (value - low) / (high - low);
}

function momentText({ t, times }: CourseWords, at: number): string {
  return at < firstMoment
    ? t("analytics.minute", { minute: String(Math.round(at / 60_000)) })
    : times.clock(at);
}
