import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";
import { type AccountId, isAccountId } from "../domain/account.ts";
import { isFromOwnPage } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";
import { capabilitiesOf } from "../lms/products/products.ts";
import type { KnownBrands } from "../modules/courses/institution.ts";
import type { CourseStore } from "../modules/courses/store/course-store.ts";
import { frameAncestors } from "../modules/registration/rules/registration.ts";
import type { RegistrationStore } from "../modules/registration/store/registration-store.ts";
import type { Session, SessionOrigin, Sessions } from "./session.ts";

/** Paths that people visit within an LMS's page, some before we know their session, or only to be refused. */
const framedPaths = /^\/(?:lti|c|course|choose|door|enter|space|waiting|ended)(?:[/?]|$)/;

/**
 * Headers of every answer. Scripts may only be our own files. Before the session is known (see `createFraming`), any LMS may frame
 * a page of these paths, which can do nothing without a session. Nothing else may be framed. Nothing is cached unless a route says
 * so, because pages contain session tokens and names. Forms may lead to this tool only; pages of a course add their classroom, see
 * `createFraming` and `allowFormsTo`.
 * @param plainHttp Development on loopback: no HSTS, and plain http pages may frame us.
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
      // An LMS that opens us in a window keeps launch values there. We cut off the classroom's tab when we open it.
      crossOriginOpenerPolicy: false,
      // This doesn't affect an LMS's frames, but an image or script element on a foreign page gets nothing.
      crossOriginResourcePolicy: { policy: "same-origin" },
      // Other sites get no referrer. With "no-referrer", older browsers would send "Origin: null" with our own forms.
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
 * Allows the forms of one page other targets (`form-action`). Browsers also apply it to the redirects that follow, so the target
 * must not redirect elsewhere.
 * @param sources Origins, or schemes such as "https:" if the targets can't be known.
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

/** For forms whose target we can't know: they lead through an LMS and its login pages, or into any classroom. */
export function allowFormsAnywhere(response: Answer, publicUrl: string): void {
  allowFormsTo(response, publicUrl.startsWith("http://") ? ["https:", "http:"] : ["https:"]);
}

/** The target of the classroom's end-of-session redirect, for any method, because showing that page changes nothing. */
function isEnd(path: string): boolean {
  const end = /^\/ended(?:\/([^/]+))?\/?$/i.exec(path);
  return end !== null && isAccountId(end[1]?.toLowerCase() ?? "production");
}

/**
 * Refuses forms from other sites' pages. Mount it before the routes for people, and after those that an LMS or the classroom posts to.
 * A foreign form could contain its author's session, and make a reader act as that person without knowing.
 */
export function ownFormsOnly(publicUrl: string): RequestHandler {
  return (request, _response, next) => {
    if (request.method === "POST" && !isEnd(request.path) && isFromOwnPage(request, publicUrl) === false) {
      throw refusal("foreign-form", { status: 403 });
    }
    next();
  };
}

type FramingDeps = {
  registrations: Pick<RegistrationStore, "find">;
  courses: Pick<CourseStore, "find">;
  brands: Pick<KnownBrands, "of">;
  /** Where a form that enters a Space may finally lead, by account. */
  entryTargetsOf: (account: AccountId) => readonly string[];
};

/** Decides which LMS may frame a course's page (record 0005), and applies its institution's branding. */
export type Framing = ReturnType<typeof createFraming>;

type FramedSession = Pick<Session, "registrationId" | "courseId" | "framedBy">;

/**
 * Only the LMS of a page's session may frame the page. Until a session is known, the default policy applies. The response is in the async
 * context, so no route can forget to pass it.
 */
export function createFraming(deps: FramingDeps) {
  const answering = new AsyncLocalStorage<Response>();
  /** The course that an answer's policy already names, for pages that read a session and issue it again. */
  const named = new WeakMap<Response, string>();
  /** Shows the current page with the branding of this LMS's institution. Reading or issuing a session does this, too. */
  const useBranding = async (registrationId: string): Promise<void> => {
    const response = answering.getStore();
    if (response === undefined || response.headersSent) return;
    const brand = await deps.brands.of(registrationId);
    response.locals["brand"] = brand ?? undefined;
  };
  const originOf = async (registrationId: string, courseId: string) => {
    const [registration, course] = await Promise.all([
      deps.registrations.find(registrationId),
      deps.courses.find(courseId),
    ]);
    return { registration, course };
  };
  const name = async (session: FramedSession, known?: SessionOrigin): Promise<void> => {
    const response = answering.getStore();
    const { registrationId, courseId, framedBy = null } = session;
    const page = `${registrationId} ${courseId} ${framedBy ?? ""}`;
    if (response === undefined || response.headersSent || named.get(response) === page) return;
    const [{ registration, course }] = await Promise.all([
      known ?? originOf(registrationId, courseId),
      useBranding(registrationId),
    ]);
    if (registration === null || course === null) return;
    const origins = frameAncestors(capabilitiesOf(registration), registration, course, framedBy);
    named.set(response, page);
    if (origins !== null) setFrameAncestors(response, origins);
    allowFormsTo(response, deps.entryTargetsOf(course.environment));
  };
  const naming =
    (read: Sessions["read"]): Sessions["read"] =>
    async (token) => {
      const session = await read(token);
      await name(session);
      return session;
    };
  /** Mount before all routes whose pages carry sessions. */
  const remember: RequestHandler = (_request, response, next) => {
    answering.run(response, next);
  };
  return {
    useBranding,
    remember,
    /** Wraps sessions so that each page names the session's LMS in its policy when the session is read or issued. */
    named: (sessions: Sessions): Sessions => ({
      ...sessions,
      issue: async (session, known) => {
        await name(session, known);
        return sessions.issue(session);
      },
      read: naming(sessions.read),
      readForEntry: naming(sessions.readForEntry),
      about: async (id) => {
        const known = await sessions.about(id);
        if (known !== null) await name(known.session);
        return known;
      },
    }),
  };
}

export function forbidFrames(response: Pick<Response, "get" | "set" | "headersSent">): void {
  setFrameAncestors(response, ["'none'"]);
}

/** Changes only the frame-ancestors part of the policy. */
function setFrameAncestors(
  response: Pick<Response, "get" | "set" | "headersSent">,
  sources: readonly string[],
): void {
  const policy = response.get("Content-Security-Policy");
  if (policy === undefined || response.headersSent) return;
  const ancestors = `frame-ancestors ${sources.join(" ")}`;
  response.set(
    "Content-Security-Policy",
    policy.replace(/frame-ancestors [^;]*/, () => ancestors),
  );
}
