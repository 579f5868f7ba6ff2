import { messageOf, NamedError } from "../kernel/errors.ts";
import {
  CostlyJson,
  LongReply,
  maxReplyBytes,
  parseJson,
  readReply,
  retryAfterMs,
  systemCodeOf,
  whyUnreachable,
} from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import { requireClaims } from "../kernel/with-claim.ts";
import { lmsProducts } from "./products/products.ts";

export type LmsReply = { status: number; headers: Headers; text: string };

export type LmsRequest = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

/**
 * Calls an LMS and reads the whole reply, whatever its status.
 * @throws NamedError "lms-unreachable" (temporary) for a time-out, a broken connection or an overlong reply. Its message only names the
 * host, never the query, a header or the body. "claim-lost" if another process has taken over the work.
 */
export type Requester = (request: LmsRequest) => Promise<LmsReply>;

export type RequestLimits = { timeoutMs: number; maxBytes: number };

const serviceLimits: RequestLimits = { timeoutMs: 10_000, maxBytes: maxReplyBytes };

/** Doesn't follow redirects, because a token must not go to another address. */
export function createRequester(fetchFrom: typeof fetch, limits: RequestLimits = serviceLimits): Requester {
  return async ({ method, url, headers, body }) => {
    const host = URL.parse(url)?.host ?? "an invalid address";
    await requireClaims();
    const signal = AbortSignal.timeout(limits.timeoutMs);
    try {
      const response = await fetchFrom(url, {
        method,
        redirect: "manual",
        signal,
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      });
      const text = await textOf(response, host, limits.maxBytes);
      // A body without a length ends with the connection, even if we cut it ourselves, and half a list must not count as a list.
      signal.throwIfAborted();
      return { status: response.status, headers: response.headers, text };
    } catch (thrown) {
      if (thrown instanceof NamedError && thrown.code !== "lms-unreachable") throw thrown;
      throw refusal("lms-unreachable", {
        values: { host, reason: reasonOf(thrown) },
        status: 502,
        temporary: true,
        details: { host, answered: thrown instanceof LongReply },
      });
    }
  };
}

/** Parses a reply whatever its content type (Moodle's token endpoint says text/html). @throws NamedError "lms-reply-unreadable" */
export function jsonOf(reply: LmsReply): unknown {
  try {
    return parseJson(reply.text.replace(/^\ufeff/, ""));
  } catch (thrown) {
    const fault = thrown instanceof CostlyJson ? thrown.message : "not JSON";
    const details = { status: reply.status };
    throw unreadable(`an answer (status ${reply.status}, ${fault})`, { temporary: true, details });
  }
}

async function textOf(response: Response, host: string, maxBytes: number): Promise<string> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  return body === null ? "" : (await readReply(body, host, maxBytes)).toString("utf8");
}

/** The reason without addresses or tokens. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof NamedError || thrown instanceof LongReply) return messageOf(thrown);
  const code = systemCodeOf(thrown);
  return code === null ? "connection failed" : whyUnreachable(code);
}

export function isThrottled(reply: LmsReply): boolean {
  if (reply.status === 429) return true;
  return Object.values(lmsProducts).some(({ services }) => services.isThrottle(reply));
}

/** We don't follow redirects, because a token must not go to another address. */
export function isRedirect({ status }: LmsReply): boolean {
  return status >= 300 && status < 400;
}

/**
 * The error for an unsuccessful reply, without its text, which may contain names.
 * @param what What we asked for, as in "the list of grade columns".
 */
export function refusedBy(reply: LmsReply, what: string, now: number): NamedError {
  const { status } = reply;
  if (isThrottled(reply)) {
    return refusal("lms-busy", {
      status: 503,
      temporary: true,
      details: { status, retryAfterMs: retryAfterMs(reply, now) },
    });
  }
  if (status >= 500) {
    return refusal("lms-failed", {
      values: { status, what },
      status: 502,
      temporary: true,
      details: { status, retryAfterMs: retryAfterMs(reply, now) },
    });
  }
  if (isRedirect(reply)) {
    return refusal("lms-moved", {
      values: { what, status },
      status: 502,
      temporary: true,
      details: { status },
    });
  }
  if (status === 401 || status === 403) {
    return refusal("lms-not-allowed", { values: { what, status }, status: 502, details: { status } });
  }
  if (status === 404 || status === 410 || status === 412) {
    return refusal("lms-not-found", { values: { what, status }, status: 404, details: { status } });
  }
  return refusal("lms-refused", { values: { what, status }, status: 502, details: { status } });
}

/** The error for a reply in the wrong form. @param what What we asked for, as in "a list of grades". */
export function unreadable(
  what: string,
  more: { temporary?: boolean; details?: Record<string, unknown> } = {},
): NamedError {
  return refusal("lms-reply-unreadable", { values: { what }, status: 502, ...more });
}
