/** A message the tool takes, and its wanted places in the LMS. */
export type WantedMessage = {
  type: "LtiResourceLinkRequest" | "LtiDeepLinkingRequest" | "LtiSubmissionReviewRequest";
  /** Empty where the LMS decides by itself. */
  placements: readonly string[];
  extras?: Readonly<Record<string, unknown>>;
};
