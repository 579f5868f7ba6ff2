/** A message the tool takes, and where in the LMS it would like to be reached by it. */
export type WantedMessage = {
  type: "LtiResourceLinkRequest" | "LtiDeepLinkingRequest" | "LtiSubmissionReviewRequest";
  /** Empty where the LMS decides by itself. */
  placements: readonly string[];
  /** Extensions of one product. */
  extras?: Readonly<Record<string, unknown>>;
};
