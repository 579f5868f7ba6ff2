import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { explainedRefusal } from "./explained-refusal.ts";
import { nextPageOf } from "./link-header.ts";
import type { LmsPauses } from "./lms-pauses.ts";
import { productOf } from "./products/products.ts";
import { createQuotaPace } from "./quota-pace.ts";
import { isThrottled, retryAfterMs } from "./reply-status.ts";
import { jsonOf, type LmsReply, type LmsRequest, type Requester } from "./requester.ts";
import { maxListLength, maxPages } from "./limits.ts";

export type ServiceCallsDeps = {
  request: Requester;
  accessTokens: AccessTokens;
  pauses: Pick<LmsPauses, "beforeCall" | "afterCall">;
  clock: Clock;
};

export type ServiceTarget = {
  registration: Registration;
  scopes: readonly string[];
};

export type ServiceCalls = {
  /**
   * One call with an access token; a 401 is retried with a new token, once. Returns the reply whatever its status.
   * @throws NamedError "lms-closed" for a page of maintenance, and while the LMS is paused
   */
  call: (target: ServiceTarget, request: LmsRequest) => Promise<LmsReply>;
  /**
   * All pages of a list; complete or an error: a list that ends early would make people disappear.
   * @param what Names the list in an error, as in "the list of grade columns".
   * @param read What is kept of a page; what it throws ends the reading.
   */
  pages: <Entry>(
    target: ServiceTarget,
    asked: { url: string; accept: string; what: string },
    read: (page: unknown) => readonly Entry[] | Promise<readonly Entry[]>,
  ) => Promise<Entry[]>;
};

/** How often, and how long at most (ms), a begun list waits for an LMS that asks to slow down. */
const waitLimits = { maxTimes: 5, maxMs: 30_000 };

/** Calls to the services of an LMS on behalf of one registration. */
export function createServiceCalls(deps: ServiceCallsDeps): ServiceCalls {
  const pace = createQuotaPace(deps);
  const call: ServiceCalls["call"] = async ({ registration, scopes }, request) => {
    const tried = await deps.pauses.beforeCall(registration.id);
    const withToken = async () => {
      const token = await deps.accessTokens.get(registration, scopes);
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const { quotaLeft } = productOf(registration).services;
      const reply = await pace.run(registration.id, () => deps.request({ ...request, headers }), quotaLeft);
      await deps.pauses.afterCall(registration.id, tried, reply);
      return { token, reply };
    };
    const first = await withToken();
    if (first.reply.status !== 401) return first.reply;
    await deps.accessTokens.drop(registration, scopes, first.token);
    return (await withToken()).reply;
  };

  /** Waits where the LMS asks for it, so that the pages already read are not read again. */
  const callPatiently = async (target: ServiceTarget, request: LmsRequest): Promise<LmsReply> => {
    for (let waited = 0; ; waited += 1) {
      const reply = await call(target, request);
      if (!isThrottled(reply) || waited === waitLimits.maxTimes) return reply;
      const wait = retryAfterMs(reply, deps.clock.now()) ?? 1_000 * 2 ** waited;
      if (wait > waitLimits.maxMs) return reply;
      await deps.clock.sleep(wait);
    }
  };

  const pages: ServiceCalls["pages"] = async (target, { url, accept, what }, read) => {
    const found = [];
    let length = 0;
    const seen = new Set<string>();
    let next: string | null = url;
    while (next !== null) {
      if (seen.has(next) || seen.size >= maxPages) throw endlessList(what);
      // The token must not follow a link to somewhere else.
      if (URL.parse(next)?.origin !== new URL(url).origin) throw endlessList(what);
      seen.add(next);
      const get: LmsRequest = { method: "GET", url: next, headers: { accept } };
      const reply: LmsReply = seen.size === 1 ? await call(target, get) : await callPatiently(target, get);
      if (reply.status !== 200) throw explainedRefusal(target.registration, reply, what, deps.clock.now());
      length += reply.text.length;
      if (length > maxListLength) throw endlessList(what);
      for (const entry of await read(jsonOf(reply))) found.push(entry);
      next = nextPageOf(reply.headers.get("link"), next, what);
    }
    return found;
  };

  return { call, pages };
}

function endlessList(what: string): NamedError {
  return refusal("lms-list-broken", { values: { what }, status: 502 });
}
