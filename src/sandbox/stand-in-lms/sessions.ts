import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { BegunLaunch } from "./manners.ts";

/** Somebody who is logged in. */
export type Session = {
  personId: string;
  /** Guards forms against other sites. */
  sessionKey: string;
  /** Begun launches by id; each is taken out once. */
  launches: Map<string, BegunLaunch>;
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
 * @param url On https the cookie may be sent inside foreign frames, as Moodle sets it; plain http cannot have that.
 */
export function createSessions(cookieName: string, url: string): Sessions {
  const sessions = new Map<string, Session>();
  const secure = url.startsWith("https:");
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
      sessions.set(id, { personId, sessionKey, launches: new Map() });
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
