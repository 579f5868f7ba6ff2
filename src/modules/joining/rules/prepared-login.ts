import type { LastEntry } from "../../../domain/entry.ts";

/** A login authorized before its person came. */
export type PreparedLogin = {
  id: string;
  registrationId: string;
  courseId: string;
  personId: string;
  /** The login URL, sealed; empty once used or discarded, or when there was none. */
  login: string;
  /** Names the Space URL it is for; with other settings, role or Space it is not used. */
  fingerprint: string;
  /** How the person was expected to come: a guess for people who never came. Null when there was no login. */
  expectedAs: LastEntry | null;
  /** Not used from then on (ms): the classroom takes a token for one hour. */
  usableUntil: number;
  /** The id of the plan it was authorized for. */
  plan: string;
  /** Calls spent on this person for this plan, failed ones included. */
  fetches: number;
  /** When the person entered with it (ms); null before. */
  usedAt: number | null;
  /** When the record is forgotten (ms); until then nobody is authorized again for the same reason. */
  keptUntil: number;
};
