import type { PagingSettings } from "./dialect-pages.ts";
import { bareName } from "./read-reply.ts";

/** What a reply says about its list's pages; null is "not said". */
export type PageSigns = {
  /** The next page's address, absolute or not. */
  link: string | null;
  nextNumber: number | null;
  cursor: Named<string> | null;
  more: boolean | null;
  number: Named<number> | null;
  pages: number | null;
  offset: Named<number> | null;
  size: number | null;
  total: number | null;
};

type Named<Value> = { name: string; value: Value };

/**
 * In everything around the list. @param list In the reply; one put together from several is not found in it. @param
 * linkHeader The address of the Link header with rel=next.
 */
export function pageSigns(
  reply: unknown,
  list: readonly unknown[],
  linkHeader: string | null,
  { reply: places }: PagingSettings,
): PageSigns {
  const holders = holdersOf(reply, list, 0) ?? [reply];
  const first = <Value>(field: keyof PagingSettings["reply"], as: (value: unknown) => Value | null) => {
    for (const holder of holders)
      for (const place of places[field]) {
        const found = entryAt(holder, place);
        const value = found === null ? null : as(found.value);
        if (found !== null && value !== null) return { name: found.name, value };
      }
    return null;
  };
  const { link, cursor, nextNumber } = nextSigns(first("next", nextOf)?.value ?? null);
  const value = <Value>(sign: Named<Value> | null): Value | null => (sign === null ? null : sign.value);
  return {
    link: link ?? linkHeader,
    nextNumber,
    cursor: first("cursor", textOf) ?? cursor,
    more: value(first("more", truthOf)),
    number: first("number", numberOf),
    pages: value(first("pages", numberOf)),
    offset: first("offset", numberOf),
    size: value(first("size", numberOf)),
    total: value(first("total", numberOf)),
  };
}

/** A "next" may be an address, a number, or a cursor. */
function nextSigns(next: string | number | null): Pick<PageSigns, "link" | "nextNumber" | "cursor"> {
  const none = { link: null, nextNumber: null, cursor: null };
  if (next === null) return none;
  if (typeof next === "number") return { ...none, nextNumber: next };
  const isAddress = /^(https?:|\/|\?)/i.test(next);
  return isAddress ? { ...none, link: next } : { ...none, cursor: { name: "cursor", value: next } };
}

export function saysPages({ size: _size, ...signs }: PageSigns): boolean {
  return Object.values(signs).some((sign) => sign !== null);
}

/** What stands around a list, nearest first; null when the list is not in the value. */
function holdersOf(value: unknown, list: readonly unknown[], depth: number): unknown[] | null {
  if (value === list) return [];
  if (typeof value !== "object" || value === null || depth > 6) return null;
  for (const inner of Object.values(value)) {
    const found = holdersOf(inner, list, depth + 1);
    if (found !== null) return [...found, value];
  }
  return null;
}

/** An address, number or cursor; also inside an object that describes a link. */
function nextOf(value: unknown): string | number | null {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number") return value;
  return textOf(entryAt(value, "href")?.value) ?? textOf(entryAt(value, "url")?.value);
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : null;
}

function truthOf(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function entryAt(holder: unknown, place: string): Named<unknown> | null {
  let found: Named<unknown> = { name: "", value: holder };
  for (const part of place.split(".")) {
    const { value } = found;
    if (typeof value !== "object" || value === null) return null;
    const entry = Array.isArray(value)
      ? linkAmong(value, part)
      : Object.entries(value).find(([name]) => bareName(name) === bareName(part));
    if (entry === undefined) return null;
    found = { name: entry[0], value: entry[1] };
  }
  return found;
}

/** Links may be a list of `{ rel, href }`. */
function linkAmong(links: readonly unknown[], rel: string): [string, unknown] | undefined {
  const link = links.find((each) => entryAt(each, "rel")?.value === rel);
  return link === undefined || Array.isArray(link) ? undefined : [rel, link];
}
