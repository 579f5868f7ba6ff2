import type { Request } from "express";
import { z } from "zod";
import { languages } from "./translate.ts";

/** What a request says of its browser, as far as an answer depends on it. */
export type Browser = {
  /** A phone or a tablet. */
  mobile: boolean;
  /** Perhaps a tablet that calls itself a computer; a page's script would know. */
  maybeTablet: boolean;
  /** The page is inside another one. */
  framed: boolean;
};

export function browserOf(request: Request): Browser {
  const maybeTablet = mayBeTablet(request.get("user-agent") ?? "");
  return { mobile: isMobile(request), maybeTablet, framed: isInFrame(request) };
}

/** iPadOS says Macintosh, but no browser there is Chrome's or Firefox's own; Android's "Desktop site" says Linux. */
export function mayBeTablet(userAgent: string): boolean {
  if (userAgent.includes("Macintosh")) return !/Chrome\/|Firefox\//.test(userAgent);
  return userAgent.includes("X11; Linux");
}

/** Whether a page of ours is loaded in a frame. */
export function isInFrame(request: Pick<Request, "get">): boolean {
  const destination = request.get("sec-fetch-dest");
  return destination === "iframe" || destination === "frame";
}

/**
 * Whether the browser is a phone's or a tablet's, where the classroom is not reliable inside another page (document part
 * 1.2) and cannot record locally (part 4). iPadOS calls itself Macintosh: only a page's script can tell, and the page says
 * it in its form (`views/assets/device.js`).
 */
export function isMobile(request: Request): boolean {
  if (request.get("sec-ch-ua-mobile") === "?1") return true;
  if (/Mobi|Android|iPhone|iPad/i.test(request.get("user-agent") ?? "")) return true;
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "device" in body && body.device === "tablet";
}

const carried = z.object({ session: z.string() });

/**
 * The language of a page without a session: of the posted session, even one that is over (it only chooses words, so its
 * signature is not checked), else the one the browser prefers.
 */
export function readerLocale(request: Request): string | null {
  return localeOfSession(request.body) ?? localeOfBrowser(request);
}

function localeOfSession(body: unknown): string | null {
  const form = carried.safeParse(body);
  return form.success ? (/^[\w-]{16}\.[\w-]{43}\.([\w-]{1,35})$/.exec(form.data.session)?.[1] ?? null) : null;
}

function localeOfBrowser(request: Request): string | null {
  // A browser that asks for nothing has no preference; express would answer with the first.
  if (request.headers["accept-language"] === undefined) return null;
  const best = request.acceptsLanguages(...languages);
  return best === false ? null : best;
}
