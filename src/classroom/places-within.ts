/** The places of a field with these names, the most telling first: inside one of the parts, then without. */
export function within(parts: readonly string[], names: readonly string[]): string[] {
  return names.flatMap((name) => [...parts.map((part) => `${part}.${name}`), name]);
}
