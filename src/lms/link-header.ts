import { refusal } from "../kernel/refusal.ts";
import { nextLink } from "../kernel/next-link.ts";

/**
 * The next page's address; null on the last one.
 * @param header The Link header; null for none.
 * @param from Its own address: the base of relative links. Plain http on the same host counts as https when this is
 *   https: an LMS behind a proxy often does not know its scheme.
 * @param what Names the list in the error, as in "the list of people".
 * @throws NamedError "lms-list-broken" for an unreadable address: a list that ends there would lose people.
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
