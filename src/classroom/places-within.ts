/** Paths of a field with these names, most telling first: inside a part, then without. */
export function within(parts: readonly string[], names: readonly string[]): string[] {
  return names.flatMap((name) => [...parts.map((part) => `${part}.${name}`), name]);
}
