import type { Request, Response } from "express";

/**
 * A request in ltijs, an Express 4 application of its own: it exchanges the prototypes of request and response, sets
 * headers, parses the body and leaves claims in `res.locals`. A visit undoes that.
 */
export type LtijsVisit = {
  request: Request;
  response: Response;
  /** Parameters of the address, which the inner application cannot read under Express 5. */
  query: unknown;
  /** Whether the answer goes into a frame (Fetch Metadata). */
  framed: boolean;
  /** Removes ltijs's headers; our application decides about them. */
  dropHeaders: () => void;
  /** Restores request and response, without the token and what ltijs left. */
  leave: () => void;
};

export function enterLtijs(request: Request, response: Response): LtijsVisit {
  const headers = new Map(Object.entries(response.getHeaders()));
  const requestPrototype: unknown = Object.getPrototypeOf(request);
  const responsePrototype: unknown = Object.getPrototypeOf(response);
  const locals: object = response.locals;
  const localNames = new Set(Object.keys(locals));
  return {
    request,
    response,
    query: request.query,
    framed: /^i?frame$/.test(request.headers["sec-fetch-dest"]?.toString() ?? ""),
    dropHeaders: () => {
      for (const name of response.getHeaderNames()) {
        if (name === "set-cookie") continue;
        const before = headers.get(name);
        if (before === undefined) response.removeHeader(name);
        else response.setHeader(name, before);
      }
    },
    leave: () => {
      for (const name of ["redirect", "cookie", "clearCookie"]) Reflect.deleteProperty(response, name);
      for (const name of ["query", "body", "cookies", "signedCookies", "secret", "token"]) {
        Reflect.deleteProperty(request, name);
      }
      for (const name of Object.keys(locals)) {
        if (!localNames.has(name)) Reflect.deleteProperty(locals, name);
      }
      setPrototype(request, requestPrototype);
      setPrototype(response, responsePrototype);
    },
  };
}

function setPrototype(target: object, prototype: unknown): void {
  if (typeof prototype === "object") Object.setPrototypeOf(target, prototype);
}

/** ltijs's reason, such as "jwt expired": its fixed texts only, never the request it echoes. */
export function ltijsReason(locals: unknown): string {
  const error = typeof locals === "object" && locals !== null && "err" in locals ? locals.err : null;
  const details = typeof error === "object" && error !== null && "details" in error ? error.details : null;
  const message =
    typeof details === "object" && details !== null && "message" in details ? details.message : null;
  return typeof message === "string" ? message.slice(0, 80) : "unknown";
}
