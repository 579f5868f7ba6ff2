import type { Request } from "express";
import { z } from "zod";
import { languages } from "./translate.ts";

/** What a request says about its browser, if an answer depends on it. */
export type Browser = {
  /** It is a phone or a tablet. */
  mobile: boolean;
  /** It may be a tablet that calls itself a computer; a page's script would know. */
  maybeTablet: boolean;
  /** The page is in a frame. */
  framed: boolean;
};

export function browserOf(request: Request): Browser {
  const maybeTablet = mayBeTablet(request.get("user-agent") ?? "");
  return { mobile: isMobile(request), maybeTablet, framed: isInFrame(request) };
}

/** iPadOS says Macintosh, but Chrome and Firefox on iPadOS don't name themselves as they do on a Mac. Android's "Desktop site" says Linux. */
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
 * Whether the browser runs on a phone or tablet, where the classroom isn't reliable in a frame (document part 1.2) and can't record
 * locally (part 4). iPadOS calls itself Macintosh, so only a page's script can tell; its forms say so (`views/assets/device.js`).
 */
export function isMobile(request: Request): boolean {
  if (request.get("sec-ch-ua-mobile") === "?1") return true;
  if (/Mobi|Android|iPhone|iPad/i.test(request.get("user-agent") ?? "")) return true;
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "device" in body && body.device === "tablet";
}

const carried = z.object({ session: z.string() });

/**
 * The language of a page without a session: that of the posted session, or the one the browser prefers. The session may be over, and
 * its signature isn't checked, since it only chooses words.
 */
export function readerLocale(request: Request): string | null {
  return localeOfSession(request.body) ?? localeOfBrowser(request);
}

function localeOfSession(body: unknown): string | null {
  const form = carried.safeParse(body);
  return form.success ? (/^[\w-]{16}\.[\w-]{43}\.([\w-]{1,35})$/.exec(form.data.session)?.[1] ?? null) : null;
}

function localeOfBrowser(request: Request): string | null {
  // A browser without this header has no preference, and express would answer with the first language.
  if (request.headers["accept-language"] === undefined) return null;
  const best = request.acceptsLanguages(...languages);
  return best === false ? null : best;
}
