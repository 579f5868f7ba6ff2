import { z } from "zod";
import type { GradesApp } from "./grades-app.ts";
import { type ScoreState, scoreStates } from "../rules/score-state.ts";
import { missingColumns } from "../missing-columns.ts";
import { oldColumn } from "../old-column.ts";
import { oldestUnsent } from "../oldest-unsent.ts";
import { regradeProgress } from "../regrade-progress.ts";
import { resendProgress } from "../resend-progress.ts";
import { type ProofFilter, showProof } from "../show-proof.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { type CourseWords, courseNameOf, courseWords } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { numberText } from "../../../web/number-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { sectionLabel, sectionsText } from "../../members/pages/section-words.ts";
import {
  gradesProgressView,
  type GradesSummary,
  type ProofRowShown,
  proofRowView,
  summaryView,
} from "./grades-view.ts";
import { type MissingShown, missingView, type OldColumnShown, oldColumnView } from "./missing-view.ts";
import type { ProgressView } from "./progress-view.ts";
import { type RestoredNote, restoredNote } from "./restored-note.ts";

export type GradesPage = CourseFrame & {
  zone: string;
  off: boolean;
  paused: string | null;
  summary: GradesSummary;
  progress: ProgressView | null;
  rows: ProofRowShown[];
  known: number;
  listed: string;
  filter: ProofFilter;
  states: ScoreState[];
  sections: { id: string; label: string }[];
  groups: boolean;
  ofSection: string | null;
  pages: number;
  page: number;
  missing: MissingShown[];
  old: OldColumnShown | null;
  restored: RestoredNote | null;
  news: string | null;
};

const gradesView = defineView<GradesPage>("course/grades");

export const gradesNews = z.enum([
  "synced",
  "again",
  "answered",
  "begun",
  "underWay",
  "made",
  "leftOut",
  "stopped",
  "removed",
  "notRemoved",
]);
export type GradesNews = z.infer<typeof gradesNews>;

/** @param asksRemoval Asks whether the old column is to be removed. */
export async function gradesPage(
  app: GradesApp,
  visit: InstructorVisit,
  filter: ProofFilter,
  { news = null, asksRemoval = false }: { news?: GradesNews | null; asksRemoval?: boolean } = {},
): Promise<PageAnswer> {
  const { course } = visit;
  const [proof, unsent, words] = await Promise.all([
    showProof(app, course, filter),
    oldestUnsent(app, course),
    courseWords(app, visit),
  ]);
  const { t, times } = words;
  const lines = { ...words, course, now: app.clock.now() };
  const several = proof.rows.some((row) => row.session !== null);
  return page(gradesView, {
    title: t("grades.title", { course: courseNameOf(t, course) }),
    zone: times.zone,
    off: course.policy.kind === "no-grades",
    paused: await pausedText(app, visit, words),
    summary: summaryView(t, times, { counts: proof.counts, unsent }),
    progress: await gradesProgress(app, visit),
    rows: proof.rows.map((row) => proofRowView(lines, row, several)),
    known: scoreStates.reduce((sum, state) => sum + proof.counts[state], 0),
    listed: t("grades.filter.listed", { count: proof.listed, number: numberText(t, proof.listed) }),
    filter: proof.filter,
    states: scoreStates.filter((state) => proof.counts[state] > 0 || state === proof.filter.state),
    sections: proof.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, words.sectionKind, section),
    })),
    groups: words.sectionKind === "groups",
    ofSection: proof.filter.sectionId === null ? null : sectionsText(words, [proof.filter.sectionId]),
    pages: proof.pages,
    page: proof.filter.page,
    missing: (await missingColumns(app, course)).map((column) => missingView(words, course, column)),
    old: oldColumnView(words, await oldColumn(app, course), asksRemoval),
    restored: await restoredNote(app, course, words),
    news: news === null ? null : t(`grades.news.${news}`),
  });
}

/** Why no score leaves for this LMS, and when it is asked again; null when they do. */
async function pausedText(
  app: GradesApp,
  { course }: InstructorVisit,
  { t, times }: Pick<CourseWords, "t" | "times">,
): Promise<string | null> {
  const pauses = await app.lmsPauses.listOf(course.registrationId);
  const pause = pauses.find(({ why, grades }) => why === "closed" || grades);
  if (pause === undefined) return null;
  const when = times.text(Math.max(pause.nextTryAt, app.clock.now()));
  return t(`grades.paused.${pause.why}`, { when, button: t("grades.syncNow") });
}

/** Of computing or sending; null: nothing to say. */
export async function gradesProgress(
  app: GradesApp,
  { session, course }: InstructorVisit,
): Promise<ProgressView | null> {
  const [regrade, resend] = await Promise.all([regradeProgress(app, course), resendProgress(app, course)]);
  const t = app.translatorOf(session.locale);
  return gradesProgressView(t, courseTimes(course, t.locale), regrade, resend);
}
