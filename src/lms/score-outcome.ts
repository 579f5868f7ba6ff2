/** The whole state of one person's score: the LMS clears what is left out. */
export type ScoreToSend = {
  sub: string;
  /** Null clears the score the tool sent before. */
  score: number | null;
  maximum: number;
  comment: string | null;
  /** The activity is not completed yet; it is where this is left out. */
  inProgress?: boolean;
  /**
   * The comment sent before, when known. Canvas adds a comment with every post, so an unchanged one is not sent again;
   * Moodle erases one that is not repeated, so there it always is.
   */
  lastComment?: string | null;
  /** In a later second than the score before. */
  at: number;
};

export type ScoreOutcome =
  | { kind: "accepted" }
  /** The LMS has a score with this or a later timestamp: look at the result before believing it. */
  | { kind: "conflict" }
  /** The LMS asks for a pause; null when it does not say how long. */
  | { kind: "busy"; retryAfterMs: number | null }
  /** The LMS takes nothing from us until then (ms), whatever the score. */
  | { kind: "paused"; code: string; reason: string; until: number }
  /** Somebody must act; `reason` is a sentence for the instructor. */
  | { kind: "refused"; code: string; reason: string }
  | { kind: "gone" }
  | { kind: "unreachable"; code: string; reason: string };
