import type { Request, Response } from "express";
import { sessionSeconds } from "./console-session.ts";

/** The cookie that carries the console session: for our own pages under /admin only, never readable by a script. */
export type ConsoleCookie = {
  read: (request: Request) => string | null;
  set: (response: Response, token: string) => void;
  clear: (response: Response) => void;
};

/** @param secure Whether people reach the tool by https; over plain http (development) it cannot be Secure. */
export function createConsoleCookie(secure: boolean): ConsoleCookie {
  // A browser takes a name with this beginning over https only, so a page on plain http cannot plant one.
  const name = secure ? "__Secure-console" : "console";
  const options = { httpOnly: true, sameSite: "strict", secure, path: "/admin" } as const;
  return {
    read: (request) => {
      const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      const own = pairs.find((pair) => pair.startsWith(`${name}=`));
      return own === undefined ? null : own.slice(name.length + 1);
    },
    set: (response, token) => response.cookie(name, token, { ...options, maxAge: sessionSeconds * 1000 }),
    clear: (response) => response.clearCookie(name, options),
  };
}
