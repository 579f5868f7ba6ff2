import type { Delivery } from "./delivery.ts";

/** In list order. refused: needs a person. left: the teacher's grade stays. idle: nothing to send. */
export const scoreStates = ["held", "refused", "waiting", "left", "delivered", "idle"] as const;
export type ScoreState = (typeof scoreStates)[number];

export type ScoreCounts = Readonly<Record<ScoreState, number>>;

export function scoreStateOf({ state, foreign }: Pick<Delivery, "state" | "foreign">): ScoreState {
  if (state !== "held") return state;
  return (foreign?.leftAt ?? null) === null ? "held" : "left";
}
