import type { RequestHandler, Response } from "express";
import helmet from "helmet";
import { isAccountId } from "../domain/account.ts";
import { isFromOwnPage } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";

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

type Answer = Pick<Response, "get" | "set" | "headersSent">;

/**
 * Allows the forms of one page other targets (`form-action`). Browsers apply it to redirects that follow as well, so
 * the target must not lead on elsewhere.
 * @param sources Origins, or schemes such as "https:" where the places cannot be known.
 */
export function allowFormsTo(response: Answer, sources: readonly string[]): void {
  change(response, (now) => [now, ...sources.filter((source) => !now.split(" ").includes(source))].join(" "));
}

export function keepFormsHere(response: Answer): void {
  change(response, () => "form-action 'self'");
}

function change(response: Answer, changed: (now: string) => string): void {
  const policy = response.get("Content-Security-Policy");
  if (policy === undefined || response.headersSent) return;
  response.set("Content-Security-Policy", policy.replace(/form-action [^;]*/, changed));
}

/** For forms that lead where the tool cannot know: through an LMS and wherever people log in, or into any classroom. */
export function allowFormsAnywhere(response: Answer, publicUrl: string): void {
  allowFormsTo(response, publicUrl.startsWith("http://") ? ["https:", "http:"] : ["https:"]);
}

/** Where the classroom's end-of-session redirect leads, by whichever method; showing the page changes nothing. */
function isEnd(path: string): boolean {
  const end = /^\/ended(?:\/([^/]+))?\/?$/i.exec(path);
  return end !== null && isAccountId(end[1]?.toLowerCase() ?? "production");
}

/**
 * Refuses forms of other sites' pages. Mount before the routes for people and after those that an LMS or the classroom
 * posts to. A foreign form could carry its own author's session, and have a reader act as that person unknowingly.
 */
export function ownFormsOnly(publicUrl: string): RequestHandler {
  return (request, _response, next) => {
    if (request.method === "POST" && !isEnd(request.path) && isFromOwnPage(request, publicUrl) === false) {
      throw refusal("foreign-form", { status: 403 });
    }
    next();
  };
}
