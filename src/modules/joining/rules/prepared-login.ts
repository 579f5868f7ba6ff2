import type { LastEntry } from "../../../domain/entry.ts";

/** A login that was authorized before its person came. */
export type PreparedLogin = {
  id: string;
  registrationId: string;
  courseId: string;
  personId: string;
  /** The login URL, sealed; empty once it was used or thrown away, or when there was none to be had. */
  login: string;
  /** Names the Space URL it is for: with other settings, another role or another Space it is not used. */
  fingerprint: string;
  /**
   * How the person was expected to come when it was authorized: for those who never came a guess, which may be another
   * one by now. Null when there was no login to be had.
   */
  expectedAs: LastEntry | null;
  /** Not used from then on (ms): the classroom takes a token for one hour. */
  usableUntil: number;
  /** What it was authorized for: the id of a plan. */
  plan: string;
  /** How many calls were spent on this person for this plan, the failed ones too. */
  fetches: number;
  /** When the person entered with it (ms); null while it waits for them. */
  usedAt: number | null;
  /** The record is forgotten then (ms): until that, nobody is authorized again for the same reason. */
  keptUntil: number;
};
