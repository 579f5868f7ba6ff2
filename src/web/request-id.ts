/**
 * The proxy's X-Request-Id, so that both logs can be compared, when it looks like an id; else a new one. The sender
 * chooses it, so its length and characters are bounded for log and page.
 */
export function requestId(given: string | undefined, make: () => string): string {
  return given !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(given) ? given : make();
}
