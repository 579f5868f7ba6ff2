import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock.ts";
import { refusal } from "./refusal.ts";

/** How long a claim holds without a beat: a crashed holder's work is taken over after this. */
export const leaseMs = 10_000;
const heartbeatMs = 3_000;
/** A claim that ends this soon missed two beats: its process was stopped, or its store was away. */
const inDoubtMs = 3_000;

export type Claim = {
  /** When it runs out (ms); 0 where its holder does not know, `Infinity` while nothing is held. */
  until: number;
  /** Extends it to the given moment. @returns false when another process holds it now */
  extend: (until: number) => Promise<boolean>;
};

type ActiveClaim = { check: () => Promise<void>; outer: ActiveClaim | undefined };
const activeClaim = new AsyncLocalStorage<ActiveClaim>();

/**
 * Works under a claim and extends it, so that claims can be short (a crash costs seconds).
 * @param claim Changed by extending it. A failure is tried again at the next beat.
 */
export async function withClaim<T>({ clock }: { clock: Clock }, claim: Claim, work: () => Promise<T>) {
  const done = new AbortController();
  const extend = async () => {
    const until = clock.now() + leaseMs;
    const extended = await claim.extend(until);
    if (claim.until !== Infinity) claim.until = extended ? until : 0;
    return extended;
  };
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatMs, done.signal);
      await extend().catch(() => undefined);
    }
  };
  const check = async () => {
    if (claim.until - clock.now() > inDoubtMs || (await extend())) return;
    throw refusal("claim-lost", { status: 503, temporary: true });
  };
  const beating = beat().catch(() => undefined); // ends by the abort below
  try {
    return await activeClaim.run({ check, outer: activeClaim.getStore() }, work);
  } finally {
    done.abort();
    await beating;
  }
}

/**
 * Before a request leaves: what it is made for must still be this process's turn, however long that was stopped.
 * @throws NamedError "claim-lost" (temporary), or what the store throws
 */
export async function requireClaims(): Promise<void> {
  for (let one = activeClaim.getStore(); one !== undefined; one = one.outer) await one.check();
}
