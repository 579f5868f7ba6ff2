import type { RequestHandler } from "express";
import helmet from "helmet";

/** Console pages are never framed and never cached. */
export function consoleHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'"],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      frameguard: { action: "deny" },
      // With "no-referrer" a browser says "Origin: null" for our own forms, and we could not tell them from others.
      referrerPolicy: { policy: "same-origin" },
      crossOriginOpenerPolicy: { policy: "same-origin" },
      crossOriginResourcePolicy: { policy: "same-origin" },
      strictTransportSecurity: false, // said for the whole site already
    }),
    (_request, response, next) => {
      next();
    },
  ];
}
