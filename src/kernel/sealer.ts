import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { refusal } from "./refusal.ts";

/** Encrypts values that must not be readable in the database. */
export type Sealer = ReturnType<typeof createSealer>;

/** Seals with SECRET_KEY, and also opens values sealed with SECRET_KEY_PREVIOUS, so operators can change the key. */
export function createSealer(secretKey: string, previousSecretKey?: string) {
  const keys = [secretKey, ...(previousSecretKey === undefined ? [] : [previousSecretKey])].map(deriveKey);
  const current = deriveKey(secretKey);
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

function deriveKey(secretKey: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secretKey, "spaces-lti", "seal", 32)));
}

/** Compares digests of equal length, so the time taken reveals neither a secret's length nor its beginning. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(given), digest(expected));
}
