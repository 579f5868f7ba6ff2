import { medianOf } from "../../../kernel/lists.ts";
import type { Course } from "../../../domain/course.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { durationText, numberText } from "../../../web/page-text.ts";
import {
  type GradesHold,
  type Delivery,
  obstacleOf,
  personalRefusals,
  type ScoreState,
  scoreStates,
  visibleState,
} from "../rules/delivery.ts";
import type { Translate } from "../../../web/translate.ts";
import type { RegradeProgress } from "../regrade.ts";
import type { ResendProgress } from "../send-again.ts";
import type { ArrivalTimes, GradeSummary } from "../show-grades.ts";
import type { DeliveryStore } from "../store/delivery-store.ts";
import { holdText } from "./sending-words.ts";
import { causeText, type ProgressView, progressView } from "./grading-words.ts";

export type GradesWords = CourseWords & { course: Pick<Course, "timeZone">; now: number };

export const scoreTones: Readonly<Record<ScoreState, Tone>> = {
  delivered: "good",
  left: "free",
  waiting: "info",
  held: "wait",
  refused: "bad",
  idle: "none",
};

/** A state, as a pill and a filter name it. */
export function stateText({ t, wording }: Pick<GradesWords, "t" | "wording">, state: ScoreState): string {
  return state === "delivered" ? t(`grades.placed.${wording}`) : t(`grades.pills.${state}`);
}

type Cause = Awaited<ReturnType<DeliveryStore["causesOf"]>>[number];

/** How many causes get a separate line; the others share one. */
const maxCauses = 3;

/** Why grades aren't in the gradebook, worst first. `above`: causes that rows needn't repeat. @param isPaused The page already says so. */
export function causesView(words: GradesWords, causes: readonly Cause[], isPaused: boolean) {
  const { t } = words;
  const isElsewhere = ({ state, cause }: Cause) =>
    obstacleOf(cause) === "term" || (isPaused && state === "waiting");
  const listed = causes.filter((one) => !isElsewhere(one));
  const lines = listed.slice(0, maxCauses);
  const more = listed.slice(maxCauses).reduce((sum, { count }) => sum + count, 0);
  return {
    lines: lines.map((one) => ({
      tone: scoreTones[visibleState(one.state)],
      pill: t(`grades.pills.${one.state}`),
      number: t("grades.filter.listed", { count: one.count, number: numberText(t, one.count) }),
      text: sentences([causeText(t, one.cause), todoText(words, one)]),
    })),
    more: more === 0 ? null : t("grades.causes.more", { number: numberText(t, more) }),
    above: new Set([...lines, ...causes.filter(isElsewhere)].map(causeKey)),
  };
}

export function causeKey({ state, cause }: { state: string; cause: string }): string {
  return `${state} ${cause}`;
}

export function sentences(some: readonly (string | null)[]): string {
  return some.filter((one) => one !== null).join(" ");
}

/** What the tool does next, or what somebody must do; null if the cause already says it. */
export function todoText(
  { t, times, now }: GradesWords,
  { state, cause, nextTryAt }: Pick<Cause, "cause" | "nextTryAt"> & Pick<Delivery, "state">,
): string | null {
  const obstacle = state === "blocked" ? obstacleOf(cause) : null;
  if (obstacle !== null) return t(`grades.todo.${obstacle}`);
  if (state === "waiting")
    return nextTryAt > now ? t("grades.todo.retry", { when: times.text(nextTryAt) }) : t("grades.todo.soon");
  return personalRefusals.includes(cause) ? t("grades.todo.person") : null;
}

export function summaryView(
  words: Pick<GradesWords, "t" | "times" | "wording">,
  { counts, unsent }: GradeSummary,
) {
  const { t, times, wording } = words;
  const total = scoreStates.reduce((sum, state) => sum + counts[state], 0);
  const since = unsent.since === null ? null : { when: times.text(unsent.since) };
  const states = (["delivered", "left", "waiting", "refused", "held", "idle"] as const).filter(
    (state) => counts[state] > 0,
  );
  let start = 0;
  const shares = states.map((state) => {
    const width = (100 * counts[state]) / total;
    start += width;
    return { tone: scoreTones[state], start: start - width, width };
  });
  return {
    delivered: numberText(t, counts.delivered),
    total: t("grades.answer", { total: numberText(t, total), place: t(`grades.place.${wording}`) }),
    /** Where each segment starts and how wide it is, in hundredths of the whole. */
    shares,
    alarm: since === null || !unsent.tooLong ? null : t("grades.summary.tooLong", since),
    oldest: since === null || unsent.tooLong ? null : t("grades.summary.oldest", since),
    unsent: counts.waiting + counts.refused > 0,
  };
}

/** How soon attendance became a grade in the gradebook; null if none did recently. @param onHold How many wait for somebody's help. */
export function arrivalText(
  { t, wording }: Pick<GradesWords, "t" | "wording">,
  { medianMs, slowestMs }: Pick<ArrivalTimes, "medianMs" | "slowestMs">,
  onHold: number,
): string | null {
  if (medianMs === null || slowestMs === null) return null;
  const times = { median: durationText(t, medianMs), slowest: durationText(t, slowestMs) };
  return sentences([
    t("grades.arrival.text", { ...times, place: t(`grades.place.${wording}`) }),
    onHold === 0 ? null : t("grades.arrival.onHold", { number: numberText(t, onHold) }),
  ]);
}

/** Says that grades wait for a release, and how many, with the button. Null if grades go automatically and none waits. */
export function holdView({ t }: Pick<GradesWords, "t">, hold: GradesHold | null, kept: number) {
  if (hold === null && kept === 0) return null;
  const count = { count: kept, number: numberText(t, kept) };
  const waits = kept === 0 ? null : t("grades.hold.kept", count);
  return {
    text: sentences([holdText(t, hold), waits]),
    act: kept === 0 ? null : t(hold?.why === "ended" ? "grades.hold.send" : "grades.hold.release", count),
  };
}

const maxBars = 10;

/** How grades are distributed, in tenths of the maximum; null for fewer than two. @param shares Grades as parts of the maximum. */
export function spreadView(t: Translate, shares: readonly number[], points: number) {
  const sorted = shares.toSorted((one, other) => one - other);
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  const median = medianOf(sorted);
  if (sorted.length < 2 || lowest === undefined || highest === undefined || median === null) return null;
  const counts = countByPart(sorted, maxBars);
  const highestBar = Math.max(...counts);
  const score = (share: number) => numberText(t, Math.round(share * points * 100) / 100);
  return {
    text: t("grades.spread.text", { lowest: score(lowest), median: score(median), highest: score(highest) }),
    /** Heights in hundredths of the highest bar. */
    bars: counts.map((count) => (100 * count) / highestBar),
    points: numberText(t, points),
  };
}

/** How many grades are in each of several equal parts of the maximum. Grades outside count in the first or last part. */
export function countByPart(shares: readonly number[], parts: number): number[] {
  const counts = Array.from({ length: parts }, () => 0);
  for (const share of shares) {
    const at = Math.max(0, Math.min(parts - 1, Math.floor(share * parts)));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
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
