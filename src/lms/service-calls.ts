import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { nextLink, retryAfterMs } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import { withoutTrailingSlashes } from "../kernel/text.ts";
import { rememberIn } from "../kernel/lists.ts";
import type { AccessTokens } from "./access-tokens.ts";
import {
  maxListEntries,
  maxListLength,
  maxListMs,
  maxPacedLms,
  maxPages,
  minQuota,
  quotaPerSecond,
} from "./limits.ts";
import type { LmsPauses } from "./lms-pauses.ts";
import { sharesClientId } from "./platform-configuration.ts";
import { productOf } from "./products/products.ts";
import {
  isThrottled,
  jsonOf,
  type LmsReply,
  type LmsRequest,
  refusedBy,
  type Requester,
} from "./requester.ts";

export type ServiceTarget = { registration: Registration; scopes: readonly string[] };

export type ServiceCalls = {
  /**
   * Makes a call with an access token. After a 401, tries once more with a new token. Returns the reply whatever its status.
   * @throws NamedError "lms-closed" for a maintenance page, "lms-unreachable" without an answer, and while the LMS is paused
   */
  call: (target: ServiceTarget, request: LmsRequest) => Promise<LmsReply>;
  /**
   * All pages of a list, or an error. An incomplete list would make people disappear.
   * @param what Names the list in an error, as in "the list of grade columns".
   * @param read Returns what to keep of a page. If it throws, reading ends.
   */
  pages: <Entry>(
    target: ServiceTarget,
    request: { url: string; accept: string; what: string },
    read: (page: unknown) => readonly Entry[] | Promise<readonly Entry[]>,
  ) => Promise<Entry[]>;
};

/** How often, and how long at most (ms), reading a list waits for an LMS that asks to slow down. */
const waitLimits = { maxTimes: 5, maxMs: 30_000 };

/** Calls to the services of an LMS on behalf of one registration. */
export function createServiceCalls(deps: {
  request: Requester;
  accessTokens: AccessTokens;
  pauses: Pick<LmsPauses, "beforeCall" | "heard">;
  clock: Clock;
}): ServiceCalls {
  const pace = createQuotaPace(deps);
  const call: ServiceCalls["call"] = async ({ registration, scopes }, request) => {
    // Each of the institutions has its own host, so the trouble of one is not that of all.
    const isOfMany = sharesClientId(registration.issuer);
    const tried = await deps.pauses.beforeCall(registration.id);
    const withToken = async () => {
      const token = await deps.accessTokens.get(registration, scopes);
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const { quotaLeft } = productOf(registration).services;
      const run = () => pace.run(registration.id, () => deps.request({ ...request, headers }), quotaLeft);
      const isAlone = isOfMany && tried === null;
      const reply = isAlone ? await run() : await deps.pauses.heard(registration.id, tried, run);
      return { token, reply };
    };
    const first = await withToken();
    if (first.reply.status !== 401) return first.reply;
    await deps.accessTokens.drop(registration, scopes, first.token);
    return (await withToken()).reply;
  };

  /** Waits when the LMS asks for it, so pages needn't be read again. */
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
    const ends = deps.clock.now() + maxListMs;
    let next: string | null = url;
    while (next !== null) {
      if (seen.has(next) || seen.size >= maxPages || deps.clock.now() > ends) throw endlessList(what);
      // The token must not follow a link to another host.
      if (URL.parse(next)?.origin !== new URL(url).origin) throw endlessList(what);
      seen.add(next);
      const get: LmsRequest = { method: "GET", url: next, headers: { accept } };
      const reply: LmsReply = seen.size === 1 ? await call(target, get) : await callPatiently(target, get);
      if (reply.status !== 200) throw explainedRefusal(target.registration, reply, what, deps.clock.now());
      length += reply.text.length;
      if (length > maxListLength) throw endlessList(what);
      for (const entry of await read(jsonOf(reply))) found.push(entry);
      if (found.length > maxListEntries) throw endlessList(what);
      next = nextPageOf(reply.headers.get("link"), next, what);
    }
    return found;
  };

  return { call, pages };
}

function endlessList(what: string): NamedError {
  return refusal("lms-list-broken", { values: { what }, status: 502 });
}

/** An LMS's latest report of how many calls it still accepts. */
type Quota = { left: number; at: number; turn: Promise<unknown> };

/** The longest wait of one call (ms). It waits in naps, so it notices when another call brings a better report. */
const waitsMs = { nap: 1_000, longest: 5_000 };

/**
 * Slows down before an LMS refuses. Canvas reports the remaining quota with every answer (doc/api/throttling.md), and hardly ever refuses
 * a client that makes one call at a time. Each process counts separately.
 */
export function createQuotaPace({ clock }: { clock: Clock }) {
  const quotas = new Map<string, Quota>();
  const leftOf = (id: string): number => {
    const known = quotas.get(id);
    return known === undefined
      ? Infinity
      : known.left + (Math.max(0, clock.now() - known.at) / 1_000) * quotaPerSecond;
  };

  return {
    /**
     * Makes a call immediately if there is enough quota; otherwise one at a time, after a wait of at most five seconds.
     * @param id The registration's id. @param leftAfter The remaining quota by an answer; null if it doesn't say.
     */
    run: async <T>(
      id: string,
      call: () => Promise<T>,
      leftAfter: (answer: T) => number | null,
    ): Promise<T> => {
      const meteredCall = async () => {
        const answer = await call();
        const left = leftAfter(answer);
        if (left === null) return answer;
        const turn = quotas.get(id)?.turn ?? Promise.resolve();
        rememberIn(quotas, maxPacedLms, id, { left, at: clock.now(), turn });
        return answer;
      };
      const known = quotas.get(id);
      if (known === undefined || leftOf(id) >= minQuota) return meteredCall();
      const mine = known.turn.then(async () => {
        for (let waited = 0; waited < waitsMs.longest && leftOf(id) < minQuota; waited += waitsMs.nap)
          await clock.sleep(waitsMs.nap);
        return meteredCall();
      });
      known.turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/**
 * The next page's address; null on the last page.
 * @param header The Link header; null for none.
 * @param from The present page's address, the base of relative links. If it is https, plain http on the same host counts as https, because
 * an LMS behind a proxy often doesn't know its scheme.
 * @param what Names the list in the error, as in "the list of people".
 * @throws NamedError "lms-list-broken" for an unreadable address, because a list that ends there would lose people.
 */
export function nextPageOf(header: string | null, from: string, what: string): string | null {
  const target = nextLink(header);
  if (target === null) return null;
  const next = target === "" ? null : URL.parse(target, from);
  if (next === null) throw refusal("lms-list-broken", { values: { what }, status: 502 });
  const own = new URL(from);
  if (own.protocol === "https:" && next.protocol === "http:" && next.host === own.host)
    next.protocol = "https:";
  return next.href;
}

/** Adds a segment before the query: Moodle's `.../lineitem?type_id=2` becomes `.../lineitem/scores?type_id=2` (AGS 2.0, 3.4.4). */
export function withPath(address: string, segment: "scores" | "results"): string {
  const url = new URL(address);
  url.pathname = `${withoutTrailingSlashes(url.pathname)}/${segment}`;
  return url.href;
}

/** Adds or replaces parameters. The rest of the query stays the same letter by letter, because it may be signed. */
export function withQuery(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) added.set(name, value);
  }
  const unchanged = url.search
    .slice(1)
    .split("&")
    .filter((part) => ![...new URLSearchParams(part).keys()].some((name) => added.has(name)));
  url.search = [...unchanged, added.toString()].filter((part) => part !== "").join("&");
  return url.href;
}

/** A service's error in terms of the product if we know them, otherwise as `refusedBy`. */
export function explainedRefusal(registration: Registration, reply: LmsReply, what: string, now: number) {
  const code = isThrottled(reply) ? null : productOf(registration).services.explainRefusal(reply);
  if (code === null) return refusedBy(reply, what, now);
  return refusal(code, { status: 502, details: { status: reply.status } });
}
