/** Whether a write was refused by a unique key (MongoDB error 11000). */
export function isDuplicateKey(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === 11000;
}

/**
 * Runs an upsert again when a concurrent one inserted the same key between its search and its insert:
 * MongoDB then answers 11000, and the second try finds the document.
 */
export async function retriedOnDuplicate<T>(upsert: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upsert();
    } catch (thrown) {
      if (!isDuplicateKey(thrown) || attempt >= 5) throw thrown;
    }
  }
}
