import type { WhyMore } from "../domain/list-pages.ts";
import type { PagingSettings } from "./dialect-pages.ts";
import type { PageAsk } from "./page-ask.ts";
import type { PageSigns } from "./page-signs.ts";

type NumberAsk = Extract<PageAsk, { kind: "number" }>;
type OffsetAsk = Extract<PageAsk, { kind: "offset" }>;

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

/** What comes after a page, from whatever the reply says. A list without a word of pages has ended. */
export function nextPage(after: AfterPage, manners: PagingSettings): NextPage {
  const ask =
    byLink(after) ?? byCursor(after, manners) ?? byNumber(after, manners) ?? byOffset(after, manners);
  if (ask !== null) return { ask };
  const { signs, asked } = after;
  if (signs.more !== true && !lacks(after)) return { end: null };
  return { end: asked === null ? "no-way" : "fewer" };
}

function byLink({ signs }: AfterPage): PageAsk | null {
  return signs.link === null || signs.more === false ? null : { kind: "link", value: signs.link };
}

function byCursor({ signs, named }: AfterPage, { ask }: PagingSettings): PageAsk | null {
  const { cursor, more } = signs;
  if (cursor === null || more === false) return null;
  const name = ask.cursor ?? askingName(cursor.name);
  return named === null || named === "cursor" ? { kind: "cursor", name, value: cursor.value } : null;
}

function askingName(asked: string): string {
  if (/^end_?cursor$/i.test(asked)) return "after";
  if (/^next_?token$/i.test(asked)) return asked;
  const rest = asked.replace(/^next_?/i, "");
  return rest === "" ? asked : `${rest.charAt(0).toLowerCase()}${rest.slice(1)}`;
}

function byNumber(after: AfterPage, manners: PagingSettings): PageAsk | null {
  const page = numberOf(after, manners);
  if (page === null) return null;
  const next = after.signs.nextNumber ?? page.value + 1;
  if (next <= page.value) return null;
  const hasNext = hasNextNumber(after.signs, page) || goesOn(after);
  return hasNext ? { ...page, value: next } : null;
}

/** Null where pages have no numbers. */
function numberOf(after: AfterPage, { ask, first }: PagingSettings): NumberAsk | null {
  if (after.asked?.kind === "number") return after.asked;
  if (!isNumbered(after)) return null;
  const { number } = after.signs;
  const { name, value } = number ?? { name: "page", value: first };
  const pageName = name.replace(/^current_?page$/i, "page");
  return { kind: "number", name: ask.number ?? pageName, value, zero: value === 0 };
}

function isNumbered({ signs, named }: AfterPage): boolean {
  if (named !== null) return named === "number";
  return [signs.number, signs.nextNumber, signs.pages].some((sign) => sign !== null);
}

/** Whether the reply names a next number, or a last one that this is not. */
function hasNextNumber({ nextNumber, pages }: PageSigns, { value, zero }: NumberAsk): boolean {
  return nextNumber !== null || (pages !== null && value + (zero ? 1 : 0) < pages);
}

function byOffset(after: AfterPage, manners: PagingSettings): PageAsk | null {
  const page = offsetOf(after, manners);
  if (page === null || after.count === 0 || !goesOn(after)) return null;
  return { ...page, value: page.value + after.count };
}

/** Null where pages have no offset. */
function offsetOf(after: AfterPage, { ask }: PagingSettings): OffsetAsk | null {
  if (after.asked?.kind === "offset") return after.asked;
  if (!isOffset(after)) return null;
  const { name, value } = after.signs.offset ?? { name: "offset", value: 0 };
  return { kind: "offset", name: ask.offset ?? name, value };
}

function isOffset(after: AfterPage): boolean {
  const { signs, named } = after;
  if (named !== null) return named === "offset";
  return signs.offset !== null || (signs.size !== null && lacks(after));
}

/** Whether there is more, or may be: no total is known and the page is full. */
function goesOn(after: AfterPage): boolean {
  const { signs, count } = after;
  if (signs.more === true) return true;
  if (count === 0) return false;
  if (signs.more !== null || signs.total !== null) return lacks(after);
  return signs.pages === null && (signs.size === null || count >= signs.size);
}

function lacks({ signs, read }: AfterPage): boolean {
  return signs.total !== null && read < signs.total;
}
