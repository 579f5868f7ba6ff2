import { importJWK, type CryptoKey as JoseKey } from "jose";
import { z } from "zod";
import { type Clock, dayMs } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { rememberIn } from "../kernel/lists.ts";
import { LaunchRefusal } from "../domain/launch-refusal.ts";
import { keyFetchPauseMs, maxKeySets, maxPublishedKeys, staleKeysMs } from "./limits.ts";
import { createRequester, jsonOf, type LmsReply } from "./requester.ts";

type PlatformKey = { jwk: PlatformJwk; key: JoseKey };

export type KeySets = ReturnType<typeof createKeySets>;

/** How long a key set is fresh (ms): `usual` without `max-age`, and the bounds of `max-age`. */
const fresh = { usual: 10 * 60_000, min: 60_000, max: dayMs };
const limits = { timeoutMs: 5_000, maxBytes: 256 * 1024 };

type KeySet = {
  keys: readonly PublishedKey[];
  freshUntil: number;
  usableUntil: number;
  /** No request before this moment (ms), because the last one failed or didn't bring the key. */
  pausedUntil: number;
};

/**
 * Key sets of LMSs: cached by `max-age`, fetched again for an unknown key, one request at a time for each address, limited in size.
 * An LMS never reuses a `kid` (Security 1.0, 6.3), so a cached key is valid until its set expires.
 */
export function createKeySets(deps: { fetch: typeof fetch; clock: Clock }) {
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
      // A reply without usable keys is broken, and must not replace keys that worked a minute ago.
      if (keys.length === 0) throw refusal("jwks-empty");
      const set = { keys, freshUntil, usableUntil: freshUntil + staleKeysMs, pausedUntil: 0 };
      rememberIn(sets, maxKeySets, jwksUrl, set);
      return set;
    } catch (thrown) {
      rememberIn(sets, maxKeySets, jwksUrl, {
        ...(before ?? neverSeen),
        pausedUntil: started + keyFetchPauseMs,
      });
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

  /** Fetches the set and returns its keys with this name. */
  const fetchedKeys = async (jwksUrl: string, kid: string): Promise<PublishedKey[]> => {
    const set = await fetchOnce(jwksUrl);
    const found = named(set, kid);
    if (found.length > 0) return found;
    set.pausedUntil = clock.now() + keyFetchPauseMs;
    throw new LaunchRefusal("token-key-unknown");
  };

  return {
    /**
     * The key named `kid` in the set at `jwksUrl`, for use with `algorithm` (default: RS256).
     * @throws LaunchRefusal "token-key-unknown", "token-algorithm" (the key is for another algorithm), "platform-keys-unreachable"
     */
    keyFor: async (jwksUrl: string, kid: string, algorithm: LaunchAlgorithm = "RS256") => {
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

/** `max-age` in ms, within bounds. Ignores `no-cache` and `no-store`, because PHP sends them with every page. */
function freshFor({ headers }: LmsReply): number {
  const [, seconds] = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,10})/i.exec(headers.get("cache-control") ?? "") ?? [];
  if (seconds === undefined) return fresh.usual;
  return Math.min(Math.max(Number(seconds) * 1000, fresh.min), fresh.max);
}

/** Keys of different types may have the same name. */
async function fitting(keys: readonly PublishedKey[], algorithm: LaunchAlgorithm): Promise<PlatformKey> {
  for (const published of keys) {
    const key = await published.importFor(algorithm);
    if (key !== null) return key;
  }
  throw new LaunchRefusal("token-algorithm");
}

/** Security 1.1 allows RS and ES, 256 to 512. We never accept a shared secret. */
const algorithms = {
  RS256: { kty: "RSA" },
  RS384: { kty: "RSA" },
  RS512: { kty: "RSA" },
  ES256: { kty: "EC", crv: "P-256" },
  ES384: { kty: "EC", crv: "P-384" },
  ES512: { kty: "EC", crv: "P-521" },
} as const;

export type LaunchAlgorithm = keyof typeof algorithms;

/** The public numbers of a key and its use, and nothing that could lead to another address. */
type PlatformJwk = { kid: string; alg: LaunchAlgorithm; use: "sig" } & (
  | { kty: "RSA"; n: string; e: string }
  | { kty: "EC"; crv: string; x: string; y: string }
);

type PublishedKey = {
  kid: string;
  /** Null if the type, the curve or the entry's own `alg` doesn't fit. */
  importFor: (algorithm: LaunchAlgorithm) => Promise<{ jwk: PlatformJwk; key: JoseKey } | null>;
};

export function isLaunchAlgorithm(name: unknown): name is LaunchAlgorithm {
  return typeof name === "string" && Object.hasOwn(algorithms, name);
}

/** At most 8,192 bits, because a longer number would make every launch slow. */
const number = z.string().regex(/^[\w-]{1,1366}$/);
/** At least 2,048 bits; less isn't considered safe. */
const modulus = number.min(342);

const common = {
  kid: z.string().min(1).max(1024),
  use: z.literal("sig").optional(),
  alg: z.string().optional(),
  key_ops: z.array(z.unknown()).optional(),
  /** A key whose private half is published proves nothing. */
  d: z.undefined().optional(),
};
const publishedKey = z.discriminatedUnion("kty", [
  z.object({ ...common, kty: z.literal("RSA"), n: modulus, e: number.max(8) }),
  z.object({ ...common, kty: z.literal("EC"), crv: z.string(), x: number, y: number }),
]);
const keySet = z.object({ keys: z.array(z.unknown()) });

/** The keys of a JWK set that can verify a launch; empty if the body isn't a key set. */
export function publishedKeys(body: unknown): PublishedKey[] {
  const entries = keySet.safeParse(body).data?.keys ?? [];
  return entries.slice(0, maxPublishedKeys).flatMap((entry) => {
    const parsed = publishedKey.safeParse(entry);
    if (!parsed.success) return [];
    const { key_ops: uses } = parsed.data;
    return uses === undefined || uses.includes("verify") ? [toPublished(parsed.data)] : [];
  });
}

function toPublished(published: z.infer<typeof publishedKey>): PublishedKey {
  const imported = new Map<LaunchAlgorithm, ReturnType<PublishedKey["importFor"]>>();
  const importNow: PublishedKey["importFor"] = async (alg) => {
    const jwk = jwkFor(published, alg);
    if (jwk === null) return null;
    const key = await importJWK(jwk, alg).catch(() => null);
    return key === null || key instanceof Uint8Array ? null : { jwk, key };
  };
  return {
    kid: published.kid,
    importFor: (alg) => {
      const known = imported.get(alg) ?? importNow(alg);
      imported.set(alg, known);
      return known;
    },
  };
}

function jwkFor(published: z.infer<typeof publishedKey>, alg: LaunchAlgorithm): PlatformJwk | null {
  const { kid } = published;
  const expected = algorithms[alg];
  if (published.alg !== undefined && published.alg !== alg) return null;
  if (published.kty === "RSA") {
    const { n, e } = published;
    return expected.kty === "RSA" ? { kty: "RSA", kid, n, e, alg, use: "sig" } : null;
  }
  const { crv, x, y } = published;
  return expected.kty === "EC" && expected.crv === crv
    ? { kty: "EC", kid, crv, x, y, alg, use: "sig" }
    : null;
}
