import { settingOf } from "../domain/account.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { whyUnreachable } from "../kernel/outside-reply.ts";
import { shapeOf } from "./read-reply.ts";

/** The failed call, in words ("creating a Space") and for logs. */
export type FailedCall = { operation: string; doing: string; environment: string };

/** No answer, or a 5xx. @param outcomeUnknown True if something may have been created anyway. */
export function unreachable(call: FailedCall, reason: string, outcomeUnknown: boolean): NamedError {
  const unknown = outcomeUnknown ? " It is not known whether it took effect." : "";
  return refusal("classroom-unreachable", {
    values: { doing: call.doing, reason: whyUnreachable(reason), unknown },
    status: 503,
    temporary: true,
    details: { ...call, reason, outcome: outcomeUnknown ? "unknown" : "not-done" },
  });
}

/** The service answered 429 for longer than we wait. */
export function busy(call: FailedCall, retryAfterMs: number): NamedError {
  return refusal("classroom-busy", {
    values: { doing: call.doing },
    status: 503,
    temporary: true,
    details: { ...call, retryAfterMs },
  });
}

export function unauthorized(call: FailedCall, status: number): NamedError {
  return refusal("classroom-unauthorized", {
    values: { doing: call.doing, status, variable: settingOf(call.environment, "API_KEY") },
    status: 502,
    details: { ...call, answer: status },
  });
}

/** The answer to one shape of a call. `reply` contains only the reply's structure. */
export type ShapeRefusal = { shape: string; status: number; reply: unknown };

/** `reply` in the details contains only the reply's structure. @param refusals The shapes whose body was refused. */
export function refused(
  call: FailedCall,
  status: number,
  reply: unknown,
  refusals: readonly ShapeRefusal[] = [],
): NamedError {
  const ways = refusals.length > 1 ? `, in each of the ${refusals.length} ways that are known` : "";
  return refusal("classroom-refused", {
    values: { doing: call.doing, status, ways },
    status: 502,
    details: { ...call, answer: status, reply: shapeOf(reply), ...(refusals.length > 1 ? { refusals } : {}) },
  });
}

/** For a user without an e-mail address, which may be why the service refused them. @param answer The error made from its answer. */
export function wantsEmail(answer: NamedError): NamedError {
  return refusal("classroom-wants-email", { status: 502, details: answer.details });
}

/** The reply lacks a required field, or isn't JSON. The details contain only its structure. */
export function unreadable(call: FailedCall, missing: string, reply: unknown, outcomeUnknown: boolean) {
  return refusal("classroom-reply-unreadable", {
    values: { doing: call.doing, missing },
    status: 502,
    details: { ...call, missing, reply: shapeOf(reply), outcome: outcomeUnknown ? "unknown" : "not-done" },
  });
}

/** The `url` of authorize leads to a foreign origin, and would carry a person's login there. */
export function foreignLogin(call: FailedCall, origin: string): NamedError {
  return refusal("classroom-login-elsewhere", {
    values: { origin },
    status: 502,
    details: { ...call, origin },
  });
}
