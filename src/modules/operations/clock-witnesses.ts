import type { ClockWitness } from "./rules/clock-skew.ts";
import type { Clock } from "../../kernel/clock.ts";

/** The latest reports of others about the time. */
export type ClockWitnesses = {
  /** @param whose Distinguishes witnesses of the same name, such as two LMSs. */
  hear: (whose: string, witness: ClockWitness) => void;
  /** Recent ones, one of each. */
  heard: () => ClockWitness[];
};

/** Older reports do not count: a clock may have been set right. */
const witnessTtlMs = 3_600_000;
const maxHeard = 20;
/** A slower answer says too little about the moment. */
const maxAnswerMs = 20_000;

/** A bounded number, in this process. */
export function createClockWitnesses({ clock }: { clock: Pick<Clock, "now"> }): ClockWitnesses {
  const words = new Map<string, ClockWitness>();
  return {
    hear: (whose, witness) => {
      if (witness.answeredAt - witness.askedAt > maxAnswerMs) return;
      words.delete(whose);
      words.set(whose, witness);
      if (words.size > maxHeard) words.delete(words.keys().next().value ?? "");
    },
    heard: () => {
      const now = clock.now();
      return [...words.values()].filter((one) => Math.abs(now - one.answeredAt) <= witnessTtlMs);
    },
  };
}

/** Dates in headers are whole seconds, cut off. */
const headerGrainMs = 1_000;

/** Servers are told apart by their host. */
export function hearDates(
  witnesses: Pick<ClockWitnesses, "hear">,
  who: string,
): (url: string, date: Pick<ClockWitness, "theirs" | "askedAt" | "answeredAt">) => void {
  return (url, date) => {
    witnesses.hear(URL.parse(url)?.host ?? who, { who, ...date, grain: headerGrainMs });
  };
}
