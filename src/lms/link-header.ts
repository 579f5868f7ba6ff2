import { NamedError } from "../kernel/errors.ts";

/**
 * The address of the next page, or null on the last one. Reads loosely: Moodle's line item links have
 * typographic quotes around `rel` (raw UTF-8, so three odd characters here) and `&amp;` in the address.
 * @param header The Link header (RFC 8288); null when there is none.
 * @param from The address it came with; a relative link starts there. A link to plain http on the same host
 * counts as https when this one is: an LMS behind a proxy often does not know its own scheme.
 * @throws NamedError "lms-list-broken" when there is a next page whose address cannot be read: a list that ends
 * there would lose people.
 */
export function nextPageOf(header: string | null, from: string): string | null {
  if (header === null) return null;
  for (const part of header.split(/,\s*(?=<)/)) {
    const [, relation] = /;\s*rel\s*=\s*([^;]*)/i.exec(part) ?? [];
    if (relation === undefined || !/(^|[^a-z])next([^a-z]|$)/i.test(relation)) continue;
    const [, address] = /<([^>]*)>/.exec(part) ?? [];
    const next = address === undefined ? null : URL.parse(address.replaceAll("&amp;", "&"), from);
    if (next === null) {
      throw new NamedError("lms-list-broken", "The LMS names a next page whose address cannot be read.", {
        status: 502,
      });
    }
    const own = new URL(from);
    if (own.protocol === "https:" && next.protocol === "http:" && next.host === own.host)
      next.protocol = "https:";
    return next.href;
  }
  return null;
}
