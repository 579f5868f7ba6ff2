import { z } from "zod";
import type { Ids } from "../kernel/ids.ts";
import type { BrowserSessionStore } from "../storage/browser-session-store.ts";
import { sessionIdIn } from "./session-address.ts";

type NewsApp = {
  browserSessions: Pick<BrowserSessionStore, "find" | "changeField">;
  ids: Pick<Ids, "secret">;
};

/** The session that stores news or typed forms. */
type Holder = { token?: string | undefined };

/** The field of an address that names the page's news. It isn't secret, because news belong to a session and a page. */
export const newsField = "news";

/** The most news stored for one session: enough for tabs whose pages are still loading. */
const maxNews = 5;
/** How often another request of the same session may write first before we give up. */
const maxTries = 5;

const newsShape = z.array(z.object({ name: z.string(), path: z.string(), news: z.unknown() })).catch([]);
type StoredNews = z.infer<typeof newsShape>;

/**
 * What a page says once about the change that led to it. The session stores it while the browser follows the redirect. When the page is
 * loaded again, the news are gone.
 */
export function createPageNews({ browserSessions, ids }: NewsApp) {
  const read = (text: string | null): StoredNews => (text === null ? [] : newsShape.parse(JSON.parse(text)));
  const change = (id: string, changed: (stored: StoredNews) => StoredNews | null) =>
    changeStored(browserSessions, id, "news", read, changed);
  return {
    /** @returns the name of the news for the page's address; null if there are no news. */
    keep: async ({ token = "" }: Holder, path: string, news: unknown) => {
      if (news === null) return null;
      const name = ids.secret(6);
      const added = { name, path, news };
      const before = await change(sessionIdIn(token), (stored) => [...stored.slice(1 - maxNews), added]);
      return before === null ? null : name;
    },
    /** @returns null if the news were shown already, or belong to another page. */
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

/** Makes a reader of stored news from their schema. It returns null for news that don't fit. */
export function readNews<News>(schema: z.ZodType<News>): (stored: unknown) => News | null {
  return (given) => {
    const read = schema.safeParse(given);
    return read.success ? read.data : null;
  };
}

/** The field of an address that names the page's typed form. It isn't secret, because forms belong to a session. */
export const typedField = "typed";

/** Enough for one in each tab with a preview of a typed form. */
const maxForms = 3;
/** The longest form that is stored, as JSON text. */
const maxFormLength = 24_000;

const fieldsShape = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type TypedForm = { name: string; posted: z.infer<typeof fieldsShape> };

const formsShape = z.array(z.object({ name: z.string(), path: z.string(), posted: fieldsShape })).catch([]);

/** Forms that were typed but not saved. The session stores them, so a preview has an address and Back shows the form as it was typed. */
export function createTypedForms({ browserSessions, ids }: NewsApp) {
  const read = (text: string | null): z.infer<typeof formsShape> =>
    text === null ? [] : formsShape.parse(JSON.parse(text));
  const listOf = async ({ token = "" }: Holder, path: string) =>
    read((await browserSessions.find(sessionIdIn(token)))?.typed ?? null).filter((one) => one.path === path);
  return {
    /** @param path The page of the form. @returns null if the form is too long. */
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
    /** @returns null if the form was saved or discarded, or newer forms replaced it. */
    find: async (session: Holder, path: string, name: unknown): Promise<TypedForm | null> =>
      (await listOf(session, path)).find((one) => one.name === name) ?? null,
    latest: async (session: Holder, path: string): Promise<TypedForm | null> =>
      (await listOf(session, path)).at(-1) ?? null,
    /** Forgets the form, because it was saved or discarded. */
    drop: async ({ token = "" }: Holder, path: string): Promise<void> => {
      await changeStored(browserSessions, sessionIdIn(token), "typed", read, (stored) =>
        stored.some((one) => one.path === path) ? stored.filter((one) => one.path !== path) : null,
      );
    },
  };
}

/**
 * Changes a list that is stored with a session, even if several requests of the session do so at the same time.
 * @param changed Returns null to change nothing.
 * @returns the list before the change; null if nothing was changed.
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
