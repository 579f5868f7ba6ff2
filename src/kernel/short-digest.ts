import { createHash } from "node:crypto";

/** 96 bits of SHA-256 as 16 URL-safe characters: to compare or find again, not to keep secret. */
export function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, 12).toString("base64url");
}
