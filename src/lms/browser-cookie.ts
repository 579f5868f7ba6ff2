import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";

/**
 * The cookie that binds a launch to the browser it started in: a random value, signed, for this one launch,
 * ten minutes, sent to the launch address only. The record keeps its hash, so a database reader cannot forge it.
 */
export type BrowserCookie = {
  set: (response: Pick<Response, "cookie">, state: string, value: string) => void;
  clear: (response: Pick<Response, "cookie">, state: string) => void;
  /** The attributes it is set with, for a page that tries whether this browser keeps such a cookie. */
  attributes: string;
  /** Over plain http it is not sent along when another site posts to us, but it is when our own page does. */
  ownSiteOnly: boolean;
  /** Whether the request comes from the browser whose cookie value has this hash. */
  matches: (request: Pick<Request, "signedCookies">, state: string, hash: string) => boolean;
};

/** Lifetime of a launch from login to return (ms): people may have to log in at the LMS first. */
export const launchLasts = 10 * 60_000;

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
    signed: true,
  };
  return {
    set: (response, state, value) =>
      response.cookie(nameOf(state), value, { ...options, maxAge: launchLasts }),
    attributes: secure ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax",
    ownSiteOnly: !secure,
    clear: (response, state) =>
      response.cookie(nameOf(state), "", { ...options, signed: false, expires: new Date(1) }),
    matches: (request, state, hash) => {
      const cookies: unknown = request.signedCookies;
      if (typeof cookies !== "object" || cookies === null) return false;
      const value: unknown = new Map(Object.entries(cookies)).get(nameOf(state));
      return typeof value === "string" && hasHash(value, hash);
    },
  };
}

/** SHA-256, as kept in the launch record. */
export function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

/** Whether a value has this SHA-256, compared in constant time. */
export function hasHash(value: string, hash: string): boolean {
  const ours = Buffer.from(hashOf(value));
  const theirs = Buffer.from(hash);
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

function nameOf(state: string): string {
  return `lti_${state.slice(0, 16)}`;
}
