/** What a product's gradebook does with scores that are sent and tells of grades that are there. */
export type GradebookTraits = {
  /** Whose grades its results tell: everybody's, or only those of people whom the tool has scored before (Canvas). */
  tells: "everybody" | "scored-only";
  /** Whether it is known to tell a grade of 0 as such; others may show 0 for "no grade". */
  tellsZero: boolean;
  /** An empty result where a score was taken means that a teacher emptied it (Canvas: or excused the person). */
  emptyIsTeachers: boolean;
  /** A score that is sent takes "Excused" off the person, and nothing tells that they had it (Canvas). */
  sendingEndsExcused: boolean;
  /** Takes a score and goes on showing what a teacher typed in before (Moodle's override). */
  keepsTeachersGrade: boolean;
  /**
   * In what points its results tell a grade: "told": those they name beside it. "column": the column's own of today, though
   * they name those of the time when the grade was written (Moodle). "as-sent": ours as it was sent, whatever became of the
   * column's points since (Canvas).
   */
  resultsIn: "told" | "column" | "as-sent";
};

/** A grade as a gradebook shows it. */
export type ShownGrade = {
  /** Null where it shows none. */
  score: number | null;
  maximum: number;
  comment: string | null;
};
