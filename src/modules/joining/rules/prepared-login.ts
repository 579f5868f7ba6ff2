import type { LastEntry } from "../../../domain/entry.ts";

export type PreparedLogin = {
  id: string;
  registrationId: string;
  courseId: string;
  personId: string;
  /** The URL, sealed; empty once used or discarded, or when there was none. */
  login: string;
  /** Of its Space URL; with other settings, role or Space the login is not used. */
  fingerprint: string;
  /** A guess for people who never came. Null when there was no login. */
  expectedAs: LastEntry | null;
  /** Milliseconds; the classroom takes a token for one hour. */
  usableUntil: number;
  plan: string;
  /** Calls spent on this person for this plan, failed ones included. */
  fetches: number;
  /** When the person entered with it (ms). */
  usedAt: number | null;
  /** Milliseconds; until then nobody is authorized again for the same reason. */
  keptUntil: number;
};
