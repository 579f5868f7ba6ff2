import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import { scoreStates } from "../rules/score-state.ts";
import { gradebookNotes } from "../gradebook-notes.ts";
import { missingColumns } from "../missing-columns.ts";
import { oldColumn } from "../old-column.ts";
import { oldestUnsent } from "../oldest-unsent.ts";
import { regradeProgress } from "../regrade-progress.ts";
import { resendProgress } from "../resend-progress.ts";
import { type ProofFilter, showProof, type ShowProofDeps } from "../show-proof.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scores } from "../../../lms/scores.ts";
import type { ColumnStore } from "../store/column-store.ts";
import type { DeliveryStore } from "../store/delivery-store.ts";
import type { LmsPauseStore } from "../../registration/store/lms-pause-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { RegradeStore } from "../store/regrade-store.ts";
import type { ResendStore } from "../store/resend-store.ts";
import type { Sessions } from "../../../web/session.ts";
import { numberText } from "../../../web/number-text.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { gradesProgressView, proofRowView, summaryView } from "./grades-view.ts";
import { missingView, oldColumnView } from "./missing-view.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { sectionLabel, sectionsText } from "../../members/pages/section-words.ts";
import { restoredNote, type RestoredNoteDeps } from "./restored-page.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { type CourseWords, courseNameOf, courseWords } from "../../../web/course-words.ts";

export type GradesPageDeps = ShowProofDeps &
  RestoredNoteDeps & {
    deliveries: Pick<DeliveryStore, "listOfCourse" | "unsentOfCourse" | "countAgain" | "countOfCourse">;
    regrades: Pick<RegradeStore, "find">;
    columns: Pick<ColumnStore, "find" | "listOfCourse">;
    resends: Pick<ResendStore, "find">;
    registrations: Pick<RegistrationStore, "find">;
    lmsPauses: Pick<LmsPauseStore, "listOf">;
    scores: Pick<Scores, "canReadResults">;
    /** A score that waits longer than this (ms) is one too long. */
    unsentAlarmAfter: number;
    sessions: Sessions;
    translatorOf: TranslatorOf;
    clock: Clock;
  };

/** What was just pressed. */
export type GradesNews =
  | "synced"
  | "again"
  | "answered"
  | "begun"
  | "underWay"
  | "made"
  | "leftOut"
  | "stopped"
  | "removed"
  | "notRemoved";

/** Renders what the gradebook has of a course's grades. */
export async function renderGrades(
  deps: GradesPageDeps,
  visit: InstructorVisit,
  filter: ProofFilter,
  news: GradesNews | null,
  response: Response,
  { asksRemoval = false }: { asksRemoval?: boolean } = {},
): Promise<void> {
  const { session, course } = visit;
  const [proof, unsent, words] = await Promise.all([
    showProof(deps, course, filter),
    oldestUnsent(deps, course),
    courseWords(deps, visit),
  ]);
  const { t, times } = words;
  const lines = { ...words, course, now: deps.clock.now() };
  const several = proof.rows.some((row) => row.session !== null);
  const courseName = courseNameOf(t, course);
  response.render("course/grades", {
    t,
    title: t("grades.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    zone: times.zone,
    off: course.policy.kind === "no-grades",
    paused: await pausedText(deps, visit, words),
    summary: summaryView(t, times, { counts: proof.counts, unsent }),
    progress: await progressOf(deps, visit),
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
    missing: (await missingColumns(deps, course)).map((column) => missingView(words, course, column)),
    old: oldColumnView(words, await oldColumn(deps, course), asksRemoval),
    restored: await restoredNote(deps, course, words),
    news: news === null ? null : t(`grades.news.${news}`),
  });
}

/** Why no score leaves for this LMS at the moment, and when it is asked again; null when they do. */
async function pausedText(
  deps: Pick<GradesPageDeps, "lmsPauses" | "clock">,
  { course }: InstructorVisit,
  { t, times }: Pick<CourseWords, "t" | "times">,
): Promise<string | null> {
  const pauses = await deps.lmsPauses.listOf(course.registrationId);
  const pause = pauses.find(({ why, grades }) => why === "closed" || grades);
  if (pause === undefined) return null;
  const when = times.text(Math.max(pause.nextTryAt, deps.clock.now()));
  return t(`grades.paused.${pause.why}`, { when, button: t("grades.syncNow") });
}

/** How far computing or sending is; null when there is nothing to tell. */
export async function progressOf(deps: GradesPageDeps, { session, course }: InstructorVisit) {
  const [regrade, resend] = await Promise.all([regradeProgress(deps, course), resendProgress(deps, course)]);
  const t = deps.translatorOf(session.locale);
  return gradesProgressView(t, courseTimes(course, t.locale), regrade, resend);
}

/** Renders what sending all grades once more means in this gradebook, with the button that does it. */
export async function renderResend(
  deps: GradesPageDeps,
  { session, course }: InstructorVisit,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const courseName = courseNameOf(t, course);
  const counts = await deps.deliveries.countOfCourse(placeOf(course));
  const number = counts.delivered + counts.waiting + counts.refused;
  const { gradebook } = capabilitiesOf(await deps.registrations.find(course.registrationId));
  const { checked, endsExcused, keepsTeachersGrade } = gradebookNotes(deps, gradebook, course, null);
  response.render("course/grades-resend", {
    t,
    title: t("grades.resend.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    lead: t("grades.resend.lead", { count: number, number: numberText(t, number) }),
    notes: [
      t(`grades.resend.checked.${checked}`),
      t("grades.resend.timestamps"),
      t("grades.resend.comments"),
      ...(checked === "nobody" ? [] : [t("grades.resend.teachers")]),
      ...(endsExcused ? [t("grades.resend.endsExcused")] : []),
      ...(keepsTeachersGrade ? [t("grades.resend.keepsTeachers")] : []),
      t("grades.resend.progress"),
    ],
  });
}

function placeOf({ id, registrationId }: Course): { registrationId: string; courseId: string } {
  return { registrationId, courseId: id };
}
