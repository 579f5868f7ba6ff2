import { randomBytes } from "node:crypto";

/** Passed in, so that tests can count them. */
export type Ids = {
  /** A new record id such as "mem_3f...": 96 random bits, safe in URLs. */
  id: (prefix: string) => string;
  /** A bearer secret of `bytes` random bytes (default 32) as URL-safe base64. */
  secret: (bytes?: number) => string;
};

export const randomIds: Ids = {
  id: (prefix) => `${prefix}_${randomBytes(12).toString("hex")}`,
  secret: (bytes = 32) => randomBytes(bytes).toString("base64url"),
};
