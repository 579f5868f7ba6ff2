import { attendanceColumn } from "./column.ts";
import { type Delivery, obstacleOf } from "./delivery.ts";
import { type ScoreState, scoreStateOf } from "./score-state.ts";

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
