import type { CookieOptions, Request, RequestHandler } from "express";
import { z } from "zod";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Sessions } from "./session.ts";

/** The address of a reader's own page of a course. `point` sets a cookie for it that names the session this browser opened last. */
export const minePath = "/mine";

/** How long a request to show a page at the next launch is stored (ms): enough to log in at the LMS and find the link. */
const pageRequestMs = 15 * 60_000;

/** The part of a request with headers. */
type Headers = { get: (name: string) => string | undefined };

/** The part of a response that sets cookies. */
type CookieSink = { cookie: (name: string, value: string, options: CookieOptions) => unknown };

/** How many values of one session to look up. Two cookie jars have one each, and a neighbouring host may have planted more. */
const maxProofs = 3;

/** The part of a token that names its session. It isn't secret. */
export function sessionIdIn(token: string): string {
  return token.split(".")[0] ?? "";
}

/** The address of a session's pages, without a slash at the end. */
export function sessionFolder(id: string): string {
  return `/c/${id}`;
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/**
 * The cookies that prove a session at its own addresses. Each session has its own name, so two people in one browser never mix, and
 * its own path, so a request carries one session and not all.
 * || In a frame we set two. The partitioned one works where third-party cookies are blocked. The other, where they are allowed, also proves
 * the session in a tab that is opened from the frame. At top level, no other site's request carries it.
 * @param publicUrl Where browsers reach the tool. Over plain http (development), cookies can't be Secure.
 */
export function createSessionCookie(publicUrl: string) {
  const secure = publicUrl.startsWith("https:");
  const pointer = `${secure ? "__Secure-" : ""}last`;
  const pageCookie = `${secure ? "__Secure-" : ""}page`;
  // "none", because the LMS's page on another site sends the launch.
  const pageCookieOptions: CookieOptions = {
    httpOnly: true,
    secure,
    path: "/lti/launch",
    sameSite: secure ? "none" : "lax",
  };
  // If a browser doesn't say where the page is shown, we assume a frame.
  const isAlone = (request: Headers) => !secure || request.get("sec-fetch-dest") === "document";
  // "__Host-" would send every session's cookie to all addresses, and 150 launches in one browser are more than proxies accept.
  const nameOf = (kind: "v" | "p", id: string) => `${secure ? "__Secure-" : ""}${kind}_${id}`;
  const shared = (id: string): CookieOptions => ({ httpOnly: true, secure, path: sessionFolder(id) });
  return {
    /**
     * Sets the cookies of a session. @param forMs How long the session lasts at most.
     * @param page One page of the session that gets the cookie, such as "/signed-out"; default: all pages.
     */
    set: (request: Headers, response: CookieSink, token: string, forMs: number, page = ""): void => {
      const id = sessionIdIn(token);
      const options = { ...shared(id), maxAge: forMs, path: sessionFolder(id) + page };
      const alone = isAlone(request);
      response.cookie(nameOf("v", id), token, { ...options, sameSite: alone ? "lax" : "none" });
      if (!alone)
        response.cookie(nameOf("p", id), token, { ...options, sameSite: "none", partitioned: true });
    },
    /** Notes, for an address outside sessions, which session this browser opened last. It proves nothing. */
    point: (request: Headers, response: CookieSink, token: string, forMs: number, address: string): void => {
      const options = { httpOnly: true, secure, path: address, maxAge: forMs };
      response.cookie(pointer, sessionIdIn(token), {
        ...options,
        sameSite: isAlone(request) ? "lax" : "none",
      });
    },
    /** The id of the session that this browser opened last, as `point` noted it; null for none. */
    pointsTo: (request: Headers): string | null => {
      const found = new RegExp(`(?:^|;\\s*)${pointer}=([\\w-]{16})(?:;|$)`).exec(request.get("cookie") ?? "");
      return found?.[1] ?? null;
    },
    /** Makes this browser's next launch of the course show the reader's page. */
    requestPage: (response: CookieSink, courseId: string): void => {
      response.cookie(pageCookie, courseId, { ...pageCookieOptions, maxAge: pageRequestMs });
    },
    /** Whether `requestPage` asked for the page of this course. Returns true only once. */
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
    /** The proofs of a session that the browser sends: none, or up to three values if it has two cookie jars. */
    tokensIn: (request: Headers, id: string): string[] => {
      const names = [nameOf("p", id), nameOf("v", id)];
      const values = names.flatMap((name) => cookiesOf(request, name));
      return [...new Set(values)].filter((token) => sessionIdIn(token) === id).slice(0, maxProofs);
    },
  };
}

/** The values of all cookies with this name, because a browser may send several. */
export function cookiesOf(request: Headers, name: string): string[] {
  const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []));
}

/** Names of our cookies, for `keepsCookies`: logins, sessions, queue positions, and the last session. */
const ownName = /(?:^|;\s*)(?:__Secure-)?(?:(?:lti|v|p|place)_[\w-]+|last)=/;

/**
 * Whether we know that this browser keeps our cookies here, because it sent one. A cookie of a load balancer or of a neighbouring host
 * doesn't count: WebKit sends cookies in a frame that were set in a tab, but stores no new ones there.
 */
export function keepsCookies(request: Headers): boolean {
  return ownName.test(request.get("cookie") ?? "");
}

/** The session of the course that this browser opened last; null for none. Its own page then asks for the proof. */
export async function sessionHere(
  app: { sessions: Pick<Sessions, "about">; sessionCookie: SessionCookie },
  request: Headers,
  courseId: string,
): Promise<string | null> {
  const id = app.sessionCookie.pointsTo(request);
  const known = id === null ? null : await app.sessions.about(id);
  return known?.over === null && known.session.courseId === courseId ? id : null;
}

/** The parts of a request that identify its session. `res` lets its templates learn what they may do. */
export type FormRequest = Pick<Request, "body" | "res" | "method">;

/** A request to an address of a session. `token`: its proof outside a form, or null. `byCookie`: a cookie is the proof. */
type Addressed = { id: string; token: string | null; byCookie: boolean };

const addressed = new WeakMap<object, Addressed>();
const shape = /^\/c\/([\w-]{16})(\/[^?]*)/;

/**
 * Gives pages of a course their addresses: `/c/<id of the session>/grid` reaches routes as `/course/grid`. A GET is proved by the
 * session's cookie, or by the header that a page's script sends if cookies are blocked. A form carries the session itself, so no other
 * site's page can send one. Mount before the routes of course pages.
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
    // A neighbouring host may have planted a cookie with the same name, which can only be wrong.
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

/** A page's script sends the session if the browser has no cookie, or if the browser showed a page from its own cache. */
function sentByScript(request: Request, id: string): string | null {
  const bearer = /^Bearer (\S+)$/.exec(request.get("authorization") ?? "")?.[1];
  return bearer !== undefined && sessionIdIn(bearer) === id ? bearer : null;
}

/** Whether a page can be requested by its address alone, because a cookie proves the session. */
export function isByAddress(request: FormRequest): boolean {
  const at = addressed.get(request);
  if (at === undefined || !at.byCookie) return false;
  return request.method !== "POST" || postedToken(request) === at.token;
}

/**
 * The proof of the session in a request, for `Sessions.read`.
 * @throws NamedError "session-over" when a form of one session is sent to an address of another session.
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

/** The proof in a request whose form hasn't been read yet. @param first The form's first field, as it was sent. */
export function presentedToken(request: FormRequest, first: string): unknown {
  return addressed.get(request)?.token ?? /^session=([\w.-]+)$/.exec(first)?.[1];
}

/** The id of the session in the requested address; null for other addresses. */
export function sessionAskedFor(request: FormRequest): string | null {
  return addressed.get(request)?.id ?? null;
}

const carried = z.object({ session: z.unknown().optional() }).catch({});

function postedToken(request: FormRequest): unknown {
  return carried.parse(request.body).session;
}
