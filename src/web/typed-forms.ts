import { z } from "zod";
import type { Ids } from "../kernel/ids.ts";
import type { BrowserSessionStore } from "../storage/browser-session-store.ts";
import { changeKept } from "./page-news.ts";
import { sessionIdIn } from "./session-cookie.ts";

/** The field of an address that names the typed form of a page. It is no secret: forms are kept with a session. */
export const typedField = "typed";

/** So many are kept: those of tabs in which somebody looks at what they typed. */
const maxKept = 3;
/** Of one form, as text; a longer one is not kept. */
const maxLength = 24_000;

const fieldsShape = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type TypedFields = z.infer<typeof fieldsShape>;
export type TypedForm = { name: string; posted: TypedFields };

type Whose = { token?: string | undefined };

/**
 * What somebody typed and has not saved, kept with the session, so that pages about it (a preview) have addresses, and Back
 * finds the form as it was typed.
 */
export type TypedForms = {
  /** @param path The page of the form. @returns null when it is too long. */
  keep: (session: Whose, path: string, posted: unknown) => Promise<TypedForm | null>;
  /** @returns null when it was saved or given up since, or others were typed after it. */
  find: (session: Whose, path: string, name: unknown) => Promise<TypedForm | null>;
  /** The latest of a page. */
  latest: (session: Whose, path: string) => Promise<TypedForm | null>;
  /** It is saved, or given up. */
  drop: (session: Whose, path: string) => Promise<void>;
};

const keptShape = z.array(z.object({ name: z.string(), path: z.string(), posted: fieldsShape })).catch([]);
type Kept = z.infer<typeof keptShape>;

export function createTypedForms({
  browserSessions,
  ids,
}: {
  browserSessions: Pick<BrowserSessionStore, "find" | "changeKept">;
  ids: Pick<Ids, "secret">;
}): TypedForms {
  const read = (text: string | null): Kept => (text === null ? [] : keptShape.parse(JSON.parse(text)));
  const listOf = async ({ token = "" }: Whose, path: string) =>
    read((await browserSessions.find(sessionIdIn(token)))?.typed ?? null).filter((one) => one.path === path);
  return {
    keep: async ({ token = "" }, path, posted) => {
      const { session: _session, ...fields } = fieldsShape.catch({}).parse(posted);
      if (JSON.stringify(fields).length > maxLength) return null;
      const form = { name: ids.secret(12), path, posted: fields };
      const before = await changeKept(browserSessions, sessionIdIn(token), "typed", read, (kept) => [
        ...kept.slice(1 - maxKept),
        form,
      ]);
      return before === null ? null : form;
    },
    find: async (session, path, name) =>
      (await listOf(session, path)).find((one) => one.name === name) ?? null,
    latest: async (session, path) => (await listOf(session, path)).at(-1) ?? null,
    drop: async ({ token = "" }, path) => {
      await changeKept(browserSessions, sessionIdIn(token), "typed", read, (kept) =>
        kept.some((one) => one.path === path) ? kept.filter((one) => one.path !== path) : null,
      );
    },
  };
}
