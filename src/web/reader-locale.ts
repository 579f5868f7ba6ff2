import type { Request } from "express";
import { decodeJwt } from "jose";
import { z } from "zod";
import { catalogues } from "./translate.ts";

const carried = z.object({ session: z.string() });
const claims = z.object({ locale: z.string() });

/**
 * The language for a page that is shown without a session: what the posted one says, be it over or not (it chooses words
 * and nothing else, so nobody checks its signature), otherwise the best the browser asks for.
 */
export function readerLocale(request: Request): string | null {
  return localeOfSession(request.body) ?? localeOfBrowser(request);
}

function localeOfSession(body: unknown): string | null {
  const form = carried.safeParse(body);
  if (!form.success) return null;
  try {
    return claims.safeParse(decodeJwt(form.data.session)).data?.locale ?? null;
  } catch {
    return null; // no token at all
  }
}

function localeOfBrowser(request: Request): string | null {
  const languages = Object.keys(catalogues);
  // A browser that asks for nothing has no preference; express would answer with the first.
  if (request.headers["accept-language"] === undefined) return null;
  const best = request.acceptsLanguages(languages);
  return best === false ? null : best;
}
