import { NamedError } from "../kernel/errors.ts";
import { shapeOf } from "./read-reply.ts";

/** The failed call, in words ("creating a Space") and for logs. */
export type FailedCall = { operation: string; doing: string; environment: string };

/**
 * No answer, or a 5xx.
 * @param outcomeUnknown True when something may have been created.
 */
export function unreachable(call: FailedCall, reason: string, outcomeUnknown: boolean): NamedError {
  const unknown = outcomeUnknown ? " It is not known whether it took effect." : "";
  return new NamedError(
    "classroom-unreachable",
    `The classroom service did not answer while ${call.doing} (${reason}).${unknown} Try again in a minute.`,
    {
      status: 503,
      temporary: true,
      details: { ...call, reason, outcome: outcomeUnknown ? "unknown" : "not-done" },
    },
  );
}

/** The service answered 429 for longer than we wait. */
export function busy(call: FailedCall, retryAfterMs: number): NamedError {
  return new NamedError(
    "classroom-busy",
    `The classroom service asked us to slow down while ${call.doing}. Try again in a minute.`,
    { status: 503, temporary: true, details: { ...call, retryAfterMs } },
  );
}

/** The service does not accept the API key. */
export function unauthorized(call: FailedCall, status: number): NamedError {
  const variable = call.environment === "staging" ? "CLASSROOM_STAGING_API_KEY" : "CLASSROOM_API_KEY";
  return new NamedError(
    "classroom-unauthorized",
    `The classroom service refused the API key while ${call.doing} (status ${status}). An operator should check ${variable}.`,
    { status: 502, details: { ...call, answer: status } },
  );
}

/** The answer to one shape of a call; `reply` holds only its shape. */
export type ShapeRefusal = { shape: string; status: number; reply: unknown };

/**
 * The service refused the call itself; `reply` holds only its shape.
 * @param refusals The answers to the shapes whose body was refused.
 */
export function refused(
  call: FailedCall,
  status: number,
  reply: unknown,
  refusals: readonly ShapeRefusal[] = [],
): NamedError {
  const ways = refusals.length > 1 ? `, in each of the ${refusals.length} ways that are known` : "";
  return new NamedError(
    "classroom-refused",
    `The classroom service refused ${call.doing} (status ${status})${ways}. An operator finds the details in the log.`,
    {
      status: 502,
      details: {
        ...call,
        answer: status,
        reply: shapeOf(reply),
        ...(refusals.length > 1 ? { refusals } : {}),
      },
    },
  );
}

/**
 * The service refused to make a user without an e-mail address, perhaps for that reason.
 * @param refusal The error made of its answer.
 */
export function wantsEmail(refusal: NamedError): NamedError {
  return new NamedError(
    "classroom-wants-email",
    'The classroom service refused to make a user for somebody whose e-mail address the LMS does not tell. If it wants an address, an operator lets the LMS tell this tool addresses, or sets email.synthetic in the dialect file (CLASSROOM_DIALECT), such as "{reference}@learners.example.edu" under a domain of their own.',
    { status: 502, details: refusal.details },
  );
}

/** The reply lacks a needed field, or is not JSON; `reply` holds only its shape. */
export function unreadable(
  call: FailedCall,
  missing: string,
  reply: unknown,
  outcomeUnknown: boolean,
): NamedError {
  return new NamedError(
    "classroom-reply-unreadable",
    `The classroom service answered ${call.doing} without ${missing}. An operator can name its place in the dialect file (CLASSROOM_DIALECT).`,
    {
      status: 502,
      details: {
        ...call,
        missing,
        reply: shapeOf(reply),
        outcome: outcomeUnknown ? "unknown" : "not-done",
      },
    },
  );
}

/** authorize's `url` leads to a foreign origin: it would carry a person's login there. */
export function foreignLogin(call: FailedCall, origin: string): NamedError {
  return new NamedError(
    "classroom-login-elsewhere",
    `The classroom service wants to send people to ${origin}, which is not CLASSROOM_APP_URL. If that is right, an operator adds the origin to loginOrigins in the dialect file.`,
    { status: 502, details: { ...call, origin } },
  );
}
