import type { PolicyField } from "../../../src/settings/policy-options.ts";

/** The form of grading as a new course has it, as a browser posts it. */
export const usualGrading: Readonly<Partial<Record<PolicyField, string>>> = {
  ...{ kind: "one-column", points: "100", denominator: "so-far", fixedSessions: "" },
  ...{ PRESENT: "100", LATE: "80", ABSENT: "0", EXCUSED: "", leftOut: "EXCUSED", comment: "no" },
  ...{ dropLowest: "0", minimumSessions: "1", formula: "mean", neededPercent: "", offPercent: "" },
  ...{ worth: "status", completion: "score", completedSessions: "", completedPercent: "" },
};

export type GradingChange = Partial<Record<PolicyField, string>>;
