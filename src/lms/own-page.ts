import type { IncomingMessage } from "node:http";

/**
 * Whether the browser says that a page of ours sent this form. `Sec-Fetch-Site` decides where there is one ("none" is
 * the person themselves: a reload, a restored tab). Safari before 16.4, and every browser over plain http to another
 * machine, sends `Origin` alone, which says who sent the form as long as that page's referrer policy lets it. A request
 * with neither was sent by no browser that we know, so it does not count.
 */
export function isFromOwnPage(request: Pick<IncomingMessage, "headers">, ownAddress: string): boolean {
  const { "sec-fetch-site": site, origin } = request.headers;
  if (site !== undefined) return site === "same-origin" || site === "none";
  return origin === new URL(ownAddress).origin;
}
