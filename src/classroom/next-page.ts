import type { WhyMore } from "../domain/list-pages.ts";
import type { PagingSettings } from "./dialect-pages.ts";
import type { PageAsk } from "./page-ask.ts";
import { bareName } from "./read-reply.ts";

/** What a reply says about its list's pages; null is "not said". */
export type PageSigns = {
  /** The next page's address, absolute or not. */
  link: string | null;
  cursor: string | null;
  /** False also where the next page or cursor is an explicit null. */
  more: boolean | null;
  pages: number | null;
  size: number | null;
  total: number | null;
};

export type AfterPage = {
  signs: PageSigns;
  /** Null for the first page. */
  asked: PageAsk | null;
  /** How the dialect's route asks for pages. */
  named: "number" | "offset" | "cursor" | null;
  /** On this page, and distinct ones so far. */
  count: number;
  read: number;
};

/** The next page, the end, or why nothing more is asked though there is more. */
export type NextPage = { ask: PageAsk } | { end: Extract<WhyMore, "no-way" | "fewer"> | null };

/** What comes after a page: the reply's link, else what the route names. A list without a word of pages has ended. */
export function nextPage(after: AfterPage, settings: PagingSettings): NextPage {
  const ask = byLink(after) ?? byCursor(after) ?? byNumber(after, settings) ?? byOffset(after);
  if (ask !== null) return { ask };
  if (!isCutOff(after)) return { end: null };
  return { end: after.asked === null ? "no-way" : "fewer" };
}

function byLink({ signs }: AfterPage): PageAsk | null {
  return signs.link === null || signs.more === false ? null : { kind: "link", value: signs.link };
}

function byCursor({ signs, named }: AfterPage): PageAsk | null {
  if (named !== "cursor" || signs.cursor === null || signs.more === false) return null;
  return { kind: "cursor", value: signs.cursor };
}

/** Null also once a link was followed. */
function byNumber(after: AfterPage, { first }: PagingSettings): PageAsk | null {
  const { signs, asked, named } = after;
  if (named !== "number" || asked?.kind === "link") return null;
  const page = asked?.kind === "number" ? asked.value : first;
  const isBeforeLast = signs.pages !== null && page - first + 1 < signs.pages;
  return isBeforeLast || hasFurtherPage(after) ? { kind: "number", value: page + 1 } : null;
}

function byOffset(after: AfterPage): PageAsk | null {
  const { asked, named, count } = after;
  if (named !== "offset" || asked?.kind === "link") return null;
  const from = asked?.kind === "offset" ? asked.value : 0;
  return count > 0 && hasFurtherPage(after) ? { kind: "offset", value: from + count } : null;
}

/** Whether there is another page, or may be: the reply does not say, and this page is full. */
function hasFurtherPage({ signs, count, read }: AfterPage): boolean {
  const { more, total, pages, size } = signs;
  if (more === true) return true;
  if (count === 0) return false;
  if (more !== null || total !== null) return lacks(total, read);
  return pages === null && (size === null || count >= size);
}

/** Whether a list that ends here has more entries, or may have: a full first page that says no end. */
function isCutOff({ signs, asked, count, read }: AfterPage): boolean {
  const { cursor, more, pages, size, total } = signs;
  if (more === true || lacks(total, read)) return true;
  if (more === false || asked !== null) return false;
  if (cursor !== null || (pages !== null && pages > 1)) return true;
  return pages === null && total === null && size !== null && count > 0 && count >= size;
}

function lacks(total: number | null, read: number): boolean {
  return total !== null && read < total;
}

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
  const found = (field: keyof PagingSettings["reply"]) =>
    holders.flatMap((holder) => places[field].map((place) => entryAt(holder, place)));
  const first = <Value>(values: readonly unknown[], as: (value: unknown) => Value | null) =>
    values.map(as).find((value) => value !== null) ?? null;
  const numberIn = (field: keyof PagingSettings["reply"]) => first(found(field), numberOf);
  const nexts = found("next");
  const next = first(nexts, nextOf);
  const isAddress = next !== null && /^(https?:|\/|\?)/i.test(next);
  const cursors = found("cursor");
  const saysNone = [...nexts, ...cursors].includes(null);
  return {
    link: isAddress ? next : linkHeader,
    cursor: first(cursors, textOf) ?? (isAddress ? null : next),
    more: first(found("more"), truthOf) ?? (saysNone && next === null && linkHeader === null ? false : null),
    pages: numberIn("pages"),
    size: numberIn("size"),
    total: numberIn("total"),
  };
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
function nextOf(value: unknown): string | null {
  return textOf(value) ?? textOf(entryAt(value, "href")) ?? textOf(entryAt(value, "url"));
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

/** What stands at a path; undefined for nothing. */
function entryAt(holder: unknown, place: string): unknown {
  let value = holder;
  for (const part of place.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Array.isArray(value)
      ? linkAmong(value, part)
      : Object.entries(value).find(([name]) => bareName(name) === bareName(part))?.[1];
  }
  return value;
}

/** Links may be a list of `{ rel, href }`. */
function linkAmong(links: readonly unknown[], rel: string): unknown {
  return links.find((each) => entryAt(each, "rel") === rel);
}
