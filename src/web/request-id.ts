/**
 * The id of a request: what a proxy in front says in X-Request-Id, so that its log and ours can be laid side by side,
 * when it looks like one; else a new one. Whoever sends the request chooses it, so it is bounded, and nothing in it can
 * be taken for anything else in a log or a page.
 */
export function requestId(given: string | undefined, make: () => string): string {
  return given !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(given) ? given : make();
}
