import type { Clock } from "./clock.ts";

export type Arrival = {
  /**
   * @param group Such as an LMS, so a crowd from one group doesn't hold up the others.
   * @returns "left": it stopped waiting; "full": too many are waiting already.
   */
  turn: (group?: string) => Promise<"begun" | "left" | "full">;
  /** Safe to call more than once. */
  end: () => void;
  /** Stops waiting; a turn that has begun continues. */
  giveUp: () => void;
};

export type TurnstileLimits = {
  atOnce: number;
  /** How many of one group may wait. Of all groups together, twice as many may. */
  maxWaiting: number;
  /** A turn counts as over after this (ms), so work that hangs doesn't hold up the rest. */
  turnLasts: number;
};

type Waiting = { number: number; enter: (turn: "begun" | "left") => void };
/** `lastIn`: the number of the group's latest turn, counted over all groups. */
type Group = { waiting: Waiting[]; inside: number; lastIn: number };

/**
 * A turnstile for one process. Its order is that of the calls of `arrive`, not of `turn`: a request that does something in between, such as
 * reading a body, keeps its position and doesn't hold up those behind.
 */
export function createTurnstile(clock: Pick<Clock, "sleep">, limits: TurnstileLimits) {
  const groups = new Map<string, Group>();
  let waiting = 0;
  let inside = 0;
  let arrived = 0;
  let begun = 0;

  const admit = (): void => {
    while (inside < limits.atOnce) {
      const [group] = [...groups.values()].filter((one) => one.waiting.length > 0).sort(goesBefore);
      const next = group?.waiting.shift();
      if (group === undefined || next === undefined) return;
      waiting -= 1;
      inside += 1;
      group.inside += 1;
      group.lastIn = begun += 1;
      next.enter("begun");
    }
  };
  return {
    arrive: () => {
      const number = (arrived += 1);
      let state: "arrived" | "waiting" | "inside" | "over" = "arrived";
      let name = "";
      const forget = (): void => {
        const group = groups.get(name);
        if (group?.inside === 0 && group.waiting.length === 0) groups.delete(name);
      };
      const end = (): void => {
        if (state === "inside") {
          inside -= 1;
          const group = groups.get(name);
          if (group !== undefined) group.inside -= 1;
          admit();
          forget();
        }
        if (state !== "waiting") state = "over";
      };
      return {
        turn: async (of = "") => {
          if (state !== "arrived") return "left";
          const group = groups.get(of) ?? { waiting: [], inside: 0, lastIn: 0 };
          if (group.waiting.length >= limits.maxWaiting || waiting >= 2 * limits.maxWaiting) return "full";
          name = of;
          groups.set(of, group);
          state = "waiting";
          const over = new Promise<"begun" | "left">((begin) => {
            const before = group.waiting.findLastIndex((one) => one.number < number);
            const enter = (turn: "begun" | "left") => {
              state = turn === "begun" ? "inside" : "over";
              begin(turn);
            };
            group.waiting.splice(before + 1, 0, { number, enter });
            waiting += 1;
          });
          admit();
          const turn = await over;
          if (turn === "begun") void clock.sleep(limits.turnLasts).then(end);
          return turn;
        },
        end,
        giveUp: () => {
          const line = groups.get(name)?.waiting ?? [];
          const at = line.findIndex((one) => one.number === number);
          if (at >= 0) {
            waiting -= 1;
            line.splice(at, 1)[0]?.enter("left");
            forget();
          }
          if (state === "arrived") state = "over";
        },
      };
    },
  };
}

/** The group with fewer turns under way goes first, then the one that last had a turn longest ago, then the one whose first member came first. */
function goesBefore(one: Group, other: Group): number {
  return (
    one.inside - other.inside ||
    one.lastIn - other.lastIn ||
    (one.waiting[0]?.number ?? 0) - (other.waiting[0]?.number ?? 0)
  );
}
