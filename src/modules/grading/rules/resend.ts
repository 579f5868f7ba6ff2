/** The sending of all scores of a course once more. */
export type Resend = {
  registrationId: string;
  courseId: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** So many scores; null until they were counted. */
  total: number | null;
};
