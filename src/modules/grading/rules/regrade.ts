export type Regrade = {
  id: string;
  registrationId: string;
  courseId: string;
  wanted: number;
  done: number;
  /** Milliseconds; `never`: not at all. */
  dueAt: number;
  attempts: number;
  /** The request that `cursor` and `graded` belong to. */
  underWay: number;
  /** Scores are computed up to this person id. */
  cursor: string;
  graded: number;
  total: number | null;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  finishedAt: number | null;
  problem: string | null;
};
