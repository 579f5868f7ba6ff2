import { attendanceColumn } from "./column.ts";
import type { Delivery } from "./delivery.ts";
import { type ScoreState, scoreStateOf } from "./score-state.ts";

/**
 * In which part of a list a score is: what needs somebody first, then what is on its way, then the rest in one order.
 * Last and never listed: columns that are not filled and never were. Stored with the state, for lists are sorted by it.
 */
export const urgency = { held: 0, refused: 1, waiting: 2, settled: 3, noNews: 4 } as const;

/** A column that is not filled and never was is no news. */
export function isNews({
  columnKey,
  state,
  accepted,
}: Pick<Delivery, "columnKey" | "state" | "accepted">): boolean {
  return columnKey === attendanceColumn || state !== "idle" || accepted !== null;
}

/** The part of the list that a score belongs to. */
export function urgencyOf(score: Pick<Delivery, "columnKey" | "state" | "accepted" | "foreign">): number {
  return isNews(score) ? urgencyOfState(scoreStateOf(score)) : urgency.noNews;
}

/** As `urgencyOf`, of what is listed. */
export function urgencyOfState(state: ScoreState): number {
  return state === "held" || state === "refused" || state === "waiting" ? urgency[state] : urgency.settled;
}
