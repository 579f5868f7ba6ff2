import { gapBefore } from "../rules/attendance-gap.ts";
import { knownStatuses } from "../../../domain/attendance.ts";
import type { LearnerDetail, LearnerSession } from "../show-learner.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CorrectionNews } from "./learner-correction.ts";
import { whyText } from "../../grading/pages/delivery-words.ts";
import { seenOf, seenText } from "./register-form.ts";
import { sessionView, standingView } from "./register-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { statusView } from "../../../web/status-view.ts";
import { workingWords } from "../../grading/pages/working-words.ts";
import type { CourseWords } from "../../../web/course-words.ts";

/** The words of the page, and who did what. */
export type LearnerWords = CourseWords & {
  /** Names of instructors who corrected something, by person id. */
  names: ReadonlyMap<string, string>;
  /** Names of those who changed something in the classroom, by their user id there. */
  observers: ReadonlyMap<string, string>;
};

/** One thing that happened to a learner's session. */
type Happening = {
  at: number;
  when: string;
  by: string;
  /** Null for a correction that was taken back. */
  status: ReturnType<typeof statusView> | null;
  notes: string | null;
  reason: string | null;
  /** The classroom told it of the user that they have as a host. */
  asHost: boolean;
  /** That something else was before it, of which no message came; null where none is missing. */
  gap: string | null;
};

/** The statuses an instructor can give. */
export function marksOf(t: Translate) {
  return knownStatuses.map((value) => ({ value, label: statusView(t, value).text }));
}

/** How the grade came about, and whether it has arrived; null when there is none. */
export function gradeView(t: Translate, { attendance: { grade, delivery, perSession } }: LearnerDetail) {
  if (grade === null) {
    return { text: t(perSession ? "register.learner.perSession" : "review.off"), words: [], delivery: null };
  }
  const { score, maximum } = grade;
  const numbers = { score: numberText(t, score ?? 0), maximum: numberText(t, maximum) };
  return {
    text: score === null ? t("review.noScore") : t("review.score", numbers),
    words: workingWords(t, grade),
    delivery: delivery === null ? null : { state: delivery.state, problem: whyText(t, delivery) },
  };
}

/** One session of the learner: how it stands, everything that happened, and the form that corrects it. */
export function historyView(
  words: LearnerWords,
  { session, row }: LearnerSession,
  now: number,
  news: CorrectionNews,
) {
  const { t, names } = words;
  return {
    ...sessionView(words, session, now),
    remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
    inSections: sectionsText(words, row.sectionIds),
    standing: standingView(words, names, row.standing),
    history: happenings(words, row),
    ...formView(row, news.posted?.eventId === session.eventId ? news : {}),
  };
}

/** The form of one session: open and as typed when it could not be saved. */
function formView(row: LearnerSession["row"], { posted, missed = false, problem }: CorrectionNews) {
  const stored = seenOf(row);
  const typed = posted?.rows.get(row.personId);
  const { status, note } = typed?.typed ?? stored;
  return {
    open: posted !== undefined,
    // Whoever saves again after having been told does so knowing what is stored now.
    seen: seenText(typed === undefined || missed ? stored : typed.seen),
    status,
    note,
    reason: posted?.reason ?? "",
    problem: problem ?? null,
  };
}

/** Everything that was observed and said, the newest first. */
function happenings(words: LearnerWords, { facts }: LearnerSession["row"]): Happening[] {
  const { t, times, names, observers } = words;
  const observed = facts.history.map((seen) => {
    const { at, status, notes, updatedBy } = seen;
    const missed = gapBefore(facts.history, seen);
    return {
      at,
      when: times.text(at),
      by: byInClassroom(words, updatedBy, observers),
      status: statusView(t, status),
      notes,
      reason: null,
      asHost: seen.as === "host",
      gap: missed === null ? null : t("register.learner.gap", { status: statusView(t, missed.status).text }),
    };
  });
  const said = facts.corrections.map(({ at, by, status, notes, reason }) => ({
    at,
    when: times.text(at),
    by: names.get(by) ?? t("register.someInstructor"),
    status: status === null ? null : statusView(t, status),
    notes,
    reason,
    asHost: false,
    gap: null,
  }));
  return [...observed, ...said].sort((one, other) => other.at - one.at);
}

function byInClassroom(
  { t }: LearnerWords,
  updatedBy: string | null,
  observers: ReadonlyMap<string, string>,
): string {
  if (updatedBy === null) return t("register.byClassroom");
  return t("register.byClassroomUser", { name: observers.get(updatedBy) ?? updatedBy });
}
