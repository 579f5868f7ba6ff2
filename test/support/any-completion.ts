import fc from "fast-check";

const before = fc.constantFrom("sent" as const, "held" as const);

/** Any rule for when an activity is completed. @param most Sessions that may be needed. */
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
