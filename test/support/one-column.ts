import { knownStatuses } from "../../src/domain/attendance.ts";
import { type GradePolicy, ruleDefaults } from "../../src/domain/grade-policy.ts";

export type OneColumn = Extract<GradePolicy, { kind: "one-column" }>;

/** One grade for all sessions of 100 points, late for 80 % and excused left out, with some of it changed. */
export function oneColumn(change: Partial<OneColumn> = {}): OneColumn {
  return {
    kind: "one-column",
    points: 100,
    credit: { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null },
    comment: false,
    ...ruleDefaults,
    ...change,
  };
}

/** Statuses by their initials: "PPL" is twice present and once late; "?" is one nobody documented. */
export function statusesOf(initials: string): string[] {
  return Array.from(
    initials,
    (one) => knownStatuses.find((status) => status.startsWith(one)) ?? "LEFT_EARLY",
  );
}
