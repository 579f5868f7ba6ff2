import type { Request } from "express";
import { z } from "zod";
import { catalogues } from "./catalogues.ts";

const carried = z.object({ session: z.string() });

/**
 * The language of a page without a session: of the posted session, be it over or not (it only chooses words, so its
 * signature is not checked), else the browser's best.
 */
export function readerLocale(request: Request): string | null {
  return localeOfSession(request.body) ?? localeOfBrowser(request);
}

function localeOfSession(body: unknown): string | null {
  const form = carried.safeParse(body);
  return form.success ? (/^[\w-]{16}\.[\w-]{43}\.([\w-]{1,35})$/.exec(form.data.session)?.[1] ?? null) : null;
}

function localeOfBrowser(request: Request): string | null {
  const languages = [...catalogues.keys()];
  // A browser that asks for nothing has no preference; express would answer with the first.
  if (request.headers["accept-language"] === undefined) return null;
  const best = request.acceptsLanguages(languages);
  return best === false ? null : best;
}
