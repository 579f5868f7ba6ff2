import { hash, randomFillSync } from "node:crypto";

/** Passed in, so tests can count them. */
export type Ids = {
  /** A new record id such as "mem_3f...": 96 random bits, safe in URLs. */
  id: (prefix: string) => string;
  /** A bearer secret of `bytes` random bytes (default 32) as URL-safe base64. */
  secret: (bytes?: number) => string;
};

export const randomIds: Ids = {
  id: (prefix) => `${prefix}_${randomText(12, "hex")}`,
  secret: (bytes = 32) => randomText(bytes, "base64url"),
};

/** Random bytes for many ids: a call of the system's generator costs ten times as much as its bytes. Each byte is used once and wiped. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function randomText(bytes: number, encoding: "hex" | "base64url"): string {
  if (bytes > pool.length) throw new RangeError(`at most ${String(pool.length)} random bytes`);
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const drawn = pool.subarray(used, used + bytes);
  used += bytes;
  const text = drawn.toString(encoding);
  drawn.fill(0);
  return text;
}

/** SHA-256 of a text, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/** SHA-256 of a secret as base64url. We store it in place of the secret, so someone who reads the database or a backup can't use it. */
export function secretDigest(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** 96 bits of SHA-256 as 16 URL-safe characters, to compare or find a text. It doesn't keep the text secret. */
export function shortDigest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16);
}

/** An ETag that changes with the text. */
export function tagOf(text: string): string {
  return `"${shortDigest(text)}"`;
}

export function taskId(kind: string, key: string): string {
  return `${kind} ${key}`;
}
