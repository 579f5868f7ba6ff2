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
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import type { WhoAttendedDeps } from "../../attendance/who-attended.ts";
import { type CourseFigures, listFigures, type ListFiguresDeps, showFigures } from "../list-figures.ts";
import { figureName, figureText, valueText } from "./figure-text.ts";
import { type SeriesChart, seriesChart } from "./series-chart.ts";

export type AnalyticsDeps = CourseWordsDeps & ListFiguresDeps & WhoAttendedDeps & Pick<App, "clock">;

export type AnalyticsPage = CourseFrame & {
  zone: string;
  sessions: { id: string; title: string; when: string; figures: string }[];
};

export type AnalyticsSessionPage = CourseFrame & {
  zone: string;
  name: string;
  when: string;
  /** Of its register. */
  eventId: string | null;
  figures: { name: string; value: string }[];
  charts: SeriesChart[];
  people: { name: string; figures: string }[];
  cut: boolean;
};

const listView = defineView<AnalyticsPage>("course/analytics");
const sessionView = defineView<AnalyticsSessionPage>("course/analytics-session");

/** Sessions of the course of which the classroom said something, latest first. */
export async function analyticsPage(app: AnalyticsDeps, visit: InstructorVisit): Promise<PageAnswer> {
  const [words, all] = await Promise.all([courseWords(app, visit), listFigures(app, visit.course)]);
  const { t, times } = words;
  return page(listView, {
    title: t("analytics.title", { course: courseNameOf(t, visit.course) }),
    zone: times.place(app.clock.now()),
    sessions: all.map((one) => {
      const count = one.figures.length + one.series.length;
      return {
        id: one.sessionId,
        title: one.title ?? t("analytics.unplanned"),
        when: whenText(words, one),
        figures: t("analytics.figures", { count, number: numberText(t, count) }),
      };
    }),
  });
}

/** @throws NamedError "session-unknown" for one that is not the course's */
export async function analyticsSessionPage(
  app: AnalyticsDeps,
  visit: InstructorVisit,
  sessionId: string,
): Promise<PageAnswer> {
  const shown = await showFigures(app, visit.course, sessionId);
  if (shown === null) throw refusal("session-unknown", { status: 404 });
  const words = await courseWords(app, visit);
  const { t, times } = words;
  const { session, people } = shown;
  const name = session.title ?? t("analytics.unplanned");
  return page(sessionView, {
    title: `${name}: ${courseNameOf(t, visit.course)}`,
    zone: times.place(app.clock.now()),
    name,
    when: whenText(words, session),
    eventId: session.eventId,
    figures: session.figures.map(({ path, value }) => ({
      name: figureName(path),
      value: valueText(words, value),
    })),
    charts: session.series.filter(({ points }) => points.length > 1).map((one) => seriesChart(words, one)),
    people: people.map(({ userId, name: known, figures }) => ({
      name: known ?? t("analytics.somebody", { user: userId }),
      figures: figures.map((figure) => figureText(words, figure)).join(" · "),
    })),
    cut: session.cut,
  });
}

function whenText({ times }: CourseWords, { startedAt, endedAt }: CourseFigures): string {
  return startedAt === null || startedAt >= endedAt ? times.text(endedAt) : times.span(startedAt, endedAt);
}
