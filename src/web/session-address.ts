import type { CookieOptions, Request, RequestHandler } from "express";
import { z } from "zod";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Sessions } from "./session.ts";

/** Where a browser asks for a reader's pages of a course; `point` sets a cookie there that names the session it opened last. */
export const minePath = "/mine";

/** How long a request for the next launch to show a page is kept (ms): enough to log in at the LMS and find the link. */
const pageRequestMs = 15 * 60_000;

/** A request as far as its headers say something. */
type Headers = { get: (name: string) => string | undefined };

/** An answer as far as cookies are set by it. */
type CookieSink = { cookie: (name: string, value: string, options: CookieOptions) => unknown };

/** Values of one session that are looked up: two jars hold one each, and a neighbouring host may have planted others. */
const maxProofs = 3;

/** The part of a token that names its session, and is no secret. */
export function sessionIdIn(token: string): string {
  return token.split(".")[0] ?? "";
}

/** Where pages of a session are, without a slash at the end. */
export function sessionFolder(id: string): string {
  return `/c/${id}`;
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/**
 * The cookies that prove a session at its own addresses: one name for each session, so two people in one browser never
 * mix, and a path, so a request carries one session and not all.
 *
 * In a frame there are two. The partitioned one is kept where third-party cookies are blocked; the other, where they
 * are allowed, proves the same session in a tab that is opened beside the frame. At top level no other site's request
 * carries it.
 * @param publicUrl Where browsers reach the tool; over plain http (development) cookies cannot be Secure.
 */
export function createSessionCookie(publicUrl: string) {
  const secure = publicUrl.startsWith("https:");
  const pointer = `${secure ? "__Secure-" : ""}last`;
  const pageCookie = `${secure ? "__Secure-" : ""}page`;
  // "none": the LMS's page, of another site, sends the launch.
  const pageCookieOptions: CookieOptions = {
    httpOnly: true,
    secure,
    path: "/lti/launch",
    sameSite: secure ? "none" : "lax",
  };
  // A browser that does not say where the page is shown is treated as in a frame.
  const isAlone = (request: Headers) => !secure || request.get("sec-fetch-dest") === "document";
  // "__Host-" would send each session's cookie to all addresses: 150 launches of one browser are more than proxies take.
  const nameOf = (kind: "v" | "p", id: string) => `${secure ? "__Secure-" : ""}${kind}_${id}`;
  const shared = (id: string): CookieOptions => ({ httpOnly: true, secure, path: sessionFolder(id) });
  return {
    /**
     * @param forMs How long the session lasts at most.
     * @param page Where it is sent: one page of the session, such as "/signed-out"; left out: all of them.
     */
    set: (request: Headers, response: CookieSink, token: string, forMs: number, page = ""): void => {
      const id = sessionIdIn(token);
      const options = { ...shared(id), maxAge: forMs, path: sessionFolder(id) + page };
      const alone = isAlone(request);
      response.cookie(nameOf("v", id), token, { ...options, sameSite: alone ? "lax" : "none" });
      if (!alone)
        response.cookie(nameOf("p", id), token, { ...options, sameSite: "none", partitioned: true });
    },
    /** Says at an address outside of sessions which one this browser opened last; it proves nothing. */
    point: (request: Headers, response: CookieSink, token: string, forMs: number, address: string): void => {
      const options = { httpOnly: true, secure, path: address, maxAge: forMs };
      response.cookie(pointer, sessionIdIn(token), {
        ...options,
        sameSite: isAlone(request) ? "lax" : "none",
      });
    },
    /** The id of the session that this browser opened last, as `point` said; null for none. */
    pointsTo: (request: Headers): string | null => {
      const found = new RegExp(`(?:^|;\\s*)${pointer}=([\\w-]{16})(?:;|$)`).exec(request.get("cookie") ?? "");
      return found?.[1] ?? null;
    },
    /** This browser's next launch of the course shows its reader's page. */
    requestPage: (response: CookieSink, courseId: string): void => {
      response.cookie(pageCookie, courseId, { ...pageCookieOptions, maxAge: pageRequestMs });
    },
    /** Whether `requestPage` asked for the page of this course; true once. */
    takePageRequest: (request: Headers, response: CookieSink, courseId: string): boolean => {
      const isRequested = (request.get("cookie") ?? "").split(/;\s*/).includes(`${pageCookie}=${courseId}`);
      if (isRequested) response.cookie(pageCookie, "", { ...pageCookieOptions, expires: new Date(1) });
      return isRequested;
    },
    clear: (response: CookieSink, id: string): void => {
      const options = { ...shared(id), expires: new Date(1) };
      response.cookie(nameOf("v", id), "", { ...options, sameSite: secure ? "none" : "lax" });
      if (secure) response.cookie(nameOf("p", id), "", { ...options, sameSite: "none", partitioned: true });
    },
    /** What the browser shows as proof of a session: nothing, or up to three values where it keeps cookies in two jars. */
    tokensIn: (request: Headers, id: string): string[] => {
      const names = [nameOf("p", id), nameOf("v", id)];
      const values = names.flatMap((name) => cookiesOf(request, name));
      return [...new Set(values)].filter((token) => sessionIdIn(token) === id).slice(0, maxProofs);
    },
  };
}

/** The values of the cookies with a name: a browser may send several. */
export function cookiesOf(request: Headers, name: string): string[] {
  const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []));
}

/** The names of ours, for `keepsCookies`: of logins, sessions, places in the queue, and the last session. */
const ownName = /(?:^|;\s*)(?:__Secure-)?(?:(?:lti|v|p|place)_[\w-]+|last)=/;

/**
 * Whether this browser is known to keep our cookies here, because one of ours came along. One of a balancer or of a neighbouring host says
 * nothing: WebKit sends in a frame what was set in a tab, and keeps nothing new there.
 */
export function keepsCookies(request: Headers): boolean {
  return ownName.test(request.get("cookie") ?? "");
}

/** The session of the course that this browser opened last; its own page asks for its proof. Null for none. */
export async function sessionHere(
  app: { sessions: Pick<Sessions, "about">; sessionCookie: SessionCookie },
  request: Headers,
  courseId: string,
): Promise<string | null> {
  const id = app.sessionCookie.pointsTo(request);
  const known = id === null ? null : await app.sessions.about(id);
  return known?.over === null && known.session.courseId === courseId ? id : null;
}

/** The parts of a request that identify its session; its answer's templates learn what they may do. */
export type FormRequest = Pick<Request, "body" | "res" | "method">;

/** A request at an address of a session. `token`: its proof outside a form; null for none. `byCookie`: a cookie carries it. */
type Addressed = { id: string; token: string | null; byCookie: boolean };

const addressed = new WeakMap<object, Addressed>();
const shape = /^\/c\/([\w-]{16})(\/[^?]*)/;

/**
 * Pages of a course have addresses of their own: `/c/<id of the session>/grid` is what routes know as `/course/grid`. A
 * GET is proved by the session's cookie, or by the header that a page's script sends where cookies are blocked; a form
 * carries the session itself, so no other site's page can send one. Mount before the routes of course pages.
 */
export function sessionAddresses({
  sessions,
  sessionCookie,
}: {
  sessions: Pick<Sessions, "readForEntry">;
  sessionCookie: SessionCookie;
}): RequestHandler {
  return async (request, response, next) => {
    const [start, id, page] = shape.exec(request.url) ?? [];
    if (start === undefined || id === undefined || page === undefined) {
      next();
      return;
    }
    const sent = sentByScript(request, id);
    const token = sent ?? (await cookieToken(request, id));
    const isByCookie = sent === null && token !== null;
    addressed.set(request, { id, token, byCookie: isByCookie });
    response.locals["byAddress"] = isByCookie;
    response.vary("Cookie").vary("Authorization");
    request.url = `/course${page}${request.url.slice(start.length)}`;
    next();
  };

  async function cookieToken(request: Request, id: string): Promise<string | null> {
    const tokens = sessionCookie.tokensIn(request, id);
    const [first = null, ...others] = tokens;
    if (others.length === 0) return first;
    // A neighbouring host may have planted one of the same name: it can only be wrong.
    for (const token of tokens) if (await proves(token)) return token;
    return first;
  }

  async function proves(token: string): Promise<boolean> {
    try {
      await sessions.readForEntry(token);
      return true;
    } catch (thrown) {
      if (thrown instanceof NamedError && thrown.status === 401) return false;
      throw thrown;
    }
  }
}

/** A page's script sends its session where the browser keeps no cookie, or for a page that the browser had kept itself. */
function sentByScript(request: Request, id: string): string | null {
  const bearer = /^Bearer (\S+)$/.exec(request.get("authorization") ?? "")?.[1];
  return bearer !== undefined && sessionIdIn(bearer) === id ? bearer : null;
}

/** Whether a page can be asked for by its address alone, because the browser proves the session. */
export function isByAddress(request: FormRequest): boolean {
  const at = addressed.get(request);
  if (at === undefined || !at.byCookie) return false;
  return request.method !== "POST" || postedToken(request) === at.token;
}

/**
 * What a request shows as proof of its session, for `Sessions.read`.
 * @throws NamedError "session-over" when a form of one session is sent to an address of another.
 */
export function tokenOf(request: FormRequest): unknown {
  const at = addressed.get(request);
  const posted = postedToken(request);
  if (at === undefined) return posted;
  if (request.method !== "POST") return at.token;
  if (typeof posted === "string" && sessionIdIn(posted) !== at.id)
    throw refusal("session-over", { status: 401 });
  return posted;
}

/** The proof that a request shows before its form is read. @param first The form's first field, as it was sent. */
export function presentedToken(request: FormRequest, first: string): unknown {
  return addressed.get(request)?.token ?? /^session=([\w.-]+)$/.exec(first)?.[1];
}

/** The id of the session whose address is asked for; null for other addresses. */
export function sessionAskedFor(request: FormRequest): string | null {
  return addressed.get(request)?.id ?? null;
}

const carried = z.object({ session: z.unknown().optional() }).catch({});

function postedToken(request: FormRequest): unknown {
  return carried.parse(request.body).session;
}
