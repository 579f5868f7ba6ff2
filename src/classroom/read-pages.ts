import type { MoreOfList } from "../domain/list-pages.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { PagingSettings } from "./dialect-replies.ts";
import { maxBarrenPages, maxEntries } from "./limits.ts";
import { askWithin, type PageAsk, readAsk, writtenAsk } from "./page-ask.ts";
import { ownEntry } from "./read-reply.ts";

export type ListPage<Entry> = {
  reply: unknown;
  list: readonly unknown[];
  entries: readonly { id: string; entry: Entry }[];
  /** The address in a Link header with rel=next. */
  link: string | null;
};

/** A list, as far as it was read. */
export type ReadPages<Entry> = {
  /** In the order of the pages. An entry that repeats is there once, in its latest form. */
  entries: Entry[];
  unreadable: number;
  /** Null if the list was read to its end, as far as the service says. */
  more: MoreOfList | null;
  failure: NamedError | null;
};

type ReadPagesDeps = {
  settings: PagingSettings;
  clock: Pick<Clock, "now">;
  baseUrl: string;
  /** The query parameter that contains the key. */
  keyParameter: string | null;
  named: "number" | "offset" | "cursor" | null;
};

/**
 * Reads a list page by page, with one call each, until the end, the limit, or pages without anything new. If a page fails, the earlier
 * ones count. @param page Gets a page; null asks for the first. @param from Where an earlier reading stopped.
 * @returns null if there is no such list. @throws what `page` throws for the first page requested.
 */
export async function readPages<Entry>(
  deps: ReadPagesDeps,
  page: (ask: PageAsk | null) => Promise<ListPage<Entry> | null>,
  from: MoreOfList | null = null,
): Promise<ReadPages<Entry> | null> {
  const { settings, clock } = deps;
  const began = clock.now();
  const collected = collect<Entry>(deps, from);
  let ask = readAsk(from?.place ?? null);
  for (let pages = 1; ; pages += 1) {
    const found = await pageOrFailure(() => page(ask), pages === 1 && from === null);
    if (found === null) return null;
    if (found instanceof NamedError) {
      // The service may have forgotten an old position. Then the next reading starts over.
      const continueAt = pages > 1 || found.temporary ? ask : null;
      return { ...collected.until("failed", continueAt), failure: found };
    }
    const next = collected.add(found, ask);
    if ("end" in next) return collected.until(next.end, null);
    ask = next.ask;
    const progress = { pages, took: clock.now() - began, found: collected.found() };
    if (isEnough(settings, progress)) return collected.until("bound", ask);
  }
}

function isEnough(
  { mostPages, mostSeconds }: PagingSettings,
  { pages, took, found }: { pages: number; took: number; found: number },
): boolean {
  return pages >= mostPages || took >= mostSeconds * 1_000 || found >= maxEntries.ofReading;
}

function collect<Entry>(deps: ReadPagesDeps, from: MoreOfList | null) {
  const entriesById = new Map<string, Entry[]>();
  let unreadable = 0;
  let barren = 0;
  let total = from?.total ?? null;
  const read = () => (from?.read ?? 0) + entriesById.size + unreadable;
  return {
    found: () => entriesById.size,
    /** @returns what to request next, or how the list ends here. */
    add: (
      page: ListPage<Entry>,
      asked: PageAsk | null,
    ): { ask: PageAsk } | { end: MoreOfList["why"] | null } => {
      const before = read();
      unreadable += page.list.length - page.entries.length;
      for (const [id, some] of Map.groupBy(page.entries, (one) => one.id))
        entriesById.set(
          id,
          some.map(({ entry }) => entry),
        );
      barren = read() === before ? barren + 1 : 0;
      const signs = pageSigns(page.reply, page.list, page.link, deps.settings);
      total = signs.total ?? total;
      const count = page.list.length;
      const after = { signs: { ...signs, total }, asked, named: deps.named, count, read: read() };
      const next = nextPage(after, deps.settings);
      if ("end" in next) return next;
      if (read() >= maxEntries.ofList) return { end: "bound" };
      const ask = askWithin(next.ask, asked, deps);
      if (ask === null) return { end: "elsewhere" };
      return barren >= maxBarrenPages || (asked !== null && writtenAsk(ask) === writtenAsk(asked))
        ? { end: "repeats" }
        : { ask };
    },
    until: (why: MoreOfList["why"] | null, continueAt: PageAsk | null): ReadPages<Entry> => ({
      entries: [...entriesById.values()].flat(),
      unreadable,
      more:
        why === null
          ? null
          : { why, read: read(), total, place: continueAt === null ? null : writtenAsk(continueAt) },
      failure: null,
    }),
  };
}

/** Only a reading's first page may throw or return null; for others, the error is returned. */
async function pageOrFailure<Page>(get: () => Promise<Page | null>, isFirst: boolean) {
  try {
    const page = await get();
    if (page !== null || isFirst) return page;
    return refusal("classroom-page-missing");
  } catch (thrown) {
    if (isFirst || !(thrown instanceof NamedError)) throw thrown;
    return thrown;
  }
}

/** What a reply says about its list's pages; null means "it doesn't say". */
type PageSigns = {
  /** The next page's address, absolute or relative. */
  link: string | null;
  cursor: string | null;
  /** Also false if the next page or cursor is explicitly null. */
  more: boolean | null;
  pages: number | null;
  size: number | null;
  total: number | null;
};

type AfterPage = {
  signs: PageSigns;
  /** Null for the first page. */
  asked: PageAsk | null;
  /** How the dialect's route requests pages. */
  named: "number" | "offset" | "cursor" | null;
  /** Entries on this page (`count`), and different ones so far (`read`). */
  count: number;
  read: number;
};

/** The next page, the end, or why we stop although there is more. */
type NextPage = { ask: PageAsk } | { end: Extract<MoreOfList["why"], "no-way" | "fewer"> | null };

/** What comes after a page: the link in the reply, or what the route names. A list that says nothing about pages has ended. */
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

/** Also null once we have followed a link. */
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

/** Whether there is, or may be, another page: the reply doesn't say, and this page is full. */
function hasFurtherPage({ signs, count, read }: AfterPage): boolean {
  const { more, total, pages, size } = signs;
  if (more === true) return true;
  if (count === 0) return false;
  if (more !== null || total !== null) return lacks(total, read);
  return pages === null && (size === null || count >= size);
}

/** Whether a list that ends here has, or may have, more entries: the first page is full and doesn't say that it is the last. */
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
 * Reads the signs of pages from everything around the list. @param list The list inside the reply. A list that we put together from
 * several isn't found there. @param linkHeader The address in the Link header with rel=next.
 */
export function pageSigns(
  reply: unknown,
  list: readonly unknown[],
  linkHeader: string | null,
  { reply: places }: PagingSettings,
): PageSigns {
  const holders = holdersOf(reply, list, 0) ?? [reply];
  const found = (field: keyof PagingSettings["reply"]) =>
    holders.flatMap((holder) => places[field].map((path) => entryAt(holder, path)));
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

/** The objects around a list, nearest first; null if the list isn't in the value. */
function holdersOf(value: unknown, list: readonly unknown[], depth: number): unknown[] | null {
  if (value === list) return [];
  if (typeof value !== "object" || value === null || depth > 6) return null;
  for (const inner of Object.values(value)) {
    const found = holdersOf(inner, list, depth + 1);
    if (found !== null) return [...found, value];
  }
  return null;
}

/** An address, number or cursor, possibly inside an object that describes a link. */
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

/** @returns the value at a path; undefined if there is none */
function entryAt(holder: unknown, path: string): unknown {
  let value = holder;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Array.isArray(value) ? linkAmong(value, part) : ownEntry(value, part);
  }
  return value;
}

/** Links may be a list of `{ rel, href }`. */
function linkAmong(links: readonly unknown[], rel: string): unknown {
  return links.find((each) => entryAt(each, "rel") === rel);
}
