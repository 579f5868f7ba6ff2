import type { Course } from "../../../domain/course.ts";
import { type Delivery, personalRefusals } from "../rules/delivery.ts";
import { needsSomebody, type ScoreCounts, type ScoreState, scoreStates } from "../rules/score-state.ts";
import { listedName } from "../../../domain/person-name.ts";
import type { RegradeProgress } from "../regrade-progress.ts";
import type { ResendProgress } from "../resend-progress.ts";
import type { GradeSummary } from "../show-grade-summary.ts";
import type { ProofRow } from "../show-proof.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { whyText } from "./delivery-words.ts";
import { columnName, heldByGradebook } from "./gradebook-words.ts";
import { type ProgressView, progressView } from "./progress-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { pointsText, scoreText } from "./score-words.ts";
import type { CourseWords } from "../../../web/course-words.ts";

export type GradesWords = CourseWords & { course: Pick<Course, "timeZone">; now: number };

type Moment = { /** ISO 8601. */ at: string; text: string };

export type ProofRowShown = {
  deliveryId: string;
  personId: string;
  name: string;
  sections: string;
  /** Of somebody who left the course. */
  remark: string | null;
  column: string | null;
  desired: string;
  accepted: { text: string; at: Moment; into: string } | null;
  state: ScoreState;
  stateText: string;
  problem: string | null;
  todo: string | null;
  held: HeldShown | null;
  /** The button's label; null: it cannot be sent again. */
  again: string | null;
};

type HeldShown = {
  values: string;
  reason: string | null;
  leftAt: string | null;
  oursLabel: string;
  leave: string;
  leaveLabel: string;
};

export type GradesSummary = {
  lead: string;
  counts: { state: ScoreState; text: string }[];
  alarm: string | null;
  oldest: string | null;
  need: number;
  unsent: boolean;
};

export function proofRowView(words: GradesWords, row: ProofRow, several: boolean): ProofRowShown {
  const { t, course } = words;
  const { delivery, state } = row;
  const { desired } = delivery;
  const name = listedName({ ...row, sub: delivery.sub });
  const column = columnName(t, course, row.session, row.column);
  return {
    deliveryId: delivery.id,
    personId: delivery.personId,
    name,
    sections: sectionsText(words, row.sectionIds),
    remark: row.active ? null : t("grades.left"),
    column: several ? column : null,
    desired: scoreText(t, desired),
    accepted: acceptedView(words, row, column),
    state,
    stateText: t(`grades.states.${state}`),
    problem: state === "delivered" || state === "held" || state === "left" ? null : whyText(t, delivery),
    todo: todoText(words, row),
    held: heldView(words, row, name),
    again: isSendable(delivery) ? t("grades.againLabel", { name }) : null,
  };
}

function acceptedView({ t, times }: GradesWords, row: ProofRow, column: string): ProofRowShown["accepted"] {
  const { accepted } = row.delivery;
  if (accepted === null) return null;
  return {
    text: scoreText(t, heldByGradebook(row), "grades.cleared"),
    at: timeView(times, accepted.at),
    into: intoText(t, row, row.column?.label || column),
  };
}

function timeView(times: CourseTimes, at: number): Moment {
  return { at: new Date(at).toISOString(), text: times.text(at) };
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

function stateTodo({ t, times, now }: GradesWords, { delivery, state }: ProofRow): string | null {
  switch (state) {
    case "waiting":
      return delivery.nextTryAt > now && delivery.attempts > 0
        ? t("grades.todo.retry", { when: times.text(delivery.nextTryAt) })
        : t("grades.todo.soon");
    case "refused":
      return t(personalRefusals.includes(delivery.refusal ?? "") ? "grades.todo.person" : "grades.todo.mend");
    case "idle":
      return t(delivery.accepted === null ? "grades.todo.idle" : "grades.todo.stopped");
    case "held":
    case "left":
    case "delivered":
      return null;
  }
}

function heldView({ t, times }: GradesWords, { delivery, state }: ProofRow, name: string): HeldShown | null {
  const { foreign, desired } = delivery;
  if ((state !== "held" && state !== "left") || foreign === null) return null;
  const ours = pointsText(t, desired);
  const values = { ours, theirs: pointsText(t, foreign), when: times.text(foreign.seenAt) };
  const leftAt = foreign.leftAt ?? null;
  const isOfRestore = foreign.restoredAt !== undefined;
  const written = isOfRestore
    ? t(foreign.score === null ? "restored.valuesEmpty" : "restored.values", values)
    : t(foreign.score === null ? "grades.held.valuesNone" : "grades.held.values", values);
  return {
    values: written,
    // It says so when the LMS took ours and shows theirs: then the gradebook has to be changed by hand.
    reason: state === "held" ? whyText(t, delivery) : null,
    leftAt: leftAt === null ? null : t("grades.held.leftAt", { when: times.text(leftAt) }),
    oursLabel: t("grades.held.oursLabel", { name, ours }),
    leave: t(isOfRestore ? "restored.keep" : "grades.held.leave"),
    leaveLabel: t(isOfRestore ? "restored.keepLabel" : "grades.held.leaveLabel", { name }),
  };
}

function isSendable({ state, desired }: Delivery): boolean {
  return (
    desired !== null &&
    desired.score !== null &&
    (state === "delivered" || state === "refused" || state === "waiting")
  );
}

export function countsView(t: Translate, counts: ScoreCounts): GradesSummary["counts"] {
  return (["delivered", "waiting", "refused", "held", "left"] as const).flatMap((state) =>
    counts[state] === 0
      ? []
      : [{ state, text: t(`grades.counts.${state}`, { number: numberText(t, counts[state]) }) }],
  );
}

export function summaryView(
  t: Translate,
  times: CourseTimes,
  { counts, unsent }: Pick<GradeSummary, "counts" | "unsent">,
): GradesSummary {
  const need = totalOf(counts, needsSomebody);
  const since = unsent.since === null ? null : { when: times.text(unsent.since) };
  return {
    lead: leadText(t, counts, need),
    counts: countsView(t, counts),
    alarm: since === null || !unsent.tooLong ? null : t("grades.summary.tooLong", since),
    oldest: since === null || unsent.tooLong ? null : t("grades.summary.oldest", since),
    need,
    unsent: counts.waiting + counts.refused > 0,
  };
}

function leadText(t: Translate, counts: ScoreCounts, need: number): string {
  const all = totalOf(counts, (state) => state !== "idle");
  if (all === 0) return t("grades.summary.nothingYet");
  if (need > 0) return t("grades.summary.need", { count: need, number: numberText(t, need) });
  const settled = counts.delivered + counts.left;
  const total = numberText(t, all);
  return settled < all || counts.left > 0
    ? t("grades.summary.onTheWay", { number: numberText(t, counts.delivered), total })
    : t("grades.summary.fine", { count: all, number: total });
}

function totalOf(counts: ScoreCounts, wanted: (state: ScoreState) => boolean): number {
  return scoreStates.filter(wanted).reduce((sum, state) => sum + counts[state], 0);
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
