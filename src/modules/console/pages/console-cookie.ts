import type { Request, Response } from "express";

/** For pages under /admin only, never readable by a script. */
export type ConsoleCookie = {
  read: (request: Request) => string | null;
  set: (response: Response, token: string) => void;
  clear: (response: Response) => void;
};

/**
 * @param purpose "console-device" identifies the browser; "console-log-in" comes back with it from the provider's site, so it
 *   is Lax, as no other.
 * @param seconds How long the browser keeps it.
 * @param secure Whether people reach the tool by https; over plain http (development) it cannot be Secure.
 */
export function createConsoleCookie(
  purpose: "console" | "console-device" | "console-log-in",
  seconds: number,
  secure: boolean,
): ConsoleCookie {
  // Browsers take `__Secure-` over https only, so a page on plain http cannot plant one.
  const name = `${secure ? "__Secure-" : ""}${purpose}`;
  const options = {
    ...{ httpOnly: true, secure },
    ...(purpose === "console-log-in"
      ? ({ sameSite: "lax", path: "/admin/log-in" } as const)
      : ({ sameSite: "strict", path: "/admin" } as const)),
  };
  return {
    read: (request) => {
      const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      const own = pairs.find((pair) => pair.startsWith(`${name}=`));
      return own === undefined ? null : own.slice(name.length + 1);
    },
    set: (response, token) => response.cookie(name, token, { ...options, maxAge: seconds * 1000 }),
    clear: (response) => response.clearCookie(name, options),
  };
}
