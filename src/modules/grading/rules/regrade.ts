export type Regrade = {
  id: string;
  registrationId: string;
  courseId: string;
  wanted: number;
  done: number;
  /** When it is due (ms); `never` for not at all. */
  dueAt: number;
  attempts: number;
  /** The request that `cursor` and `graded` belong to. */
  underWay: number;
  /** The person id up to which scores are computed. */
  cursor: string;
  graded: number;
  total: number | null;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  finishedAt: number | null;
  problem: string | null;
};
