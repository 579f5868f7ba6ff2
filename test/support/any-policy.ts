import fc from "fast-check";

const before = fc.constantFrom("sent" as const, "held" as const);

/** Any rule for when an activity is completed. @param most The most sessions that may be needed. */
export function anyCompletion(most: number) {
  return fc.oneof(
    fc.constant({ kind: "score" as const }),
    fc.record({
      kind: fc.constant("sessions" as const),
      sessions: fc.integer({ min: 1, max: most }),
      before,
    }),
    fc.record({ kind: fc.constant("share" as const), percent: fc.integer({ min: 1, max: 100 }), before }),
  );
}

/** Any rule by which minutes scale what a status earns. */
export const anyMinutesWorth = fc.record({
  kind: fc.constant("minutes" as const),
  fullFrom: fc.integer({ min: 1, max: 100 }),
  tolerance: fc.integer({ min: 0, max: 60 }),
  below: fc.constantFrom("share" as const, "nothing" as const),
  hidden: fc.constantFrom("counted" as const, "taken-off" as const),
});
