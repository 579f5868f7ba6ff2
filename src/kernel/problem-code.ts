import { NamedError } from "./errors.ts";
import { isOutcomeUnknown } from "./is-outcome-unknown.ts";

/**
 * Under which code a failure of a call to the classroom is kept beside its English sentence: the error's own;
 * "outcome-unknown" when it may have taken effect all the same, "unexpected" when something broke on our side.
 */
export function problemCodeOf(thrown: unknown): string {
  if (isOutcomeUnknown(thrown)) return "outcome-unknown";
  return thrown instanceof NamedError ? thrown.code : "unexpected";
}
