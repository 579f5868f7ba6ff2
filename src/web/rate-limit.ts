import type { Request, RequestHandler } from "express";
import { addressBlock } from "../modules/operations/rules/address-block.ts";
import {
  after,
  type Allowance,
  type Bucket,
  leftOf,
  waitFor,
} from "../modules/operations/rules/token-bucket.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Logger } from "../kernel/logger.ts";

export type RateLimitDeps = {
  clock: Pick<Clock, "now">;
  logger: Logger;
  /** For the metrics: somebody was refused at a door. */
  onLimited?: ((door: string) => void) | undefined;
};

/** So many addresses are remembered; those not seen for longest are forgotten first. */
const mostAddresses = 20_000;
/** Of a flood, one line in so many milliseconds. */
const saidEvery = 60_000;

/**
 * How often one address may fail at a door: refuses with 429 whoever has nothing left, before anything is read, and counts
 * the requests of the rest that were the sender's fault (4xx). Who does nothing wrong is never refused for what others behind
 * their address do right. Kept in this process: several instances allow as much each. Nothing that a secret depends on is
 * guarded by this alone (the password's tries are counted in the store); it bounds what one address can make us do.
 */
export function createRateLimit(deps: RateLimitDeps, door: string, allowance: Allowance): RequestHandler {
  const buckets = new Map<string, Bucket>();
  let refused = 0;
  let saidAt = -Infinity;

  const take = (key: string): void => {
    const bucket = after(buckets.get(key), allowance, 1, deps.clock.now());
    buckets.delete(key);
    buckets.set(key, bucket); // a map keeps its order: the first is the one not touched for longest
    if (buckets.size > mostAddresses) buckets.delete(buckets.keys().next().value ?? "");
  };
  const say = (): void => {
    refused += 1;
    deps.onLimited?.(door);
    const now = deps.clock.now();
    if (now - saidAt < saidEvery) return;
    deps.logger.warn({ door, refused }, "one address asks too much, and is refused for a while");
    saidAt = now;
    refused = 0;
  };
  return (request, response, next) => {
    const key = keyOf(request);
    const left = leftOf(buckets.get(key), allowance, deps.clock.now());
    if (left < 1) {
      say();
      response.set("Retry-After", String(Math.ceil(waitFor(left, allowance) / 1000)));
      throw tooMany();
    }
    // "finish" never comes when the client has not waited, and "close" may come before the answer is known.
    response.on("prefinish", () => {
      if (response.statusCode >= 400 && response.statusCode < 500) take(key);
    });
    next();
  };
}

/** The address as TRUST_PROXY says to read it. */
function keyOf(request: Request): string {
  return addressBlock(request.ip ?? "");
}

function tooMany(): NamedError {
  return refusal("too-many-requests", { status: 429, temporary: true });
}
