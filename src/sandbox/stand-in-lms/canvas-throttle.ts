import type { Clock } from "../../kernel/clock.ts";
import type { Quirks } from "./quirks.ts";
import type { ServiceAnswer } from "./service-answer.ts";

type Throttle = NonNullable<Quirks["throttle"]>;
type Bucket = { level: number; at: number };

/** Counts what tools cost. */
export type CanvasThrottle = {
  /** Runs a call within its tool's bucket, or refuses it; without throttling it just runs. */
  run: (
    throttle: Throttle | null,
    clientId: string,
    work: () => ServiceAnswer | Promise<ServiceAnswer>,
  ) => Promise<ServiceAnswer>;
};

/** The bucket can hold no more than this much above the mark at which calls are refused. */
const headroom = 200;

/**
 * Canvas's request throttling: a call is refused while its tool's bucket is over the mark. Refusals are plain
 * text, cost nothing and name no time to wait.
 */
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
      before.level = Math.min(before.level + upFront, full + headroom);
      if (throttle.callMs > 0) await clock.sleep(throttle.callMs);
      const answer = await work();
      const after = bucketOf(throttle, clientId);
      after.level = Math.max(0, Math.min(after.level - upFront + cost, full + headroom));
      const headers = { "x-request-cost": String(cost), "x-rate-limit-remaining": remaining() };
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
}
