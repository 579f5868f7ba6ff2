import { z } from "zod";
import type { App } from "../../../app.ts";
import { type Course, keyOfCourse } from "../../../domain/course.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import type { CoursePagesDeps } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import {
  courseNameOf,
  type CourseWords,
  type CourseWordsDeps,
  type PageOf,
  sectionLabel,
} from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { numberText } from "../../../web/page-text.ts";
import { tableForms } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { ActiveRegistrationApp } from "../../registration/registrations.ts";
import { gradebookNotes, oldColumn } from "../column-questions.ts";
import type { GradingApp } from "../grade-members.ts";
import { workedGrades } from "../list-grades.ts";
import { regradeProgress } from "../regrade.ts";
import { attendanceColumn } from "../rules/column.ts";
import { scoreStates, holdOf } from "../rules/delivery.ts";
import { type AnswersApp, resendProgress } from "../send-again.ts";
import {
  arrivalTimes,
  oldestUnsent,
  type ProofApp,
  type ProofFilter,
  type ProofRow,
  showProof,
} from "../show-grades.ts";
import { fileKinds } from "./grades-files.ts";
import {
  arrivalText,
  holdView,
  causesView,
  gradesProgressView,
  spreadView,
  stateText,
  summaryView,
} from "./grades-overview.ts";
import { decisionView, proofRowView } from "./grades-view.ts";
import { creditWords, worthWords } from "./grading-words.ts";
import { columnQuestions, oldColumnView } from "./column-questions-view.ts";

/** What these pages need; neither the LMS nor the classroom is among it. */
export type GradesApp = CoursePagesDeps &
  CourseWordsDeps &
  ActiveRegistrationApp &
  ProofApp &
  AnswersApp &
  GradingApp &
  Pick<App, "lmsPauses" | "unsentAlarmAfter"> & {
    lineItems: Pick<App["lineItems"], "remove">;
    scores: Pick<App["scores"], "canReadResults">;
  };

export const gradesNews = z.enum([
  "synced",
  "again",
  "answered",
  "released",
  "begun",
  "underWay",
  "made",
  "leftOut",
  "stopped",
  "removed",
  "notRemoved",
  "activity",
  "kept",
  "term",
  "same",
  "all",
]);
export type GradesNews = z.infer<typeof gradesNews>;

export type GradesPage = PageOf<typeof gradesModel>;

type GradesContext = PageContext<"grades", { filter: ProofFilter }>;

/** The page, asking whether to remove the old column. */
export function removalModel(app: GradesApp, context: GradesContext) {
  return gradesModel(app, context, "asksRemoval");
}

export async function gradesModel(
  app: GradesApp,
  { visit, fields, words }: GradesContext,
  outcome: GradesNews | "asksRemoval" | null,
) {
  const { course } = visit;
  const { t, number, wording } = words;
  const key = keyOfCourse(course);
  const [proof, unsent, columns, causes, arrivals, paused, kept] = await Promise.all([
    showProof(app, course, fields.filter),
    oldestUnsent(app, course),
    app.columns.listOfCourse(course.registrationId, course.id),
    app.deliveries.causesOf(key),
    arrivalTimes(app, key),
    pausedText(app, visit, words),
    app.deliveries.countKept(key),
  ]);
  const lines = { ...words, course };
  const several = proof.rows.some((row) => row.session !== null);
  const known = scoreStates.reduce((sum, state) => sum + proof.counts[state], 0);
  const grades = await workedGrades(
    app,
    course,
    proof.rows.filter(needsGrade).map(({ delivery }) => delivery.personId),
  );
  const decisions = proof.rows.flatMap((row) => {
    const grade = grades.get(row.delivery.personId) ?? null;
    return decisionView(lines, row, { several, grade }) ?? [];
  });
  const blocked = causes.reduce((sum, { state, count }) => sum + (state === "blocked" ? count : 0), 0);
  const { above, ...missing } = causesView(lines, causes, paused !== null);
  const decided = new Set(decisions.map(({ deliveryId }) => deliveryId));
  return {
    title: t("grades.title", { course: courseNameOf(t, course) }),
    off: course.policy.kind === "no-grades",
    paused,
    hold: holdView(words, holdOf(course, words.now), kept),
    /** Why grades are missing, one line for each cause. */
    causes: missing,
    /** The column's name and points; null without grades. */
    column: await columnText(app, course, words),
    /** What each status earns, in a sentence; null without grades. */
    credit: creditText(t, course),
    summary: summaryView(words, { counts: proof.counts, unsent }),
    arrival: arrivalText(words, arrivals, proof.counts.held + proof.counts.refused + blocked),
    /** Null if each session has a grade. */
    spread:
      course.policy.kind === "one-column"
        ? spreadView(t, await app.deliveries.sharesOf(key), course.policy.points)
        : null,
    progress: await gradesProgress(app, visit),
    decisions:
      decisions.length === 0
        ? null
        : {
            heading: t("grades.decide", { count: proof.counts.held, number: number(proof.counts.held) }),
            rows: decisions,
          },
    /** Which files can be downloaded, in which formats. */
    files: { kinds: fileKinds, forms: tableForms },
    rows: proof.rows
      .filter(({ delivery }) => !decided.has(delivery.id))
      .map((row) => proofRowView(lines, row, { several, above, grade: grades.get(row.delivery.personId) })),
    placed: t(`grades.placed.${wording}`),
    known,
    listed: t("grades.filter.listed", { count: proof.listed, number: number(proof.listed) }),
    filter: proof.filter,
    states: [
      { state: null, text: t("grades.filter.all"), number: number(known) },
      ...scoreStates
        .filter((state) => proof.counts[state] > 0 || state === proof.filter.state)
        .map((state) => ({ state, text: stateText(words, state), number: number(proof.counts[state]) })),
    ],
    sections: proof.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, words.sectionKind, section),
    })),
    groups: words.sectionKind === "groups",
    ofSection: proof.filter.sectionId === null ? null : words.label(proof.filter.sectionId),
    pages: proof.pages,
    page: proof.filter.page,
    questions: columnQuestions(words, course, columns),
    old: oldColumnView(words, await oldColumn(app, course), outcome === "asksRemoval"),
    news: outcome === null || outcome === "asksRemoval" ? null : t(`grades.news.${outcome}`),
  };
}

/** Whether the row says how our grade was worked out, or why there is none. */
function needsGrade({ state }: ProofRow): boolean {
  return state === "held" || state === "idle";
}

function creditText(t: Translate, { policy }: Course): string | null {
  if (policy.kind === "no-grades") return null;
  const credit = creditWords(t, policy);
  return policy.worth.kind === "status" ? credit : `${credit} ${worthWords(t, policy.worth)}`;
}

/** The column's name in the gradebook; for a new course, in the language it will have. */
async function columnText(
  app: GradesApp,
  { registrationId, id: courseId, policy, language = null }: Course,
  { t, wording }: CourseWords,
): Promise<string | null> {
  if (policy.kind === "no-grades") return null;
  const gradebookName = t(`grades.place.${wording}`);
  if (policy.kind === "column-per-session")
    return t("grades.columns", { place: gradebookName, points: numberText(t, policy.points) });
  const column = await app.columns.find({ registrationId, courseId, key: attendanceColumn });
  const name = column?.label ?? app.translatorOf(language)("choose.attendance");
  const key = column?.points === 0 ? "grades.noPoints.column" : "grades.column";
  const points = numberText(t, column?.points ?? policy.points);
  return t(key, { column: name, place: gradebookName, points });
}

/** Why no scores go to this LMS, and when we ask it again; null if they do. */
async function pausedText(
  app: GradesApp,
  { course }: InstructorVisit,
  { t, times }: Pick<CourseWords, "t" | "times">,
): Promise<string | null> {
  const pauses = await app.lmsPauses.listOf(course.registrationId);
  const pause = pauses.find(({ why, grades }) => why !== "refused" || grades);
  if (pause === undefined) return null;
  const when = times.text(Math.max(pause.nextTryAt, app.clock.now()));
  return t(`grades.paused.${pause.why}`, { when });
}

/** Progress of computing or sending; null if there is nothing to say. */
export async function gradesProgress(app: GradesApp, { session, course }: InstructorVisit) {
  const [regrade, resend] = await Promise.all([regradeProgress(app, course), resendProgress(app, course)]);
  const t = app.translatorOf(session.locale);
  return gradesProgressView(t, courseTimes(course, t.locale), regrade, resend);
}

export type ResendPage = PageOf<typeof resendModel>;

export async function resendModel(
  app: GradesApp,
  { visit: { course }, words }: PageContext<"corrections", object>,
) {
  const { t } = words;
  const { gradebook } = capabilitiesOf(await app.registrations.find(course.registrationId));
  const { checked, endsExcused, keepsTeachersGrade } = gradebookNotes(app, gradebook, course, null);
  return {
    title: t("grades.resend.title", { course: courseNameOf(t, course) }),
    lead: t(`grades.resend.checked.${checked}`),
    notes: [
      t("grades.resend.timestamps"),
      t("grades.resend.comments"),
      ...(checked === "nobody" ? [] : [t("grades.resend.teachers")]),
      ...(endsExcused ? [t("grades.resend.endsExcused")] : []),
      ...(keepsTeachersGrade ? [t("grades.resend.keepsTeachers")] : []),
      t("grades.resend.progress"),
    ],
  };
}
