import type { Translate } from "./translate.ts";

/** "a, b, c", in Arabic with its own comma. */
export function inList(t: Pick<Translate, "locale">, things: readonly string[]): string {
  // A list of its own kind in each language ("a, b und c") would read as a sentence; only the comma differs.
  return things.join(t.locale.startsWith("ar") ? "، " : ", ");
}
