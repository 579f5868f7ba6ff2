import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { lmsProducts } from "./products/products.ts";
import type { LmsReply } from "./requester.ts";

export function isThrottled(reply: LmsReply): boolean {
  if (reply.status === 429) return true;
  return Object.values(lmsProducts).some(({ services }) => services.isThrottle(reply));
}

/** Redirects are not followed: a token must not travel to another address. */
export function isRedirect({ status }: LmsReply): boolean {
  return status >= 300 && status < 400;
}

/** `Retry-After` (seconds or a date) in ms; null for none. From a second (a "0" would make a storm) to an hour. */
export function retryAfterMs({ headers }: LmsReply, now: number): number | null {
  const given = headers.get("retry-after")?.trim();
  if (given === undefined || given === "") return null;
  const wait = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 1_000), 3_600_000);
}

/**
 * The error for a reply that is no success, without its text, which may hold names.
 * @param what What we wanted, as in "the list of grade columns".
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
