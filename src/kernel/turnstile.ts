import type { Clock } from "./clock.ts";

/** Somebody who has arrived at a turnstile. */
export type Arrival = {
  /** Waits for this one's turn: "left" when it has left meanwhile, "full" when too many wait already. */
  turn: () => Promise<"begun" | "left" | "full">;
  /** Gives the turn to whoever is next. Safe to call more than once. */
  end: () => void;
  /** Whoever waits no longer gives up the place among those who wait; a turn that has begun goes on. */
  giveUp: () => void;
};

/** Lets a few through at a time, in the order in which they arrived. */
export type Turnstile = { arrive: () => Arrival };

export type TurnstileLimits = {
  /** How many have their turn at once. */
  atOnce: number;
  /** How many may wait besides. */
  mostWaiting: number;
  /** A turn that does not end by itself counts as over after this (ms): what hangs must not hold up everybody else. */
  turnLasts: number;
};

/**
 * A turnstile of one process. The order is that in which `arrive` was called, whoever then asks for their turn first; so what
 * comes in between, such as reading a body, neither costs anybody their place nor holds up those behind them.
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
