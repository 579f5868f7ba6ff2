// Imitates nothing.
import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";

export type Session = {
  personId: string;
  /** Guards forms against other sites. */
  sessionKey: string;
};

/** By cookie. */
export type Sessions = {
  /** Distinct for each stand-in: cookies do not know ports. */
  cookieName: string;
  begin: (personId: string) => string;
  of: (request: Request) => Session | null;
  end: (request: Request) => void;
  give: (response: Response, id: string) => void;
};

/** @param url On https and on this machine the cookie may be sent inside foreign frames, as Moodle sets it; elsewhere not. */
export function createSessions(cookieName: string, url: string): Sessions {
  const sessions = new Map<string, Session>();
  const { protocol, hostname } = new URL(url);
  // Browsers accept "Secure" cookies from this machine over plain http, too.
  const secure = protocol === "https:" || /^(127\.[\d.]+|\[::1\]|([\w-]+\.)*localhost)$/.test(hostname);
  const idOf = (request: Request) =>
    (request.headers.cookie ?? "")
      .split(/;\s*/)
      .find((cookie) => cookie.startsWith(`${cookieName}=`))
      ?.slice(cookieName.length + 1) ?? "";
  return {
    cookieName,
    begin: (personId) => {
      const id = randomBytes(16).toString("hex");
      const sessionKey = randomBytes(5).toString("hex");
      sessions.set(id, { personId, sessionKey });
      return id;
    },
    of: (request) => sessions.get(idOf(request)) ?? null,
    end: (request) => {
      sessions.delete(idOf(request));
    },
    give: (response, id) => {
      response.cookie(cookieName, id, {
        httpOnly: true,
        path: "/",
        secure,
        sameSite: secure ? "none" : "lax",
      });
    },
  };
}
