import type { IncomingMessage } from "node:http";

/**
 * Whether our own page sent this form. `Sec-Fetch-Site` decides ("none" is the person: a reload, a restored tab).
 * Safari before 16.4, and every browser over plain http to another machine, sends only `Origin`, as the page's referrer
 * policy allows. No known browser sends neither.
 */
export function isFromOwnPage(request: Pick<IncomingMessage, "headers">, ownAddress: string): boolean {
  const { "sec-fetch-site": site, origin } = request.headers;
  if (site !== undefined) return site === "same-origin" || site === "none";
  return origin === new URL(ownAddress).origin;
}
