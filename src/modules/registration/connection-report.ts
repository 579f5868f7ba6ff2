/** What a connection test tried with one LMS, in the order it was tried. */
export type ConnectionReport = {
  registrationId: string;
  /** Milliseconds since the epoch. */
  checkedAt: number;
  checks: readonly ConnectionCheck[];
};

/** One thing tried. */
export type ConnectionCheck = {
  step: "keys" | "launch" | "token" | "roster" | "line-items" | "results";
  outcome: "works" | "fails" | "not-tried";
  /** For the administrator: what was seen, or what to do. */
  message: string;
  /** The scope the LMS did not grant, as a full URI; null when that is not the trouble. */
  missingScope: string | null;
};
