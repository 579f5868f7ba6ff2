/** Makes something when it is first asked for: what few requests need is no part of the start. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
