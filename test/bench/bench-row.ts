/** One line of the table that `npm run bench` prints. All texts are for people. */
export type BenchRow = {
  /** What was measured, with the circumstances that matter. */
  measure: string;
  /** The result, with its unit. */
  value: string;
  /** What it is held against: a target, or what the thing below could do at best. */
  limit: string;
  /** Result to limit, such as "52%". */
  ratio: string;
};
