import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import {
  courseNameOf,
  type CourseWords,
  courseWords,
  type CourseWordsDeps,
} from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import type { KeptFigures } from "../rules/records.ts";
import { showFigures, type ShowFiguresDeps } from "../show-figures.ts";
import { figureName, valueText } from "./figure-text.ts";
import { type SeriesChart, seriesChart } from "./series-chart.ts";

export type AnalyticsDeps = CourseWordsDeps & ShowFiguresDeps & Pick<App, "clock">;

export type AnalyticsPage = CourseFrame & {
  zone: string;
  name: string;
  /** Of its register. */
  eventId: string;
  reports: readonly {
    when: string;
    figures: { name: string; value: string }[];
    charts: SeriesChart[];
    cut: boolean;
  }[];
};

const view = defineView<AnalyticsPage>("course/analytics");

/** @throws NamedError "session-unknown" for one that is not the course's */
export async function analyticsPage(
  app: AnalyticsDeps,
  visit: InstructorVisit,
  eventId: string,
): Promise<PageAnswer> {
  const shown = await showFigures(app, visit.course, eventId);
  if (shown === null) throw refusal("session-unknown", { status: 404 });
  const words = await courseWords(app, visit);
  const { t, times } = words;
  const name = shown.session.title ?? t("analytics.heading");
  return page(view, {
    title: `${name}: ${courseNameOf(t, visit.course)}`,
    zone: times.place(app.clock.now()),
    ...{ name, eventId },
    reports: shown.reports.map((report) => ({
      when: whenText(words, report),
      figures: report.figures.map(({ path, value }) => ({
        name: figureName(path),
        value: valueText(words, value),
      })),
      charts: report.series.filter(({ points }) => points.length > 1).map((one) => seriesChart(words, one)),
      cut: report.cut,
    })),
  });
}

function whenText({ times }: CourseWords, { startedAt, endedAt }: KeptFigures): string {
  return startedAt === null || startedAt >= endedAt ? times.text(endedAt) : times.span(startedAt, endedAt);
}
