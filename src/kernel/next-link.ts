/** A parameter other than `rel` whose quoted text may hold anything, such as `, <` or `rel=` (RFC 9110, 5.6.4). */
const otherQuoted = /;\s*(?!rel\s*=)[^\s=;,"]+\s*=\s*"(?:[^"\\]|\\.)*"/gi;

/**
 * The target of relation "next" in a Link header (RFC 8288, 3), as written; null without one, "" for an unreadable one.
 * Reads loosely: Moodle's line item links have typographic quotes around `rel` (raw UTF-8, so three odd characters
 * here) and `&amp;` in the address.
 */
export function nextLink(header: string | null): string | null {
  const plain = (header ?? "").replace(otherQuoted, "");
  for (const part of plain.split(/,\s*(?=<)/)) {
    const [, quoted = ""] = /;\s*rel\s*=\s*([^;]*)/i.exec(part) ?? [];
    const relations = quoted
      .toLowerCase()
      .replace(/[^\w\s.:/-]/g, "")
      .split(/\s+/);
    if (relations.includes("next")) return (/<([^<>]*)>/.exec(part)?.[1] ?? "").replaceAll("&amp;", "&");
  }
  return null;
}
