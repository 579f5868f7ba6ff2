/** A grade as a gradebook shows it. */
export type GradebookGrade = {
  /** Null where it shows none. */
  score: number | null;
  maximum: number;
  comment: string | null;
};
