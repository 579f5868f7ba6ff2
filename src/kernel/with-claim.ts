import { AsyncLocalStorage } from "node:async_hooks";
import { type Clock, woken } from "./clock.ts";
import { refusal } from "./refusal.ts";
import { NamedError } from "./errors.ts";
import type { Ids } from "./ids.ts";

/** How long a claim lasts without a heartbeat (ms). Then another process takes over a crashed holder's work. */
export const leaseMs = 10_000;
const heartbeatMs = 3_000;
/** A claim that ends this soon missed two heartbeats: its process was paused, or its store was away. */
const inDoubtMs = 3_000;

export type Claim = {
  /** When it runs out (ms): 0 if its holder doesn't know, `Infinity` while nothing is claimed. */
  until: number;
  /** Extends the claim until the given moment. @returns false when another process holds it now */
  extend: (until: number) => Promise<boolean>;
};

type ActiveClaim = { check: () => Promise<void>; outer: ActiveClaim | undefined };
const activeClaim = new AsyncLocalStorage<ActiveClaim>();

/**
 * Runs work under a claim and keeps extending the claim, so claims can be short (a crash costs seconds).
 * @param claim Its `until` is updated. A failed extension is tried again at the next heartbeat.
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
    done.abort(woken);
    await beating;
  }
}

/** Claims the work that has been due longest in a store's queue, and does it under the claim. @returns false when nothing was due */
export async function workOnDue<Due extends { id: string }>(
  deps: { clock: Clock; ids: Ids },
  queue: {
    claimDue: (holder: string, now: number, until: number) => Promise<Due | null>;
    extend: (id: string, holder: string, until: number) => Promise<boolean>;
  },
  work: (due: Due, holder: string) => Promise<void>,
): Promise<boolean> {
  const holder = deps.ids.id("hold");
  const now = deps.clock.now();
  const until = now + leaseMs;
  const due = await queue.claimDue(holder, now, until);
  if (due === null) return false;
  await withClaim(deps, { until, extend: (to) => queue.extend(due.id, holder, to) }, () => work(due, holder));
  return true;
}

/**
 * To be called before a request leaves: this process must still hold the claims it works under, however long it was paused.
 * @throws NamedError "claim-lost" (temporary), or what the store throws
 */
export async function requireClaims(): Promise<void> {
  for (let one = activeClaim.getStore(); one !== undefined; one = one.outer) await one.check();
}

/** Something that must exist once. The holder of the claim on its record makes it. */
export type OnceOnly = {
  read: () => Promise<string | null>;
  claim: (holder: string, now: number, until: number) => Promise<boolean>;
  /** @returns false when the claim was lost. */
  extend: (holder: string, until: number) => Promise<boolean>;
  /** The result is kept only if the claim still holds. */
  make: () => Promise<string>;
  keep: (holder: string, value: string) => Promise<boolean>;
  release: (holder: string) => Promise<void>;
  onOthersMake?: (() => void | Promise<void>) | undefined;
};

const pollMs = 60;
const timeoutMs = 45_000;

/**
 * Makes a thing once for all processes that share the store. One caller claims and makes it; the others wait and read it. A crashed
 * maker's claim runs out. A failed maker gives its claim back, and the next waiter tries.
 * @throws whatever `make` throws; NamedError "still-being-made" (temporary) when another caller takes too long.
 */
export async function makeOnce(deps: { clock: Clock; ids: Ids }, once: OnceOnly): Promise<string> {
  const { clock, ids } = deps;
  const holder = ids.id("hold");
  const started = clock.now();
  for (;;) {
    const existing = await once.read();
    if (existing !== null) return existing;
    const now = clock.now();
    const until = now + leaseMs;
    if (await once.claim(holder, now, until)) {
      const made = await madeUnderClaim(deps, once, { holder, until });
      if (await once.keep(holder, made)) return made;
      continue; // the claim ran out, so another caller's thing counts
    }
    await once.onOthersMake?.();
    if (now - started > timeoutMs) throw stillBeingMade();
    await clock.sleep(pollMs);
  }
}

async function madeUnderClaim(
  deps: { clock: Clock },
  once: OnceOnly,
  { holder, until }: { holder: string; until: number },
): Promise<string> {
  try {
    return await withClaim(deps, { until, extend: (to) => once.extend(holder, to) }, once.make);
  } catch (thrown) {
    // A claim that can't be given back expires. The caller needs to hear why making failed.
    await once.release(holder).catch(() => undefined);
    if (!(thrown instanceof NamedError && thrown.code === "claim-lost")) throw thrown;
    const others = await once.read();
    if (others === null) throw stillBeingMade();
    return others;
  }
}

export function stillBeingMade(): NamedError {
  return refusal("still-being-made", { status: 503, temporary: true });
}
