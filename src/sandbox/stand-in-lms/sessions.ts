import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";

/** Somebody who is logged in. */
export type Session = {
  personId: string;
  /** Guards forms against other sites. */
  sessionKey: string;
};

/** Who is logged in, by cookie. */
export type Sessions = {
  /** Name of the cookie; distinct for each stand-in, since cookies do not know ports. */
  cookieName: string;
  begin: (personId: string) => string;
  of: (request: Request) => Session | null;
  end: (request: Request) => void;
  /** Sets the cookie that `begin` returned. */
  give: (response: Response, id: string) => void;
};

/**
 * Sessions in memory.
 * @param url On https and on this machine the cookie may be sent inside foreign frames, as Moodle sets it; plain
 * http elsewhere cannot have that.
 */
export function createSessions(cookieName: string, url: string): Sessions {
  const sessions = new Map<string, Session>();
  const { protocol, hostname } = new URL(url);
  // Browsers take "Secure" cookies from this very machine over plain http, too.
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
