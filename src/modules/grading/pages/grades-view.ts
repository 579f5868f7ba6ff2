import type { Course } from "../../../domain/course.ts";
import type { Grade } from "../../../domain/grade-policy.ts";
import { sumOf } from "../../../domain/grade-sentence.ts";
import { listedName } from "../../../domain/person-name.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { type CourseTimes, relativeText } from "../../../web/course-times.ts";
import type { Translate } from "../../../web/translate.ts";
import { type CourseWords, sectionsText } from "../../../web/course-words.ts";
import {
  type Delivery,
  isInProgress,
  isOfNoPoints,
  obstacleOf,
  personalRefusals,
  type ScoreCounts,
  type ScoreState,
  scoreStates,
} from "../rules/delivery.ts";
import type { RegradeProgress } from "../regrade.ts";
import type { ResendProgress } from "../send-again.ts";
import type { GradeSummary, ProofRow } from "../show-grades.ts";
import {
  columnName,
  gradeInGradebook,
  pointsText,
  type ProgressView,
  progressView,
  scoreText,
  whyText,
  workingWords,
} from "./grading-words.ts";

type GradesWords = CourseWords & { course: Pick<Course, "timeZone">; now: number };

export const scoreTones: Readonly<Record<ScoreState, Tone>> = {
  ...{ delivered: "good", left: "free", waiting: "info" },
  ...{ held: "wait", refused: "bad", idle: "none" },
};

/** A state as a pill and a filter say it. */
export function stateText({ t, wording }: Pick<GradesWords, "t" | "wording">, state: ScoreState): string {
  return state === "delivered" ? t(`grades.placed.${wording}`) : t(`grades.pills.${state}`);
}

/** @param grade How it is worked out now; left out where that is not to be said. */
export function proofRowView(words: GradesWords, row: ProofRow, several: boolean, grade?: Grade) {
  const { t, times, now } = words;
  const { delivery, state } = row;
  const name = nameOf(row);
  const { accepted } = delivery;
  const todo = whyNoGrade(words, row, grade) ?? todoText(words, row);
  const notes = [whyText(t, delivery), todo];
  const left = state === "left" ? leftView(words, row, name) : null;
  return {
    deliveryId: delivery.id,
    personId: delivery.personId,
    name,
    sections: sectionsText(words, row.sectionIds),
    /** Of somebody who left the course. */
    remark: row.active ? null : t("grades.left"),
    column: several ? columnOf(words, row) : null,
    desired: scoreText(t, delivery.desired),
    /** What arrived, when and where; null for nothing. */
    proof: proofText(words, row),
    when:
      accepted === null
        ? null
        : {
            at: new Date(accepted.at).toISOString(),
            text: times.text(accepted.at),
            short: relativeText(t.locale, times, accepted.at, now),
          },
    state,
    pill: pillOf(words, row),
    notes: left?.notes ?? notes.filter((note) => note !== null),
    /** The button's label; null: it cannot be sent again. */
    again: isSendable(delivery) ? t("grades.againLabel", { name }) : null,
    /** Where an instructor's grade was kept: sends ours after all. */
    ours: left?.ours ?? null,
  };
}

function pillOf(words: GradesWords, { state, delivery }: ProofRow): { tone: Tone; text: string } {
  const text = delivery.state === "blocked" ? words.t("grades.pills.blocked") : stateText(words, state);
  const doesNotCount = state === "delivered" && isOfNoPoints(delivery);
  return { tone: doesNotCount ? "wait" : scoreTones[state], text };
}

/** Where sessions count and a rule holds the grade back; else null. */
function whyNoGrade({ t }: GradesWords, { delivery, column, state }: ProofRow, grade: Grade | undefined) {
  if (state !== "idle" || grade?.working == null || grade.working.counted === 0 || grade.score !== null)
    return null;
  if (delivery.desired === null || (column?.missing ?? null) !== null) return null;
  return workingWords(t, grade).at(-1) ?? null;
}

/** @param grade How ours is worked out now; left out where there is none of all sessions. */
export function decisionView(
  words: GradesWords,
  row: ProofRow,
  { several, grade = null }: { several: boolean; grade?: Grade | null },
) {
  const { t, times } = words;
  const { delivery } = row;
  const { foreign, desired } = delivery;
  if (row.state !== "held" || foreign === null) return null;
  const name = nameOf(row);
  const ours = shortText(t, desired, foreign);
  const theirs = foreign.score === null ? null : shortText(t, foreign, desired);
  return {
    deliveryId: delivery.id,
    personId: delivery.personId,
    name,
    column: several ? columnOf(words, row) : null,
    text: conflictText(words, row, times.text(foreign.seenAt)),
    /** Why ours does not show, or what was found. */
    reason: whyText(t, delivery),
    /** How ours was worked out. */
    sum:
      grade?.working == null || grade.score === null || row.session !== null
        ? null
        : t("grading.working.sum", {
            explanation: sumOf(grade.working, grade.score, (number) => numberText(t, number)),
          }),
    ours: oursView(t, name, ours),
    leave:
      theirs === null
        ? { text: t("grades.held.keepEmpty"), label: t("grades.held.keepEmptyLabel", { name }) }
        : {
            text: t("grades.held.keep", { theirs }),
            label: t("grades.held.keepLabel", { name, theirs }),
          },
  };
}

function nameOf(row: ProofRow): string {
  return listedName({ ...row, sub: row.delivery.sub });
}

function columnOf({ t, course }: GradesWords, row: ProofRow): string {
  return columnName(t, course, row.session, row.column);
}

type Points = { score: number | null; maximum: number };

/** The number alone where both are of the same maximum. */
function shortText(t: Translate, one: Points | null, other: Points | null): string {
  return one?.score != null && one.maximum === other?.maximum ? numberText(t, one.score) : pointsText(t, one);
}

function oursView(t: Translate, name: string, ours: string): { text: string; label: string } {
  return { text: t("grades.held.send", { ours }), label: t("grades.held.sendLabel", { name, ours }) };
}

function conflictText(
  { t }: GradesWords,
  { delivery: { foreign, desired } }: ProofRow,
  when: string,
): string {
  const values = { ours: pointsText(t, desired), theirs: pointsText(t, foreign), when };
  const isOfRestore = foreign?.restoredAt !== undefined;
  const isEmpty = foreign === null || foreign.score === null;
  return isOfRestore
    ? t(isEmpty ? "grades.restored.valuesEmpty" : "grades.restored.values", values)
    : t(isEmpty ? "grades.held.valuesNone" : "grades.held.values", values);
}

function leftView(words: GradesWords, row: ProofRow, name: string) {
  const { t, times } = words;
  const { foreign, desired } = row.delivery;
  if (foreign === null) return { notes: [], ours: null };
  const notes = [conflictText(words, row, times.text(foreign.seenAt))];
  if (foreign.leftAt != null) notes.push(t("grades.held.leftAt", { when: times.text(foreign.leftAt) }));
  return { notes, ours: oursView(t, name, shortText(t, desired, foreign)) };
}

function proofText(words: GradesWords, row: ProofRow): string | null {
  const { t, times } = words;
  const { accepted } = row.delivery;
  if (accepted === null) return null;
  const parts = [
    scoreText(t, gradeInGradebook(row), "grades.cleared"),
    ...(accepted.score !== null && isInProgress(accepted) ? [t("grades.inProgress")] : []),
    times.text(accepted.at),
    intoText(t, row, row.column?.label ?? columnOf(words, row)),
  ];
  return parts.join(" · ");
}

/** Where the last accepted score went; the column may have moved since. */
function intoText(t: Translate, { delivery: { accepted }, column }: ProofRow, name: string): string {
  const went = accepted?.lineItemUrl ?? null;
  const now = column?.lineItemUrl ?? null;
  return went !== null && now !== null && went !== now
    ? t("grades.intoEarlier")
    : t("grades.into", { column: name });
}

function todoText(words: GradesWords, row: ProofRow): string | null {
  const missing = row.column?.missing ?? null;
  const settled = row.state === "idle" || row.state === "delivered";
  return settled && missing?.leftOut === false ? words.t("grades.todo.missing") : stateTodo(words, row);
}

function waitsFor({ t, times, now }: GradesWords, { state, refusal, nextTryAt, attempts }: Delivery): string {
  const obstacle = state === "blocked" ? obstacleOf(refusal) : null;
  if (obstacle !== null) return t(`grades.todo.${obstacle}`);
  return nextTryAt > now && attempts > 0
    ? t("grades.todo.retry", { when: times.text(nextTryAt) })
    : t("grades.todo.soon");
}

function stateTodo(words: GradesWords, { delivery, state }: ProofRow): string | null {
  const { t } = words;
  switch (state) {
    case "waiting":
      return waitsFor(words, delivery);
    case "refused":
      return t(personalRefusals.includes(delivery.refusal ?? "") ? "grades.todo.person" : "grades.todo.mend");
    case "idle":
      return t(delivery.desired === null ? "grades.todo.stopped" : "grades.todo.idle");
    case "held":
    case "left":
    case "delivered":
      return null;
  }
}

function isSendable({ state, desired }: Delivery): boolean {
  return desired !== null && desired.score !== null && state !== "held" && state !== "idle";
}

export function summaryView(
  words: Pick<GradesWords, "t" | "times" | "wording">,
  { counts, unsent }: GradeSummary,
) {
  const { t, times, wording } = words;
  const total = totalOf(counts);
  const since = unsent.since === null ? null : { when: times.text(unsent.since) };
  const shown = (["delivered", "left", "waiting", "refused", "held", "idle"] as const).filter(
    (state) => counts[state] > 0,
  );
  let start = 0;
  const shares = shown.map((state) => {
    const width = (100 * counts[state]) / total;
    start += width;
    return { tone: scoreTones[state], start: start - width, width };
  });
  const gradebookName = t(`grades.place.${wording}`);
  return {
    delivered: numberText(t, counts.delivered),
    total: t("grades.answer", { total: numberText(t, total), place: gradebookName }),
    /** From the start, in hundredths of the whole. */
    shares,
    counts: shown.map((state) => ({
      tone: scoreTones[state],
      text: t(`grades.counts.${state}`, { number: numberText(t, counts[state]), place: gradebookName }),
    })),
    alarm: since === null || !unsent.tooLong ? null : t("grades.summary.tooLong", since),
    oldest: since === null || unsent.tooLong ? null : t("grades.summary.oldest", since),
    unsent: counts.waiting + counts.refused > 0,
  };
}

function totalOf(counts: ScoreCounts): number {
  return scoreStates.reduce((sum, state) => sum + counts[state], 0);
}

export function gradesProgressView(
  t: Translate,
  times: CourseTimes,
  regrade: RegradeProgress,
  resend: ResendProgress | null,
): ProgressView | null {
  const computing = regrade.state === "done" ? null : progressView(t, regrade, 0);
  if (computing !== null) return computing;
  if (resend === null) return null;
  const { done, total, startedAt } = resend;
  return resend.state === "running"
    ? {
        busy: true,
        text: t("grades.progress.sending", { done: numberText(t, done), total: numberText(t, total) }),
        progress: { value: done, max: total },
      }
    : {
        busy: false,
        text: t("grades.progress.done", {
          count: total,
          number: numberText(t, total),
          when: times.text(startedAt),
        }),
        progress: null,
      };
}
