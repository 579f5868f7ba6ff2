import { cutTo } from "../../../kernel/text.ts";

const maxKeyLength = 80;

/** Without capitals, accents and extra white space, cut in length. A search finds keys that begin with its own key. */
export function searchKey(text: string): string {
  const key = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
  return cutTo(key, maxKeyLength);
}
