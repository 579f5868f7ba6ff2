/** Digits become a number; event ids are texts (document part 6.5). */
export function asNumbers(name: string, value: unknown): unknown {
  const isId = /(Ids?|By)$/.test(name) && !/^event/.test(name);
  return isId && typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}
