/**
 * Adds a path segment to a service's address before its query: Moodle's line items are
 * `.../lineitem?type_id=2` and their scores `.../lineitem/scores?type_id=2` (AGS 2.0, 3.4.4).
 */
export function withPath(address: string, segment: "scores" | "results"): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${segment}`;
  return url.href;
}

/** Adds parameters to an address and keeps the query it has. */
export function withQuery(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
