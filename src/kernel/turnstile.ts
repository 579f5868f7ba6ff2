import type { Clock } from "./clock.ts";

export type Arrival = {
  /** "left": it has left meanwhile; "full": too many wait already. */
  turn: () => Promise<"begun" | "left" | "full">;
  /** Safe to call more than once. */
  end: () => void;
  /** Leaves the waiting; a turn that has begun goes on. */
  giveUp: () => void;
};

/** Lets a few through at a time, in order of arrival. */
export type Turnstile = { arrive: () => Arrival };

export type TurnstileLimits = {
  atOnce: number;
  /** How many may wait besides. */
  mostWaiting: number;
  /** A turn counts as over after this (ms), so that what hangs does not hold up all others. */
  turnLasts: number;
};

/**
 * A turnstile of one process, ordered by calls of `arrive` and not of `turn`: what comes in between, such as reading a
 * body, costs nobody their position and holds up nobody behind.
 */
export function createTurnstile(clock: Pick<Clock, "sleep">, limits: TurnstileLimits): Turnstile {
  const waiting: { number: number; enter: (turn: "begun" | "left") => void }[] = [];
  let inside = 0;
  let arrived = 0;

  const admit = (): void => {
    while (inside < limits.atOnce) {
      const next = waiting.shift();
      if (next === undefined) return;
      inside += 1;
      next.enter("begun");
    }
  };
  return {
    arrive: () => {
      const number = (arrived += 1);
      let state: "arrived" | "waiting" | "inside" | "over" = "arrived";
      const end = (): void => {
        if (state === "inside") {
          inside -= 1;
          admit();
        }
        if (state !== "waiting") state = "over";
      };
      return {
        turn: async () => {
          if (state !== "arrived") return "left";
          if (waiting.length >= limits.mostWaiting) return "full";
          state = "waiting";
          const begun = new Promise<"begun" | "left">((begin) => {
            const before = waiting.findLastIndex((one) => one.number < number);
            const enter = (turn: "begun" | "left") => {
              state = turn === "begun" ? "inside" : "over";
              begin(turn);
            };
            waiting.splice(before + 1, 0, { number, enter });
          });
          admit();
          const turn = await begun;
          if (turn === "begun") void clock.sleep(limits.turnLasts).then(end);
          return turn;
        },
        end,
        giveUp: () => {
          const at = waiting.findIndex((one) => one.number === number);
          if (at >= 0) waiting.splice(at, 1)[0]?.enter("left");
          if (state === "arrived") state = "over";
        },
      };
    },
  };
}
