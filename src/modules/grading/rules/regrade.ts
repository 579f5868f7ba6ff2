/** The computing anew of all scores of a course. */
export type Regrade = {
  id: string;
  registrationId: string;
  courseId: string;
  /** Grows with every wish for one; what the wish is about was stored before. */
  wanted: number;
  /** The wish up to which all scores have been computed. */
  done: number;
  /** When it is to be worked on (ms); `never` while nothing is to be done. */
  dueAt: number;
  attempts: number;
  /** The wish that `cursor` and `graded` belong to. */
  underWay: number;
  /** The person up to whom, in the order of their ids, scores have been computed. */
  cursor: string;
  /** So many learners are done, of so many. */
  graded: number;
  total: number | null;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  finishedAt: number | null;
  /** Why the last attempt failed; null when it did not. */
  problem: string | null;
};
