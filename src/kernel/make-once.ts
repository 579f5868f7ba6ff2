import type { Clock } from "./clock.ts";
import { NamedError } from "./errors.ts";
import type { Ids } from "./ids.ts";
import { refusal } from "./refusal.ts";
import { leaseMs, withClaim } from "./with-claim.ts";

/** Something that must exist once, made by the holder of the claim on its record. */
export type OnceOnly = {
  read: () => Promise<string | null>;
  claim: (holder: string, now: number, until: number) => Promise<boolean>;
  /** @returns false when the claim was lost. */
  extend: (holder: string, until: number) => Promise<boolean>;
  /** The result is kept only while the claim holds. */
  make: () => Promise<string>;
  keep: (holder: string, value: string) => Promise<boolean>;
  release: (holder: string) => Promise<void>;
  onOthersMake?: (() => void | Promise<void>) | undefined;
};

const pollMs = 60;
const timeoutMs = 45_000;

/**
 * Makes a thing once, over all processes that share the store: one caller claims and makes it, the others wait and read
 * it. A crashed maker's claim runs out; a failed one gives it back, and the next waiter tries.
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
      continue; // the claim ran out, and another caller's thing is the one
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
    // A claim that cannot be given back expires. The caller needs to hear why making failed.
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
