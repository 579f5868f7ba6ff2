/** What a test cannot go on without. */
export function required<T>(value: T | null | undefined, what = "what the test needs"): T {
  if (value === null || value === undefined) throw new Error(`${what} is not there`);
  return value;
}
