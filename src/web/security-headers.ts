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

type FramingDeps = {
  registrations: Pick<RegistrationStore, "find">;
  courses: Pick<CourseStore, "find">;
  brands: Pick<KnownBrands, "of">;
  /** Where a form that enters a Space may lead in the end, by account. */
  entryTargetsOf: (account: AccountId) => readonly string[];
};

/** Which LMS may frame a course's page (record 0005), and how its institution has it look. */
export type Framing = ReturnType<typeof createFraming>;

type FramedSession = Pick<Session, "registrationId" | "courseId" | "framedBy">;

/**
 * Only the LMS of a page's session may frame it; before, the present policy applies. The async context knows the
 * response, so no route can forget to pass it.
 */
export function createFraming(deps: FramingDeps) {
  const answering = new AsyncLocalStorage<Response>();
  /** The course of an answer's policy: a page that reads a session and issues it again says the same. */
  const named = new WeakMap<Response, string>();
  /** The page that is being answered looks as this LMS's institution wants; reading or issuing a session does so, too. */
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
  /** Before all routes whose pages carry sessions. */
  const remember: RequestHandler = (_request, response, next) => {
    answering.run(response, next);
  };
  return {
    useBranding,
    remember,
    /** Sessions that name their LMS in the policy of each page they are read or issued for. */
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

/** Changes only this part of the policy. */
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
