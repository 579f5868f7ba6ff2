/** The whole state of one person's score; what is left out is cleared by the LMS, so nothing is left out. */
export type ScoreToSend = {
  /** The LMS's user id. */
  sub: string;
  /** Null clears the score the tool sent before. */
  score: number | null;
  maximum: number;
  comment: string | null;
  /**
   * The comment the LMS took with the score before, when known: Canvas adds a comment with every post, so there
   * an unchanged one is not sent again. Moodle erases a comment that is not repeated, so there it always is.
   */
  lastComment?: string | null;
  /** Milliseconds since the epoch; in a later second than the score before. */
  at: number;
};

/** What became of a score. */
export type ScoreOutcome =
  | { kind: "accepted" }
  /** The LMS has a score with this or a later timestamp: look at the result before believing it. */
  | { kind: "conflict" }
  /** The LMS wants us to wait; null when it does not say how long. */
  | { kind: "busy"; retryAfterMs: number | null }
  /** The LMS takes nothing from us at the moment, whatever the score; until then (ms) it is left alone. */
  | { kind: "paused"; code: string; reason: string; until: number }
  /** Somebody must act; `reason` is a sentence for the instructor. */
  | { kind: "refused"; code: string; reason: string }
  /** The column was deleted. */
  | { kind: "gone" }
  /** No answer, or a failure of the LMS: worth trying again. */
  | { kind: "unreachable"; code: string; reason: string };
