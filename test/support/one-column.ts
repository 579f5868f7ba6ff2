import { knownStatuses } from "../../src/domain/attendance.ts";
import { type GradePolicy, ruleDefaults } from "../../src/domain/grade-policy.ts";

export type OneColumn = Extract<GradePolicy, { kind: "one-column" }>;

/** One grade for all sessions of 100 points, with 80 % for late and without excused sessions, with some fields changed. */
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

/** Statuses by their initials: "PPL" is twice present and once late; "?" is an undocumented one. */
export function statusesOf(initials: string): string[] {
  return Array.from(
    initials,
    (one) => knownStatuses.find((status) => status.startsWith(one)) ?? "LEFT_EARLY",
  );
}
