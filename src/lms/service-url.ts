import { withoutTrailingSlashes } from "../kernel/text.ts";

/** Before the query: Moodle's `.../lineitem?type_id=2` has `.../lineitem/scores?type_id=2` (AGS 2.0, 3.4.4). */
export function withPath(address: string, segment: "scores" | "results"): string {
  const url = new URL(address);
  url.pathname = `${withoutTrailingSlashes(url.pathname)}/${segment}`;
  return url.href;
}

/** Adds or replaces parameters. The rest of the query stays letter by letter (it may be signed). */
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
