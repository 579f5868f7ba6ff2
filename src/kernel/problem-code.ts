import { NamedError } from "./errors.ts";
import { isOutcomeUnknown } from "./is-outcome-unknown.ts";

/** The code kept beside a classroom failure's sentence; "outcome-unknown" when it may have taken effect. */
export function problemCodeOf(thrown: unknown): string {
  if (isOutcomeUnknown(thrown)) return "outcome-unknown";
  return thrown instanceof NamedError ? thrown.code : "unexpected";
}
