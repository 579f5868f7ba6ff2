/** Makes something when it is first asked for, so that what few requests need does not slow the start. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
