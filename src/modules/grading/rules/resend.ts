export type Resend = {
  registrationId: string;
  courseId: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Null until counted. */
  total: number | null;
};
