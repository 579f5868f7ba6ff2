import type { Request, RequestHandler } from "express";
import { z } from "zod";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Sessions } from "./session.ts";
import { type SessionCookie, sessionIdIn } from "./session-cookie.ts";

/** A request as far as it says whose it is; its answer's templates learn what they may do. */
export type FormRequest = Pick<Request, "body" | "res" | "method">;

/** Of a request at an address of a session. `token`: what it shows beside a form; null when it shows nothing. `kept`: the browser shows it by itself. */
type Addressed = { id: string; token: string | null; kept: boolean };

const addressed = new WeakMap<object, Addressed>();
const shape = /^\/c\/([\w-]{16})(\/[^?]*)/;

/**
 * Pages of a course have addresses of their own: `/c/<id of the session>/grid` is what routes know as `/course/grid`. A GET
 * is proved by the session's cookie, or by the header that a page's script sends where cookies are blocked; a form carries
 * the session itself, so that no other site's page can send one. Mount before the routes of course pages.
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
    const token = sent ?? (await kept(request, id));
    const isKept = sent === null && token !== null;
    addressed.set(request, { id, token, kept: isKept });
    response.locals["byAddress"] = isKept;
    response.vary("Cookie").vary("Authorization");
    request.url = `/course${page}${request.url.slice(start.length)}`;
    next();
  };

  async function kept(request: Request, id: string): Promise<string | null> {
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

/** Whether a page can be asked for by its address alone, because the browser proves the session by itself. */
export function isByAddress(request: FormRequest): boolean {
  const at = addressed.get(request);
  if (at === undefined || !at.kept) return false;
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
export function shownToken(request: FormRequest, first: string): unknown {
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
