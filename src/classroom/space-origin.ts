import type { Dialect } from "./dialect.ts";

type Known = { appUrl: string; dialect: Pick<Dialect, "loginOrigins" | "knownSpaceOrigins"> };

/** Compared by host: people go to the app URL anyway, and behind a proxy many say http for an https address. */
export function isSpaceOrigin(origin: string, { appUrl, dialect }: Known): boolean {
  const known = [appUrl, ...dialect.loginOrigins, ...dialect.knownSpaceOrigins];
  return known.some((one) => new URL(one).host === URL.parse(origin)?.host);
}

/**
 * Of a Space's reported address: the Space URL is {app_url}/spaces/<space_id> (part 4), so either the app URL is wrong
 * or the service is another one. @param address Null, a path, or no web address at all name no host.
 */
export function originElsewhere(address: string | null, known: Known): string | null {
  const url = address === null ? null : URL.parse(address, known.appUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return isSpaceOrigin(url.origin, known) ? null : url.origin;
}
