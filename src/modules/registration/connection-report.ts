/** What a connection test tried with one LMS, in order. */
export type ConnectionReport = {
  registrationId: string;
  checkedAt: number;
  checks: readonly ConnectionCheck[];
};

export type ConnectionCheck = {
  step: "keys" | "launch" | "token" | "roster" | "line-items" | "results";
  outcome: "works" | "fails" | "not-tried";
  /** For the administrator: what was seen, or what to do. */
  message: string;
  /** Full URI of the scope the LMS did not grant; null when that is not the problem. */
  missingScope: string | null;
};
