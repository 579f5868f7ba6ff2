import { NamedError } from "./errors.ts";

/** Whether a failed creation may have happened (`details.outcome` of the classroom client): it is not repeated. */
export function isOutcomeUnknown(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.details.outcome === "unknown";
}
