import { z } from "zod";
import type { RouteDialect } from "./dialect.ts";
import type { PagingSettings } from "./dialect-replies.ts";
import { placeholdersIn, type TemplateValues } from "./fill-template.ts";
import { maxTextLength } from "./limits.ts";
import { withoutTrailingSlashes } from "../kernel/text.ts";

const askSchema = z.union([
  z.object({ kind: z.literal("number"), value: z.number() }),
  z.object({ kind: z.literal("offset"), value: z.number() }),
  z.object({ kind: z.literal("cursor"), value: z.string() }),
  /** Path and query within the service. */
  z.object({ kind: z.literal("link"), value: z.string() }),
]);

/** A request for a page of a list, other than the first. */
export type PageAsk = z.infer<typeof askSchema>;

const placeholderOf = { number: "page", offset: "offset", cursor: "cursor" } as const;

/** How routes ask for pages; null if they have no placeholder for it. */
export function askedByRoutes(routes: readonly RouteDialect[]): Exclude<PageAsk["kind"], "link"> | null {
  const kinds = ["cursor", "offset", "number"] as const;
  return kinds.find((kind) => routes.some((route) => names(route, placeholderOf[kind]))) ?? null;
}

/** The values of a page for its route. @param ask Null for the first page. */
export function valuesOfPage(
  values: TemplateValues,
  ask: Exclude<PageAsk, { kind: "link" }> | null,
  { first, size }: PagingSettings,
): TemplateValues {
  const asked = ask === null ? {} : { [placeholderOf[ask.kind]]: ask.value };
  return { ...values, page: first, pageSize: size, offset: 0, ...asked };
}

/** Checks the next page after `asked` (null: the first). @returns null if its address leads outside the service or is too long */
export function askWithin(
  next: PageAsk,
  asked: PageAsk | null,
  { baseUrl, keyParameter }: { baseUrl: string; keyParameter: string | null },
): PageAsk | null {
  if (String(next.value).length > maxTextLength) return null;
  if (next.kind !== "link") return next;
  const path = asked?.kind === "link" ? asked.value : null;
  const value = linkWithin(next.value, { baseUrl, path }, keyParameter);
  return value === null ? null : { kind: "link", value };
}

/** A page's address as path and query, without a key in the query; null if it isn't the service's. */
function linkWithin(
  address: string,
  asked: { baseUrl: string; path: string | null },
  keyParameter: string | null,
): string | null {
  const base = new URL(`${withoutTrailingSlashes(asked.baseUrl)}/`);
  // A query alone belongs to the first page's address, which the route makes.
  if (address.startsWith("?") && (asked.path === null || asked.path.startsWith("?")))
    return searchWithout(address, keyParameter);
  const from = new URL(asked.path ?? base, base);
  // Some services count a path from their own base address.
  const path = /^\/(?!\/)/.test(address) && !address.startsWith(base.pathname) ? `.${address}` : address;
  if (!URL.canParse(path, from.href)) return null;
  const url = new URL(path, path === address ? from : base);
  if (!isOf(base, url)) return null;
  return `${url.pathname}${searchWithout(url.search, keyParameter)}`;
}

function searchWithout(search: string, keyParameter: string | null): string {
  const parameters = new URLSearchParams(search);
  if (keyParameter === null || !parameters.has(keyParameter)) return search;
  parameters.delete(keyParameter);
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

/** The full address of a page's link; null if it leads out of the service. */
export function linkedAddress(link: string, baseUrl: string, firstUrl: string): string | null {
  const base = new URL(`${withoutTrailingSlashes(baseUrl)}/`);
  const url = new URL(link, link.startsWith("?") ? firstUrl : base);
  return isOf(base, url) ? url.href : null;
}

function isOf(base: URL, url: URL): boolean {
  return url.origin === base.origin && url.pathname.startsWith(base.pathname) && url.username === "";
}

export function writtenAsk(ask: PageAsk): string {
  return JSON.stringify(ask);
}

/** Reads the text of `writtenAsk`; null for anything else. */
export function readAsk(text: string | null): PageAsk | null {
  try {
    return askSchema.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

function names(route: RouteDialect, placeholder: string): boolean {
  return [route.query, route.body].flatMap(placeholdersIn).some(({ value }) => value === placeholder);
}
