export type GradebookGrade = {
  score: number | null;
  maximum: number;
  comment: string | null;
};
