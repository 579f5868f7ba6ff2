/** A value that the test needs. @param what Its name in the failure message. */
export function required<T>(value: T | null | undefined, what = "what the test needs"): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
