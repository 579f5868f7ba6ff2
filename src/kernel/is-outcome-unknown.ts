import { NamedError } from "./errors.ts";

/**
 * Whether a creation that failed may have happened all the same, because nobody answered (`details.outcome` of the
 * classroom client's errors). Such a thing is never made again by itself.
 */
export function isOutcomeUnknown(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.details.outcome === "unknown";
}
