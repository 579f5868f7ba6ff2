import type { Delivery } from "./delivery.ts";

/**
 * How a score stands, as people are told: held: a teacher changed the grade and nobody has decided · refused: somebody has
 * to act · waiting: on its way · left: the teacher's grade is to stay · delivered · idle: nothing to send.
 * In the order in which a list shows them.
 */
export const scoreStates = ["held", "refused", "waiting", "left", "delivered", "idle"] as const;
export type ScoreState = (typeof scoreStates)[number];

/** How many scores of a course stand how. */
export type ScoreCounts = Readonly<Record<ScoreState, number>>;

/** How a score stands. */
export function scoreStateOf({ state, foreign }: Pick<Delivery, "state" | "foreign">): ScoreState {
  if (state !== "held") return state;
  return (foreign?.leftAt ?? null) === null ? "held" : "left";
}

/** Whether nothing happens until somebody does something. */
export function needsSomebody(state: ScoreState): boolean {
  return state === "held" || state === "refused";
}
