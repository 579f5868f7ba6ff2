import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import { launchLifetimeMs } from "./limits.ts";

/** A value that only the login's sealed state gives, for one launch, ten minutes and the launch address only. */
export type BrowserCookie = {
  set: (response: Pick<Response, "cookie">, handle: string, value: string) => void;
  clear: (response: Pick<Response, "cookie">, handle: string) => void;
  /** For a page that tries whether this browser keeps such a cookie. */
  attributes: string;
  /** Over plain http it is not sent with a post of another site, only with one of our own page. */
  ownSiteOnly: boolean;
  /** Whether this browser was given the value. */
  matches: (request: Pick<Request, "headers">, handle: string, value: string) => boolean;
};

/** @param launchUrl Over plain http (development) the cookie cannot be Secure. */
export function createBrowserCookie(launchUrl: string): BrowserCookie {
  const url = new URL(launchUrl);
  const secure = url.protocol === "https:";
  const options = {
    httpOnly: true,
    path: url.pathname,
    secure,
    // In an LMS iframe we are a third party: only SameSite=None is sent, and only Partitioned survives blocking.
    sameSite: secure ? ("none" as const) : ("lax" as const),
    partitioned: secure,
  };
  // The prefix keeps pages of plain http, on this host or a neighbour, from setting it. "__Host-" needs path "/", so it
  // would go to every path.
  const nameOf = (handle: string) => `${secure ? "__Secure-" : ""}lti_${handle}`;
  return {
    set: (response, handle, value) =>
      response.cookie(nameOf(handle), value, { ...options, maxAge: launchLifetimeMs }),
    attributes: secure ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax",
    ownSiteOnly: !secure,
    clear: (response, handle) => response.cookie(nameOf(handle), "", { ...options, expires: new Date(1) }),
    matches: ({ headers }, handle, value) => {
      const begin = `${nameOf(handle)}=`;
      const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
      const shown = pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
      return shown !== undefined && isSameText(shown, value);
    },
  };
}

/** In constant time, whatever the lengths. */
export function isSameText(shown: string, ours: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(ours));
}
