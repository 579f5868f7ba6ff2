import type { CryptoKey as JoseKey } from "jose";
import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { LaunchRefusal } from "./launch-refusal.ts";
import { type LaunchAlgorithm, type PlatformJwk, type PublishedKey, publishedKeys } from "./platform-keys.ts";
import { createRequester, jsonOf, type LmsReply } from "./requester.ts";
import { keyFetchPauseMs, maxKeySets, staleKeysMs } from "./limits.ts";

export type { PlatformJwk };

export type PlatformKey = { jwk: PlatformJwk; key: JoseKey };

export type KeySets = {
  /**
   * The key named `kid` in the set at `jwksUrl` that signs with `algorithm` (RS256 when left out).
   * @throws LaunchRefusal "token-key-unknown", "token-algorithm" (the key is for another one),
   *   "platform-keys-unreachable"
   */
  keyFor: (jwksUrl: string, kid: string, algorithm?: LaunchAlgorithm) => Promise<PlatformKey>;
};

/** How long a set is fresh without `max-age`, and its bounds. */
const fresh = { usual: 10 * 60_000, least: 60_000, most: 24 * 60 * 60_000 };
const limits = { timeoutMs: 5_000, maxBytes: 256 * 1024 };

type KeySet = {
  keys: readonly PublishedKey[];
  freshUntil: number;
  usableUntil: number;
  /** No request until then: the last one failed, or did not bring the key. */
  pausedUntil: number;
};

/**
 * Key sets of LMSs: cached by `max-age`, fetched again for an unknown key, one request at a time for each address,
 * bounded in size. An LMS never reuses a `kid` (Security 1.0, 6.3), so a cached key stays right until it goes with its
 * set.
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
      if (reply.status !== 200) throw refusal("jwks-status", { values: { status: reply.status } });
      const freshUntil = started + freshFor(reply);
      const keys = publishedKeys(jsonOf(reply));
      // Nothing usable is a broken answer: it must not replace keys that worked a minute ago.
      if (keys.length === 0) throw refusal("jwks-empty");
      const set = { keys, freshUntil, usableUntil: freshUntil + staleKeysMs, pausedUntil: 0 };
      remember(sets, jwksUrl, set);
      return set;
    } catch (thrown) {
      remember(sets, jwksUrl, { ...(before ?? neverSeen), pausedUntil: started + keyFetchPauseMs });
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

  /** The keys of that name in a newly fetched set. */
  const fetchedKeys = async (jwksUrl: string, kid: string): Promise<PublishedKey[]> => {
    const set = await fetchOnce(jwksUrl);
    const found = named(set, kid);
    if (found.length > 0) return found;
    set.pausedUntil = clock.now() + keyFetchPauseMs;
    throw new LaunchRefusal("token-key-unknown");
  };

  return {
    keyFor: async (jwksUrl, kid, algorithm = "RS256") => {
      const now = clock.now();
      const set = sets.get(jwksUrl) ?? neverSeen;
      const known = now < set.usableUntil ? named(set, kid) : [];
      const isFresh = now < set.freshUntil;
      if (isFresh && known.length > 0) return fitting(known, algorithm);
      try {
        if (now < set.pausedUntil && !underWay.has(jwksUrl)) {
          throw new LaunchRefusal(isFresh ? "token-key-unknown" : "platform-keys-unreachable");
        }
        return await fitting(await fetchedKeys(jwksUrl, kid), algorithm);
      } catch (thrown) {
        if (known.length > 0 && isUnreachable(thrown)) return fitting(known, algorithm);
        throw thrown;
      }
    },
  };
}

const neverSeen: KeySet = { keys: [], freshUntil: 0, usableUntil: 0, pausedUntil: 0 };

function isUnreachable(thrown: unknown): boolean {
  return thrown instanceof LaunchRefusal && thrown.refusal === "platform-keys-unreachable";
}

function named(set: KeySet, kid: string): PublishedKey[] {
  return set.keys.filter((key) => key.kid === kid);
}

/** `max-age` in ms, within bounds. `no-cache` and `no-store` are ignored: PHP sends them with every page. */
function freshFor({ headers }: LmsReply): number {
  const [, seconds] = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,10})/i.exec(headers.get("cache-control") ?? "") ?? [];
  if (seconds === undefined) return fresh.usual;
  return Math.min(Math.max(Number(seconds) * 1000, fresh.least), fresh.most);
}

/** Keys of different types may share a name. */
async function fitting(keys: readonly PublishedKey[], algorithm: LaunchAlgorithm): Promise<PlatformKey> {
  for (const published of keys) {
    const key = await published.importFor(algorithm);
    if (key !== null) return key;
  }
  throw new LaunchRefusal("token-algorithm");
}

function remember(sets: Map<string, KeySet>, jwksUrl: string, set: KeySet): void {
  sets.delete(jwksUrl);
  sets.set(jwksUrl, set);
  const oldest = sets.keys().next();
  if (sets.size > maxKeySets && oldest.done !== true) sets.delete(oldest.value);
}
