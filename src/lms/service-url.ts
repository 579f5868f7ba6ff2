/**
 * Adds a path segment to a service's address before its query: Moodle's line items are
 * `.../lineitem?type_id=2` and their scores `.../lineitem/scores?type_id=2` (AGS 2.0, 3.4.4).
 */
export function withPath(address: string, segment: "scores" | "results"): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${segment}`;
  return url.href;
}

/**
 * Adds parameters to an address. The query it has stays as it is, letter by letter (it may be signed); only a
 * parameter of the same name is replaced.
 */
export function withQuery(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) added.set(name, value);
  }
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((part) => ![...new URLSearchParams(part).keys()].some((name) => added.has(name)));
  url.search = [...kept, added.toString()].filter((part) => part !== "").join("&");
  return url.href;
}
