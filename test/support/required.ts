/** A value that the test needs. @param what It is called so in the failure. */
export function required<T>(value: T | null | undefined, what = "what the test needs"): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
