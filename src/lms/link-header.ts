/**
 * The address of the next page, or null on the last one. Reads loosely: Moodle's line item links have
 * typographic quotes around `rel` (raw UTF-8, so three odd characters here) and `&amp;` in the address.
 * @param header The Link header (RFC 8288); null when there is none.
 * @param from The address it came with; a relative link starts there.
 */
export function nextPageOf(header: string | null, from: string): string | null {
  if (header === null) return null;
  for (const part of header.split(/,\s*(?=<)/)) {
    const [, address] = /<([^>]*)>/.exec(part) ?? [];
    const [, relation] = /;\s*rel\s*=\s*([^;]*)/i.exec(part) ?? [];
    if (address === undefined || relation === undefined) continue;
    if (/(^|[^a-z])next([^a-z]|$)/i.test(relation)) {
      return URL.parse(address.replaceAll("&amp;", "&"), from)?.href ?? null;
    }
  }
  return null;
}
