import type { Request, Response } from "express";

/**
 * A request on its way through ltijs, which is an Express 4 application of its own: it exchanges the prototypes
 * of request and response, sets headers, parses the body and leaves claims in `res.locals`. A visit undoes that.
 */
export type LtijsVisit = {
  request: Request;
  response: Response;
  /** Parameters of the address; under Express 5 the inner application cannot read them any more. */
  query: unknown;
  /** Whether the browser says that the answer goes into a frame (Fetch Metadata). */
  framed: boolean;
  /** Takes ltijs's headers off again; our own application decides about them. */
  dropHeaders: () => void;
  /** Gives request and response back to the outer application, without the token and ltijs's leavings. */
  leave: () => void;
};

/** Notes how request and response look before ltijs touches them. */
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
