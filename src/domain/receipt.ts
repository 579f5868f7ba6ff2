import type { EnvironmentName } from "./registration.ts";

/** A webhook as it arrived and what became of it. */
export type Receipt = {
  id: string;
  environment: EnvironmentName;
  /** SHA-256 of the raw body: with the environment it is the webhook's identity, for the service sends no id. */
  digest: string;
  /** The body exactly as it came. */
  body: string;
  receivedAt: number;
  /**
   * waiting: to be processed (also again, after a temporary failure) · unmatched: its event, Space or user is
   * not known yet; tried again for days · done · kept: of a family we do not act on · failed: given up.
   */
  state: "waiting" | "unmatched" | "done" | "kept" | "failed";
  attempts: number;
  nextTryAt: number;
  /** Why it is where it is, in words. */
  reason: string | null;
};
