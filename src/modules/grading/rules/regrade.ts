export type Regrade = {
  id: string;
  registrationId: string;
  courseId: string;
  /** Grows with every request; its reason was stored before. */
  wanted: number;
  /** The request up to which all scores are computed. */
  done: number;
  /** When it is due (ms); `never` for not at all. */
  dueAt: number;
  attempts: number;
  /** The request that `cursor` and `graded` belong to. */
  underWay: number;
  /** The person id up to which scores are computed. */
  cursor: string;
  /** Learners done and in all. */
  graded: number;
  total: number | null;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  finishedAt: number | null;
  /** Why the last attempt failed; null for none. */
  problem: string | null;
};
