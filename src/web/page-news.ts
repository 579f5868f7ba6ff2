import { z } from "zod";
import type { Ids } from "../kernel/ids.ts";
import type { BrowserSessionStore } from "../storage/browser-session-store.ts";
import { sessionIdIn } from "./session-address.ts";

type NewsApp = {
  browserSessions: Pick<BrowserSessionStore, "find" | "changeField">;
  ids: Pick<Ids, "secret">;
};

/** The session that something is kept with. */
type Holder = { token?: string | undefined };

/** The field of an address that names the news of a page. It is no secret: news are kept with a session and a page. */
export const newsField = "news";

/** The most news of one session: enough for tabs whose pages are still loading. */
const maxNews = 5;
/** How often another request of the same session may write first before this one gives up. */
const maxTries = 5;

const newsShape = z.array(z.object({ name: z.string(), path: z.string(), news: z.unknown() })).catch([]);
type StoredNews = z.infer<typeof newsShape>;

/**
 * What a page says once about the change that led to it, kept with the session while the browser goes there. A page that comes
 * again is shown without.
 */
export function createPageNews({ browserSessions, ids }: NewsApp) {
  const read = (text: string | null): StoredNews => (text === null ? [] : newsShape.parse(JSON.parse(text)));
  const change = (id: string, changed: (stored: StoredNews) => StoredNews | null) =>
    changeStored(browserSessions, id, "news", read, changed);
  return {
    /** @returns the name of the news for the page's address; null when there are none. */
    keep: async ({ token = "" }: Holder, path: string, news: unknown) => {
      if (news === null) return null;
      const name = ids.secret(6);
      const added = { name, path, news };
      const before = await change(sessionIdIn(token), (stored) => [...stored.slice(1 - maxNews), added]);
      return before === null ? null : name;
    },
    /** @returns null when they were shown already, or are of another page. */
    take: async ({ token = "" }: Holder, path: string, name: unknown): Promise<unknown> => {
      if (typeof name !== "string" || name === "") return null;
      const isNamed = (one: StoredNews[number]) => one.name === name && one.path === path;
      const before = await change(sessionIdIn(token), (stored) =>
        stored.some(isNamed) ? stored.filter((one) => !isNamed(one)) : null,
      );
      return before?.find(isNamed)?.news ?? null;
    },
  };
}

/** Reads kept news by their schema; null for what it does not know. */
export function readNews<News>(schema: z.ZodType<News>): (stored: unknown) => News | null {
  return (given) => {
    const read = schema.safeParse(given);
    return read.success ? read.data : null;
  };
}

/** The field of an address that names the typed form of a page. It is no secret: forms are kept with a session. */
export const typedField = "typed";

/** One for each tab with a preview of a typed form. */
const maxForms = 3;
/** The longest form, as text; a longer one is not kept. */
const maxFormLength = 24_000;

const fieldsShape = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type TypedForm = { name: string; posted: z.infer<typeof fieldsShape> };

const formsShape = z.array(z.object({ name: z.string(), path: z.string(), posted: fieldsShape })).catch([]);

/** Forms typed and not saved, kept with the session, so pages about them (a preview) have addresses, and Back finds the form as it was typed. */
export function createTypedForms({ browserSessions, ids }: NewsApp) {
  const read = (text: string | null): z.infer<typeof formsShape> =>
    text === null ? [] : formsShape.parse(JSON.parse(text));
  const listOf = async ({ token = "" }: Holder, path: string) =>
    read((await browserSessions.find(sessionIdIn(token)))?.typed ?? null).filter((one) => one.path === path);
  return {
    /** @param path The page of the form. @returns null when it is too long. */
    keep: async ({ token = "" }: Holder, path: string, posted: unknown): Promise<TypedForm | null> => {
      const { session: _session, ...fields } = fieldsShape.catch({}).parse(posted);
      if (JSON.stringify(fields).length > maxFormLength) return null;
      const form = { name: ids.secret(12), path, posted: fields };
      const before = await changeStored(browserSessions, sessionIdIn(token), "typed", read, (stored) => [
        ...stored.slice(1 - maxForms),
        form,
      ]);
      return before === null ? null : form;
    },
    /** @returns null when it was saved or given up since, or others were typed after it. */
    find: async (session: Holder, path: string, name: unknown): Promise<TypedForm | null> =>
      (await listOf(session, path)).find((one) => one.name === name) ?? null,
    latest: async (session: Holder, path: string): Promise<TypedForm | null> =>
      (await listOf(session, path)).at(-1) ?? null,
    /** It is saved, or given up. */
    drop: async ({ token = "" }: Holder, path: string): Promise<void> => {
      await changeStored(browserSessions, sessionIdIn(token), "typed", read, (stored) =>
        stored.some((one) => one.path === path) ? stored.filter((one) => one.path !== path) : null,
      );
    },
  };
}

/**
 * Changes a list that is kept with a session, however many requests of the session do so together.
 * @param changed Null: nothing is to be changed.
 * @returns what was there before the change; null when there was none.
 */
async function changeStored<One>(
  browserSessions: NewsApp["browserSessions"],
  id: string,
  field: "news" | "typed",
  read: (text: string | null) => One[],
  changed: (stored: One[]) => One[] | null,
): Promise<One[] | null> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const before = (await browserSessions.find(id))?.[field] ?? null;
    const stored = read(before);
    const after = changed(stored);
    if (after === null) return null;
    const text = after.length === 0 ? null : JSON.stringify(after);
    if (await browserSessions.changeField(id, field, before, text)) return stored;
  }
  return null;
}
