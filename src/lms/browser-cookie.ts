import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import { launchLifetimeMs } from "./limits.ts";

/**
 * The cookie that binds a launch to the browser it started in: a value that only the login's sealed state gives, for this
 * one launch, ten minutes, sent to the launch address only.
 */
export type BrowserCookie = {
  set: (response: Pick<Response, "cookie">, handle: string, value: string) => void;
  clear: (response: Pick<Response, "cookie">, handle: string) => void;
  /** The attributes it is set with, for a page that tries whether this browser keeps such a cookie. */
  attributes: string;
  /** Over plain http it is not sent along when another site posts to us, but it is when our own page does. */
  ownSiteOnly: boolean;
  /** Whether the request comes from the browser that was given this value. */
  matches: (request: Pick<Request, "cookies">, handle: string, value: string) => boolean;
};

/** @param launchUrl The address the cookie is for; over plain http (development) it cannot be Secure. */
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
  // Behind the prefix a page of plain http, on this host or a neighbour, cannot put a cookie of its own. "__Host-" would
  // send it to every path.
  const nameOf = (handle: string) => `${secure ? "__Secure-" : ""}lti_${handle}`;
  return {
    set: (response, handle, value) =>
      response.cookie(nameOf(handle), value, { ...options, maxAge: launchLifetimeMs }),
    attributes: secure ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax",
    ownSiteOnly: !secure,
    clear: (response, handle) => response.cookie(nameOf(handle), "", { ...options, expires: new Date(1) }),
    matches: (request, handle, value) => {
      const cookies: unknown = request.cookies;
      if (typeof cookies !== "object" || cookies === null) return false;
      const shown: unknown = new Map(Object.entries(cookies)).get(nameOf(handle));
      return typeof shown === "string" && isSameText(shown, value);
    },
  };
}

/** Compared in constant time, whatever the lengths. */
export function isSameText(shown: string, ours: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(ours));
}
