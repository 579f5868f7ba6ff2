import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * What every answer says. Scripts are our own files only. Until a page's session is known (see `createFraming`) any LMS may
 * frame it: which one is not known before the launch, and a page without its session can do nothing. Nothing is kept by
 * browsers or proxies unless a route says otherwise: pages carry session tokens and names.
 * @param plainHttp Development on loopback: no HSTS, and frames of plain http pages.
 * @param formsTo Where our forms may lead besides to us: into Spaces, with what is on the way there. See `allowFormsTo` for single pages.
 */
export function securityHeaders(plainHttp: boolean, formsTo: readonly string[]): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'"],
          connectSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'self'", ...formsTo],
          frameAncestors: plainHttp ? ["https:", "http:"] : ["https:"],
        },
      },
      frameguard: false,
      // An LMS that opens us in a window of its own keeps launch values there; the classroom's tab is cut off where it opens.
      crossOriginOpenerPolicy: false,
      // Frames of an LMS are not touched by it; an image or script element of a foreign page gets nothing.
      crossOriginResourcePolicy: { policy: "same-origin" },
      // Nothing to other sites. With "no-referrer" older browsers would say "Origin: null" for our own forms.
      referrerPolicy: { policy: "same-origin" },
      strictTransportSecurity: plainHttp ? false : { maxAge: 31_536_000, includeSubDomains: false },
    }),
    (_request, response, next) => {
      response.set("Cache-Control", "no-store");
      next();
    },
  ];
}
