import type { Delivery } from "./delivery.ts";

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
