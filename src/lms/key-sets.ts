import { type CryptoKey as JoseKey, importJWK } from "jose";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { LaunchRefusal } from "./launch-refusal.ts";
import { createRequester, jsonOf } from "./requester.ts";

/** An RSA key an LMS publishes, ready to verify with. */
export type PlatformKey = { jwk: PlatformJwk; key: JoseKey };

/** The public numbers of a key, without anything that could lead elsewhere. */
export type PlatformJwk = { kty: "RSA"; kid: string; n: string; e: string; alg: "RS256"; use: "sig" };

export type KeySets = {
  /**
   * The key that `kid` names in the set at `jwksUrl`.
   * @throws LaunchRefusal "token-key-unknown", or "platform-keys-unreachable" when the LMS does not answer.
   */
  keyFor: (jwksUrl: string, kid: string) => Promise<PlatformKey>;
};

const fresh = 10 * 60_000;
/** Known keys go on working this long while the LMS does not answer. */
const usableWhenStale = 60 * 60_000;
/** An unknown `kid`, or an LMS that is down, causes at most one request in this time. */
const pauseBetweenFetches = 5_000;
const limits = { timeoutMs: 5_000, maxBytes: 256 * 1024 };
const maxSets = 2_000;

const jwkSet = z.object({ keys: z.array(z.unknown()).max(100) });
const rsaKey = z.object({
  kty: z.literal("RSA"),
  kid: z.string().min(1),
  n: z.string().min(1),
  e: z.string().min(1),
  use: z.literal("sig").optional(),
  alg: z.literal("RS256").optional(),
});

type KeySet = { keys: Map<string, PlatformKey>; fetchedAt: number; triedAt: number };

/**
 * Key sets of LMSs: remembered for ten minutes, fetched again when a key is unknown, one request at a time for
 * each address, bounded in size. An LMS never reuses a `kid`, so a cached key stays right (Security 1.0, 6.3).
 */
export function createKeySets(deps: { fetch: typeof fetch; clock: Clock }): KeySets {
  const { clock } = deps;
  const request = createRequester(deps.fetch, limits);
  const sets = new Map<string, KeySet>();
  const underWay = new Map<string, Promise<KeySet>>();

  const fetchSet = async (jwksUrl: string): Promise<KeySet> => {
    const before = sets.get(jwksUrl);
    const started = clock.now();
    try {
      const reply = await request({
        method: "GET",
        url: jwksUrl,
        headers: { accept: "application/json, application/jwk-set+json" },
      });
      if (reply.status !== 200) throw new NamedError("jwks-status", `The key set answered ${reply.status}.`);
      const set = { keys: await keysOf(jsonOf(reply)), fetchedAt: started, triedAt: started };
      remember(sets, jwksUrl, set);
      return set;
    } catch (thrown) {
      const failed = { keys: before?.keys ?? new Map(), fetchedAt: before?.fetchedAt ?? 0, triedAt: started };
      remember(sets, jwksUrl, failed);
      throw new LaunchRefusal("platform-keys-unreachable", { host: URL.parse(jwksUrl)?.host }, thrown);
    }
  };

  const fetchOnce = (jwksUrl: string): Promise<KeySet> => {
    const running = underWay.get(jwksUrl);
    if (running !== undefined) return running;
    const started = fetchSet(jwksUrl).finally(() => underWay.delete(jwksUrl));
    underWay.set(jwksUrl, started);
    return started;
  };

  /** The key from what is in memory: usable at once, usable while the LMS is down, or not there. */
  const remembered = (jwksUrl: string, kid: string) => {
    const set = sets.get(jwksUrl);
    const age = clock.now() - (set?.fetchedAt ?? 0);
    const key = set?.keys.get(kid);
    return {
      fresh: age < fresh ? key : undefined,
      stale: age < usableWhenStale ? key : undefined,
      setIsFresh: age < fresh,
      triedJustNow: clock.now() - (set?.triedAt ?? 0) < pauseBetweenFetches && !underWay.has(jwksUrl),
    };
  };

  return {
    keyFor: async (jwksUrl, kid) => {
      const known = remembered(jwksUrl, kid);
      if (known.fresh !== undefined) return known.fresh;
      if (known.triedJustNow) {
        if (known.stale !== undefined) return known.stale;
        throw new LaunchRefusal(known.setIsFresh ? "token-key-unknown" : "platform-keys-unreachable");
      }
      let set: KeySet;
      try {
        set = await fetchOnce(jwksUrl);
      } catch (thrown) {
        if (known.stale !== undefined) return known.stale;
        throw thrown;
      }
      const found = set.keys.get(kid);
      if (found === undefined) throw new LaunchRefusal("token-key-unknown");
      return found;
    },
  };
}

function remember(sets: Map<string, KeySet>, jwksUrl: string, set: KeySet): void {
  sets.delete(jwksUrl);
  sets.set(jwksUrl, set);
  const oldest = sets.keys().next();
  if (sets.size > maxSets && oldest.done !== true) sets.delete(oldest.value);
}

async function keysOf(body: unknown): Promise<Map<string, PlatformKey>> {
  const found = new Map<string, PlatformKey>();
  for (const entry of jwkSet.parse(body).keys) {
    const parsed = rsaKey.safeParse(entry); // other kinds of keys may stand beside ours
    if (!parsed.success) continue;
    const { kid, n, e } = parsed.data;
    const jwk: PlatformJwk = { kty: "RSA", kid, n, e, alg: "RS256", use: "sig" };
    const key = await importJWK(jwk, "RS256").catch(() => null);
    if (key !== null && !(key instanceof Uint8Array)) found.set(kid, { jwk, key });
  }
  return found;
}
