import type { Registration } from "../domain/registration.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { productOf } from "./products/products.ts";
import { isThrottled, refusedBy } from "./reply-status.ts";
import type { LmsReply } from "./requester.ts";

/** A service's error in the product's terms where they are known, else as `refusedBy`. */
export function explainedRefusal(
  registration: Registration,
  reply: LmsReply,
  what: string,
  now: number,
): NamedError {
  const explanation = isThrottled(reply) ? null : productOf(registration).services.explainRefusal(reply);
  if (explanation === null) return refusedBy(reply, what, now);
  return refusal(explanation.code, { status: 502, details: { status: reply.status } });
}
