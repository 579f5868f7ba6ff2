import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { nextPageOf } from "./link-header.ts";
import { refusedBy } from "./reply-status.ts";
import { jsonOf, type LmsReply, type LmsRequest, type Requester } from "./requester.ts";

export type ServiceCallsDeps = { request: Requester; accessTokens: AccessTokens; clock: Clock };

/** Whom a call goes to, and with which right. */
export type ServiceTarget = {
  registration: Registration;
  /** Scopes of the token. */
  scopes: readonly string[];
};

export type ServiceCalls = {
  /** One call with an access token; a 401 is answered with a new token, once. Returns the reply whatever its status. */
  call: (target: ServiceTarget, request: LmsRequest) => Promise<LmsReply>;
  /**
   * All pages of a list, each as parsed JSON. Either complete or an error: a list that ends early would make
   * people disappear.
   * @param what Names the list in an error, as in "the list of grade columns".
   */
  pages: (target: ServiceTarget, url: string, accept: string, what: string) => Promise<unknown[]>;
};

const maxPages = 2_000;

/** Calls to the services of an LMS on behalf of one registration. */
export function createServiceCalls(deps: ServiceCallsDeps): ServiceCalls {
  const call: ServiceCalls["call"] = async ({ registration, scopes }, request) => {
    const withToken = async () => {
      const token = await deps.accessTokens.get(registration, scopes);
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      return { token, reply: await deps.request({ ...request, headers }) };
    };
    const first = await withToken();
    if (first.reply.status !== 401) return first.reply;
    await deps.accessTokens.drop(registration, scopes, first.token);
    return (await withToken()).reply;
  };

  const pages: ServiceCalls["pages"] = async (target, url, accept, what) => {
    const found: unknown[] = [];
    const seen = new Set<string>();
    let next: string | null = url;
    while (next !== null) {
      if (seen.has(next) || seen.size >= maxPages) throw endlessList(what);
      // The token must not follow a link to somewhere else.
      if (URL.parse(next)?.origin !== new URL(url).origin) throw endlessList(what);
      seen.add(next);
      const reply = await call(target, { method: "GET", url: next, headers: { accept } });
      if (reply.status !== 200) throw refusedBy(reply, what, deps.clock.now());
      found.push(jsonOf(reply));
      next = nextPageOf(reply.headers.get("link"), next);
    }
    return found;
  };

  return { call, pages };
}

function endlessList(what: string): NamedError {
  return new NamedError(
    "lms-list-broken",
    `The LMS's pages of ${what} lead in a circle or to another host.`,
    {
      status: 502,
    },
  );
}
