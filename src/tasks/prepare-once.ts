import type { CallOptions } from "../classroom/create-reader.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import { type OnceOnly, stillBeingMade, type Claim, leaseMs, withClaim } from "../kernel/with-claim.ts";

export type Turn = {
  /** Aborts a call that still waits but is no longer needed. A request that has left is finished. */
  signal: AbortSignal;
  /** Called before a request waits for the throttle. */
  onWait: () => Promise<void>;
  /** Called when the request has its permit, before it is sent. Throws if another process is making the thing. */
  onPermit: () => Promise<void>;
};

const pollMs = 250;
const othersMakingMs = 5_000;

/**
 * Makes a thing before it is needed, once for all processes. Unlike `makeOnce`, it claims only when it has a permit, so a claim is held
 * only during a call. People who enter go first at the throttle, and so they never wait for this one. If they have made the thing by
 * then, it is used.
 * @param leave Aborts when this caller gives up. A request that has left is finished, or its thing would be made twice.
 * @throws whatever `make` throws; NamedError "still-being-made" (temporary) when another caller takes too long.
 */
export async function prepareOnce(
  deps: { clock: Clock; ids: Ids },
  once: Omit<OnceOnly, "make"> & { make: (turn: Turn) => Promise<string> },
  leave?: AbortSignal,
): Promise<string> {
  const existing = await once.read();
  if (existing !== null) return existing;
  const holder = deps.ids.id("hold");
  const unneeded = new AbortController();
  const claim: Claim = {
    until: Infinity,
    extend: async (until) => {
      if (hasClaim()) return once.extend(holder, until);
      if ((await once.read()) !== null) unneeded.abort(stillBeingMade());
      return true;
    },
  };
  const hasClaim = () => claim.until !== Infinity;
  const stop = () => {
    if (!hasClaim()) unneeded.abort(leave?.reason);
  };
  const release = async () => {
    if (hasClaim()) await once.release(holder);
    claim.until = Infinity;
  };
  const turn: Turn = {
    signal: unneeded.signal,
    // The service asked for a pause, so the claim is given back until the pause is over.
    onWait: async () => {
      await release();
      if (leave?.aborted === true) stop();
    },
    onPermit: async () => {
      const now = deps.clock.now();
      if (!(await once.claim(holder, now, now + leaseMs))) throw stillBeingMade();
      claim.until = now + leaseMs;
    },
  };
  leave?.addEventListener("abort", stop, { once: true });
  try {
    const made = await withClaim(deps, claim, () => once.make(turn));
    if (await once.keep(holder, made)) return made;
    throw stillBeingMade(); // the claim ran out, so another caller's thing counts
  } catch (thrown) {
    await release();
    const others = isBeingMade(thrown) ? await madeByOthers(deps, once) : await once.read();
    if (others !== null) return others;
    throw thrown;
  } finally {
    leave?.removeEventListener("abort", stop);
  }
}

/** Waits for the claim's holder, which usually gets its answer soon. */
async function madeByOthers({ clock }: { clock: Clock }, once: Pick<OnceOnly, "read" | "onOthersMake">) {
  await once.onOthersMake?.();
  const giveUpAt = clock.now() + othersMakingMs;
  for (;;) {
    const value = await once.read();
    if (value !== null || clock.now() >= giveUpAt) return value;
    await clock.sleep(pollMs);
  }
}

function isBeingMade(thrown: unknown): boolean {
  return thrown instanceof NamedError && ["still-being-made", "claim-lost"].includes(thrown.code);
}

/** Adds what a call must do in its turn to the caller's options. */
export function whenTurnComes(options: CallOptions, turn: Turn): CallOptions {
  return {
    ...options,
    ...turn,
    onPermit: async () => {
      await turn.onPermit();
      await options.onPermit?.();
    },
  };
}
