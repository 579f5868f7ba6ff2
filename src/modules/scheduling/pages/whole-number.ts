/** At most six digits; else NaN, which fails every comparison. */
export function wholeNumber(typed: string): number {
  return /^\d{1,6}$/.test(typed) ? Number(typed) : Number.NaN;
}
