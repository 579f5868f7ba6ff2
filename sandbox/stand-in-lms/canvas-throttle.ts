// From: request_throttle.rb, throttling.md.
import type { Clock } from "../../src/kernel/clock.ts";
import type { Quirks } from "./quirks.ts";
import type { ServiceAnswer } from "./service-answer.ts";

type Throttle = NonNullable<Quirks["throttle"]>;
type Bucket = { level: number; at: number };

export type CanvasThrottle = {
  /** Refuses, or runs within the tool's bucket. */
  run: (
    throttle: Throttle | null,
    clientId: string,
    work: () => ServiceAnswer | Promise<ServiceAnswer>,
  ) => Promise<ServiceAnswer>;
};

/** How far the bucket can fill above the refusing mark. */
const maxHeadroom = 200;

/** A call is refused while its tool's bucket is over the mark; refusals are plain text, cost nothing and name no time to wait. */
export function createCanvasThrottle(clock: Clock): CanvasThrottle {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (throttle: Throttle, clientId: string): Bucket => {
    const bucket = buckets.get(clientId) ?? { level: 0, at: clock.now() };
    const leaked = ((clock.now() - bucket.at) / 1000) * throttle.leakPerSecond;
    bucket.level = Math.max(0, bucket.level - leaked);
    bucket.at = clock.now();
    buckets.set(clientId, bucket);
    return bucket;
  };
  return {
    run: async (throttle, clientId, work) => {
      if (throttle === null) return work();
      const { full, upFront, cost } = throttle;
      const before = bucketOf(throttle, clientId);
      const remaining = () => String(Math.round((full - bucketOf(throttle, clientId).level) * 10) / 10);
      if (before.level >= full) {
        return {
          status: throttle.status,
          type: "text/plain; charset=utf-8",
          headers: { "x-rate-limit-remaining": "0.0" },
          body: `${throttle.status} ${throttle.status === 403 ? "Forbidden" : "Too Many Requests"} (Rate Limit Exceeded)\n`,
        };
      }
      before.level = Math.min(before.level + upFront, full + maxHeadroom);
      if (throttle.callMs > 0) await clock.sleep(throttle.callMs);
      const answer = await work();
      const after = bucketOf(throttle, clientId);
      after.level = Math.max(0, Math.min(after.level - upFront + cost, full + maxHeadroom));
      const headers = { "x-request-cost": String(cost), "x-rate-limit-remaining": remaining() };
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
}
