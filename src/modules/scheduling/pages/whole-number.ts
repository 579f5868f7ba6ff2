/** A whole number of at most six digits; NaN, which fails every comparison, for anything else. */
export function wholeNumber(typed: string): number {
  return /^\d{1,6}$/.test(typed) ? Number(typed) : Number.NaN;
}
