import type { IncomingMessage } from "node:http";

/**
 * Whether our own page sent this form; null where the browser says nothing of it. Our `Origin` decides, then `Sec-Fetch-Site` ("none" is
 * the person: a reload, a restored tab). WebKit, Safari's engine, calls a form that opens a tab "cross-site", with the right origin.
 * Safari before 16.4, and every browser over plain http to another machine, sends only `Origin`, as the page's referrer policy allows.
 */
export function isFromOwnPage(
  { headers }: Pick<IncomingMessage, "headers">,
  ownAddress: string,
): boolean | null {
  const { "sec-fetch-site": site, origin } = headers;
  if (origin === new URL(ownAddress).origin) return true;
  if (site !== undefined) return site === "same-origin" || site === "none";
  return origin === undefined ? null : false;
}
