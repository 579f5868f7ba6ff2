import {
  type BinaryLike,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { refusal } from "./refusal.ts";

/** Encrypts values that must not be readable in the database. */
export type Sealer = ReturnType<typeof createSealer>;

/** Seals with SECRET_KEY, and also opens values sealed with SECRET_KEY_PREVIOUS, so operators can change the key. */
export function createSealer(secretKey: string, previousSecretKey?: string) {
  const { current, keys } = keysFor({ secretKey, secretKeyPrevious: previousSecretKey }, "seal");
  return {
    /** AES-256-GCM with the current key. `purpose` is authenticated, so a sealed value can't be moved elsewhere. */
    seal: (purpose: string, plain: string) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    /** @throws NamedError "sealed-with-unknown-key" when neither the current nor the previous key opens it. */
    open: (purpose: string, sealed: string) => {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
      for (const key of keys) {
        try {
          const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
            .setAAD(Buffer.from(purpose))
            .setAuthTag(bytes.subarray(12, 28));
          return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
        } catch {
          continue; // the other key may open it
        }
      }
      throw refusal("sealed-with-unknown-key");
    },
  };
}

type Secrets = { secretKey: string; secretKeyPrevious?: string | undefined };

/** Separate keys for each purpose. Key objects, because signing with bytes takes Node eight times as long. */
export function keysFor(
  { secretKey, secretKeyPrevious }: Secrets,
  purpose: string,
  salt: BinaryLike = "spaces-lti",
) {
  const keyOf = (secret: string) =>
    createSecretKey(Buffer.from(hkdfSync("sha256", secret, salt, purpose, 32)));
  const current = keyOf(secretKey);
  return { current, keys: secretKeyPrevious === undefined ? [current] : [current, keyOf(secretKeyPrevious)] };
}

/** Compares digests of equal length, so the time taken reveals neither a secret's length nor its beginning. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(given), digest(expected));
}
