import type { Clock } from "./clock.ts";

/** How long a claim holds without a beat: a crashed holder's work is taken over after this. */
export const leaseMs = 10_000;
const heartbeatMs = 3_000;

/**
 * Works under a claim and extends it, so that claims can be short (a crash costs seconds).
 * @param extend Extends the claim to the given moment; a failure is tried again at the next beat.
 */
export async function withClaim<T>(
  { clock }: { clock: Clock },
  extend: (until: number) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatMs, done.signal);
      await extend(clock.now() + leaseMs).catch(() => undefined);
    }
  };
  const beating = beat().catch(() => undefined); // ends by the abort below
  try {
    return await work();
  } finally {
    done.abort();
    await beating;
  }
}
