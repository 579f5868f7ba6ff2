import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { MoreOfList, WhyMore } from "../domain/list-pages.ts";
import type { PagingSettings } from "./dialect-pages.ts";
import { nextPage, pageSigns } from "./next-page.ts";
import { askWithin, type PageAsk, readAsk, writtenAsk } from "./page-ask.ts";
import { maxBarrenPages } from "./limits.ts";

export type ListPage<Entry> = {
  reply: unknown;
  list: readonly unknown[];
  entries: readonly { id: string; entry: Entry }[];
  /** Of a Link header with rel=next. */
  link: string | null;
};

/** A list as far as it was read. */
export type ReadPages<Entry> = {
  /** In the order of pages; a repeated entry is there once, as it came last. */
  entries: Entry[];
  unreadable: number;
  /** Null when the list was read to its end, as far as it says. */
  more: MoreOfList | null;
  failure: NamedError | null;
};

type ReadPagesDeps = {
  settings: PagingSettings;
  clock: Pick<Clock, "now">;
  baseUrl: string;
  /** The query parameter that carries the key. */
  keyParameter: string | null;
  named: "number" | "offset" | "cursor" | null;
};

/**
 * Page by page, each by its own call, until the end, the bound, or pages without anything new. Pages before a failed
 * one are kept.
 * @param page Null asks for the first. @param from Where an earlier reading stopped.
 * @returns null when there is no such list. @throws what `page` throws for the first page asked for.
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
      // An old position may be unknown by now: then the next reading begins anew.
      const place = pages > 1 || found.temporary ? ask : null;
      return { ...collected.until("failed", place), failure: found };
    }
    const next = collected.add(found, ask);
    if ("end" in next) return collected.until(next.end, null);
    ask = next.ask;
    if (isEnough(settings, pages, clock.now() - began)) return collected.until("bound", ask);
  }
}

function isEnough({ mostPages, mostSeconds }: PagingSettings, pages: number, took: number): boolean {
  return pages >= mostPages || took >= mostSeconds * 1_000;
}

function collect<Entry>(deps: ReadPagesDeps, from: MoreOfList | null) {
  const kept = new Map<string, Entry[]>();
  let unreadable = 0;
  let barren = 0;
  let total = from?.total ?? null;
  const read = () => (from?.read ?? 0) + kept.size + unreadable;
  return {
    /** @returns what to ask for next, or how the list ends here. */
    add: (page: ListPage<Entry>, asked: PageAsk | null): { ask: PageAsk } | { end: WhyMore | null } => {
      const before = read();
      unreadable += page.list.length - page.entries.length;
      for (const [id, entries] of byId(page.entries)) kept.set(id, entries);
      barren = read() === before ? barren + 1 : 0;
      const signs = pageSigns(page.reply, page.list, page.link, deps.settings);
      total = signs.total ?? total;
      const count = page.list.length;
      const after = { signs: { ...signs, total }, asked, named: deps.named, count, read: read() };
      const next = nextPage(after, deps.settings);
      if ("end" in next) return next;
      const ask = askWithin(next.ask, asked, deps);
      if (ask === null) return { end: "elsewhere" };
      return barren >= maxBarrenPages || isSame(ask, asked) ? { end: "repeats" } : { ask };
    },
    until: (why: WhyMore | null, place: PageAsk | null): ReadPages<Entry> => ({
      entries: [...kept.values()].flat(),
      unreadable,
      more:
        why === null ? null : { why, read: read(), total, place: place === null ? null : writtenAsk(place) },
      failure: null,
    }),
  };
}

/** Only a reading's first page may fail it; null likewise. */
async function pageOrFailure<Page>(
  get: () => Promise<Page | null>,
  isFirst: boolean,
): Promise<Page | NamedError | null> {
  try {
    const page = await get();
    if (page !== null || isFirst) return page;
    return refusal("classroom-page-missing");
  } catch (thrown) {
    if (isFirst || !(thrown instanceof NamedError)) throw thrown;
    return thrown;
  }
}

function byId<Entry>(entries: readonly { id: string; entry: Entry }[]): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const { id, entry } of entries) found.set(id, [...(found.get(id) ?? []), entry]);
  return found;
}

function isSame(one: PageAsk, other: PageAsk | null): boolean {
  return other !== null && writtenAsk(one) === writtenAsk(other);
}
