/** A write refused by a unique key (MongoDB error 11000). */
export function isDuplicateKey(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === 11000;
}

/** Repeats an upsert after MongoDB's 11000, when a concurrent one inserted the key between search and insert. */
export async function retriedOnDuplicate<T>(upsert: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upsert();
    } catch (thrown) {
      if (!isDuplicateKey(thrown) || attempt >= 5) throw thrown;
    }
  }
}
