import { attendanceColumn } from "./column.ts";
import { type Delivery, obstacleOf } from "./delivery.ts";

/** In list order. refused: needs a person. left: the teacher's grade stays. idle: no grade to send. */
export const scoreStates = ["held", "refused", "waiting", "left", "delivered", "idle"] as const;
export type ScoreState = (typeof scoreStates)[number];

export type ScoreCounts = Readonly<Record<ScoreState, number>>;

/** People need not tell what waits for an answer from what waits for something else; the reason says it. */
export function shownState(state: Delivery["state"]): Exclude<Delivery["state"], "blocked"> {
  return state === "blocked" ? "waiting" : state;
}

export function scoreStateOf({ state, foreign }: Pick<Delivery, "state" | "foreign">): ScoreState {
  if (state !== "held") return shownState(state);
  return (foreign?.leftAt ?? null) === null ? "held" : "left";
}

/** What needs a person comes first; columns never filled are not listed. Stored, as lists sort by it. */
export const urgency = { held: 0, refused: 1, waiting: 2, settled: 3, noNews: 4 } as const;

/** False for a column that is not filled and never was, and for somebody who is no learner here any more. */
export function isNews({
  columnKey,
  state,
  accepted,
  refusal,
}: Pick<Delivery, "columnKey" | "state" | "accepted" | "refusal">): boolean {
  if (state === "blocked" && obstacleOf(refusal) === "person") return false;
  return columnKey === attendanceColumn || state !== "idle" || accepted !== null;
}

export function urgencyOf(
  score: Pick<Delivery, "columnKey" | "state" | "accepted" | "foreign" | "refusal">,
): number {
  return isNews(score) ? urgencyOfState(scoreStateOf(score)) : urgency.noNews;
}

export function urgencyOfState(state: ScoreState): number {
  return state === "held" || state === "refused" || state === "waiting" ? urgency[state] : urgency.settled;
}

/**
 * - now: at once; gathered ones after a quiet moment.
 * - gathered: more about the same person is expected; one score is to cover it.
 * - regraded: after a change of the course, perhaps in a burst: after a quiet moment; gathered ones go on waiting.
 */
export type Sending = "now" | "gathered" | "regraded";

/** The longest wait for more about a person (ms). */
const maxGatheringMs = 15_000;
/** The quiet time that ends a burst (ms). */
export const quietMs = 1_500;

/** When a newly waiting score is due (ms), and whether it gathers. */
export function dueFirst(sending: Sending, now: number): { nextTryAt: number; gathering: boolean } {
  const waits = { now: 0, gathered: maxGatheringMs, regraded: quietMs }[sending];
  return { nextTryAt: now + waits, gathering: waits > 0 };
}

/** When a score that gathers since `since` is due after another change (ms); null: unchanged. */
export function dueAgain(sending: Sending, since: number, now: number): number | null {
  if (sending === "regraded") return null;
  const atLast = since + maxGatheringMs;
  return sending === "gathered" ? atLast : Math.min(atLast, now + quietMs);
}
