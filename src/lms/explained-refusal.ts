import type { Registration } from "../domain/registration.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { productOf } from "./products/products.ts";
import { isThrottled, refusedBy } from "./reply-status.ts";
import type { LmsReply } from "./requester.ts";

/**
 * The error for a service's reply that is not a success, in words about what the product means by it where that is
 * known, else as `refusedBy` says it.
 */
export function explainedRefusal(
  registration: Registration,
  reply: LmsReply,
  what: string,
  now: number,
): NamedError {
  const told = isThrottled(reply) ? null : productOf(registration).services.explainRefusal(reply);
  if (told === null) return refusedBy(reply, what, now);
  return refusal(told.code, { status: 502, details: { status: reply.status } });
}
