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

/** How long work took (ms). */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A time and its limit (ms). */
export function timeRow(measure: string, ms: number, limit: number): BenchRow {
  return {
    measure,
    value: `${ms.toFixed(ms < 10 ? 1 : 0)} ms`,
    limit: `${limit} ms`,
    ratio: `${((ms / limit) * 100).toFixed(0)}%`,
  };
}
