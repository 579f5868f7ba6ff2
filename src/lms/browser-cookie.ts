import { createHash, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";

/**
 * The cookie that binds a launch to the browser it started in: a random value, signed, for this one launch,
 * ten minutes, sent to the launch address only. The record keeps its hash, so a database reader cannot forge it.
 */
export type BrowserCookie = {
  set: (response: Pick<Response, "cookie">, state: string, value: string) => void;
  clear: (response: Pick<Response, "cookie">, state: string) => void;
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
    clear: (response, state) =>
      response.cookie(nameOf(state), "", { ...options, signed: false, expires: new Date(1) }),
    matches: (request, state, hash) => {
      const cookies: unknown = request.signedCookies;
      if (typeof cookies !== "object" || cookies === null) return false;
      const value: unknown = new Map(Object.entries(cookies)).get(nameOf(state));
      return typeof value === "string" && timingSafeEqual(Buffer.from(hashOf(value)), Buffer.from(hash));
    },
  };
}

/** SHA-256, as kept in the launch record. */
export function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

function nameOf(state: string): string {
  return `lti_${state.slice(0, 16)}`;
}
