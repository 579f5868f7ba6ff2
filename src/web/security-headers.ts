import type { RequestHandler } from "express";
import helmet from "helmet";

/** Where people come within an LMS's page, some before their session is known, or to be refused. */
const framedPaths = /^\/(?:lti|c|course|choose|door|enter|space|waiting|ended)(?:[/?]|$)/;

/**
 * Headers of every answer. Scripts are our own files only. Before the session is known (see `createFraming`) any LMS may
 * frame a page of these paths, which can do nothing without it; nothing else may be framed. Nothing is cached unless a
 * route says otherwise: pages carry session tokens and names.
 * @param plainHttp Development on loopback: no HSTS, and frames of plain http pages.
 *   Forms lead to this tool only; pages of a course add their classroom, see `createFraming` and `allowFormsTo`.
 */
export function securityHeaders(plainHttp: boolean): RequestHandler[] {
  const ancestors = plainHttp ? "https: http:" : "https:";
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
          formAction: ["'self'"],
          frameAncestors: [({ url = "" }) => (framedPaths.test(url) ? ancestors : "'none'")],
        },
      },
      frameguard: false,
      // An LMS that opens us in a window keeps launch values there; the classroom's tab is cut off where it opens.
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
