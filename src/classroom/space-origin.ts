import type { Dialect } from "./dialect.ts";

type Known = { appUrl: string; dialect: Pick<Dialect, "loginOrigins" | "knownSpaceOrigins"> };

/**
 * Whether Spaces may be said to be at an origin. By host: people are sent to the app URL whatever was said, so it matters
 * only that the service is not another one; behind a proxy many tell http of an address that is https.
 */
export function isSpaceOrigin(origin: string, { appUrl, dialect }: Known): boolean {
  const known = [appUrl, ...dialect.loginOrigins, ...dialect.knownSpaceOrigins];
  return known.some((one) => new URL(one).host === URL.parse(origin)?.host);
}

/**
 * The origin of a Space's address as the service told it, when that is none of the classroom's: the Space URL is
 * {app_url}/spaces/<space_id> (part 4), so either the app URL is wrong or the service is not the one it was.
 * @param told Null, a path and what is no web address at all name no host.
 */
export function originElsewhere(told: string | null, known: Known): string | null {
  const url = told === null ? null : URL.parse(told, known.appUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return isSpaceOrigin(url.origin, known) ? null : url.origin;
}
