import { createHash } from "node:crypto";

/** 96 bits of a text's SHA-256 as 16 characters that need no escaping in an address: to compare or to find again, not to keep secret. */
export function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, 12).toString("base64url");
}
