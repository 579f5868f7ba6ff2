/** One learner's attendance and how the grade came about. */
export const review = {};
