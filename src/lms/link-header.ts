import { refusal } from "../kernel/refusal.ts";
import { nextLink } from "../kernel/next-link.ts";

/**
 * The address of the next page, or null on the last one.
 * @param header The Link header; null when there is none.
 * @param from The address it came with; a relative link starts there. A link to plain http on the same host
 * counts as https when this one is: an LMS behind a proxy often does not know its own scheme.
 * @param what Names the list in the error, as in "the list of people".
 * @throws NamedError "lms-list-broken" when there is a next page whose address cannot be read: a list that ends
 * there would lose people.
 */
export function nextPageOf(header: string | null, from: string, what: string): string | null {
  const target = nextLink(header);
  if (target === null) return null;
  const next = target === "" ? null : URL.parse(target, from);
  if (next === null) {
    throw refusal("lms-list-broken", {
      values: { what },
      status: 502,
    });
  }
  const own = new URL(from);
  if (own.protocol === "https:" && next.protocol === "http:" && next.host === own.host)
    next.protocol = "https:";
  return next.href;
}
