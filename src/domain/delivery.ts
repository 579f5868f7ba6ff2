/** A score on its way to a gradebook: what it should be and what the LMS last took. */
export type Delivery = {
  id: string;
  registrationId: string;
  courseId: string;
  /** Which of the course's columns; "attendance" is the one of the default policy. */
  columnKey: string;
  personId: string;
  /** The LMS's user id, as AGS wants it. */
  sub: string;
  desired: DesiredScore | null;
  accepted: AcceptedScore | null;
  /**
   * waiting: differs from what the LMS has, or is being sent · delivered · refused: needs somebody to act ·
   * held: a teacher changed the grade in the gradebook, and nothing is sent until an instructor says so.
   */
  state: "idle" | "waiting" | "delivered" | "refused" | "held";
  /** The grade that a teacher gave in the gradebook, as last seen there; null while it is ours. */
  foreign: ForeignScore | null;
  attempts: number;
  nextTryAt: number;
  /** Since when the LMS has been behind; null when it is not. */
  waitingSince: number | null;
  /** Why the last attempt failed, in words for the instructor. */
  lastError: string | null;
  /** Timestamp of the last score sent; a later one must be in a later second (Moodle compares whole seconds). */
  lastSentAt: number | null;
};

/** The score the policy computes. */
export type DesiredScore = {
  /** Null asks the LMS to clear the score it has. */
  score: number | null;
  maximum: number;
  comment: string | null;
  /** Grows with every change; a confirmation counts only for the revision that was sent. */
  revision: number;
};

/** A grade that somebody else gave. */
export type ForeignScore = { score: number | null; maximum: number; seenAt: number };

/** What the LMS confirmed. */
export type AcceptedScore = Omit<DesiredScore, "revision"> & { at: number };
