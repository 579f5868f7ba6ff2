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
   * waiting: to be processed (also again, after a temporary failure) · asking: the classroom may have to be asked about
   * it, which takes a few calls a second · unmatched: its event, Space or user is not known yet; tried again for days ·
   * done · kept: of a family we do not act on · failed: given up.
   */
  state: "waiting" | "asking" | "unmatched" | "done" | "kept" | "failed";
  attempts: number;
  nextTryAt: number;
  /** Why it is where it is, in words. */
  reason: string | null;
  /** What an unmatched receipt waits for, by `waitKey`: its event or that event's Space, and its user. Null: nothing known. */
  waitsFor?: string | null;
  waitsForUser?: string | null;
};

/** Something of the classroom that a receipt may wait for: a user who becomes somebody, an event or Space that becomes a course's. */
export type Matchable = { kind: "user" | "event" | "space"; environment: EnvironmentName; id: string };

/** How a receipt writes down what it waits for. */
export function waitKey({ kind, environment, id }: Matchable): string {
  return `${kind}:${environment}:${id}`;
}
