import { type CryptoKey as JoseKey, importJWK } from "jose";
import { z } from "zod";
import { maxPublishedKeys } from "./limits.ts";

/** Security 1.1: RS and ES, 256 to 512; never a shared secret. */
const algorithms = {
  RS256: { kty: "RSA" },
  RS384: { kty: "RSA" },
  RS512: { kty: "RSA" },
  ES256: { kty: "EC", crv: "P-256" },
  ES384: { kty: "EC", crv: "P-384" },
  ES512: { kty: "EC", crv: "P-521" },
} as const;

export type LaunchAlgorithm = keyof typeof algorithms;

/** The public numbers of a key, without anything that could lead elsewhere, and what it is used with. */
export type PlatformJwk = { kid: string; alg: LaunchAlgorithm; use: "sig" } & (
  { kty: "RSA"; n: string; e: string } | { kty: "EC"; crv: string; x: string; y: string }
);

export type PublishedKey = {
  kid: string;
  /** Null when type, curve or the entry's own `alg` does not fit. */
  importFor: (algorithm: LaunchAlgorithm) => Promise<{ jwk: PlatformJwk; key: JoseKey } | null>;
};

export function isLaunchAlgorithm(name: unknown): name is LaunchAlgorithm {
  return typeof name === "string" && Object.hasOwn(algorithms, name);
}

/** At most 8,192 bits: a longer number would make every launch slow. */
const number = z.string().regex(/^[\w-]{1,1366}$/);
/** 2,048 bits, the least that counts as safe. */
const modulus = number.min(342);

const common = {
  kid: z.string().min(1).max(1024),
  use: z.literal("sig").optional(),
  alg: z.string().optional(),
  key_ops: z.array(z.unknown()).optional(),
  /** With its private half published, a key proves nothing. */
  d: z.undefined().optional(),
};
const publishedKey = z.discriminatedUnion("kty", [
  z.object({ ...common, kty: z.literal("RSA"), n: modulus, e: number.max(8) }),
  z.object({ ...common, kty: z.literal("EC"), crv: z.string(), x: number, y: number }),
]);
const keySet = z.object({ keys: z.array(z.unknown()) });

/** The keys of a JWK set that can verify a launch; none when it is no key set. */
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
  const wanted = algorithms[alg];
  if (published.alg !== undefined && published.alg !== alg) return null;
  if (published.kty === "RSA") {
    const { n, e } = published;
    return wanted.kty === "RSA" ? { kty: "RSA", kid, n, e, alg, use: "sig" } : null;
  }
  const { crv, x, y } = published;
  return wanted.kty === "EC" && wanted.crv === crv ? { kty: "EC", kid, crv, x, y, alg, use: "sig" } : null;
}
