import { NamedError } from "./errors.ts";

/** Details of a failure before anything was tried: it says nothing about the work, and is not counted against it. */
export function nothingTried(waitMs: number): { nothingTried: true; retryAfterMs: number } {
  return { nothingTried: true, retryAfterMs: waitMs };
}

/** How long to wait (ms) after such a failure; null for another one. */
export function waitIfNothingTried(thrown: unknown): number | null {
  if (!(thrown instanceof NamedError) || thrown.details["nothingTried"] !== true) return null;
  const wait = thrown.details["retryAfterMs"];
  return typeof wait === "number" ? wait : 0;
}
