const longest = 80;

/**
 * A text as it is searched for: without capitals, accents and superfluous white space, and not endless. What somebody
 * types becomes one, too, and is found where it is the beginning of the other.
 */
export function searchKey(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest);
}
